package commitlog

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/crashdisk"
)

// Whatever the bytes are, parsing them ends, and what is taken for a record
// is one: writing it again gives the same bytes.
func FuzzRecord(f *testing.F) {
	f.Add(uint32(1), uint64(7), appendRecord(nil, newSeed(1, 1), 7, headFor(3)|moreBit, []byte("foo")))
	f.Add(uint32(2), uint64(8), appendRecord(nil, newSeed(2, 2), 8, headFor(200)|flushBit, make([]byte, 200)))
	f.Add(uint32(3), uint64(9), appendRecord(nil, newSeed(3, 3), 9, lostHead, nil))
	f.Add(uint32(4), uint64(0), []byte{})
	f.Fuzz(func(t *testing.T, seed uint32, index uint64, b []byte) {
		s := newSeed(seed, seed)
		r, ok := parseRecord(s, index, b)
		if !ok {
			return
		}
		again := appendRecord(nil, s, index, r.head, r.value)
		if len(again) != int(r.record()) || !bytes.Equal(again, b[:len(again)]) {
			t.Errorf("%x reads as %+v, which is written as %x", b, r, again)
		}
	})
}

func FuzzBlocks(f *testing.F) {
	h := header{id: 1, number: 5, base: 2}
	f.Add(h.block())
	f.Add(trailer{mark: 3, base: 2, count: 4, dataEnd: 5, tableAt: 7, tableSum: 6}.block())
	f.Add(manifest{id: 1, first: 2, known: 3, cuts: []cut{{4, 5}}}.bytes())
	f.Fuzz(func(t *testing.T, b []byte) {
		if h, reason := parseHeader(b); reason == "" && !bytes.Equal(h.block(), b[:blockSize]) {
			t.Errorf("%x reads as header %+v", b, h)
		}
		if tr, reason := parseTrailer(b); reason == "" && !bytes.Equal(tr.block(), b[:blockSize]) {
			t.Errorf("%x reads as trailer %+v", b, tr)
		}
		if m, reason := parseManifest(b); reason == "" && !bytes.Equal(m.bytes(), b) {
			t.Errorf("%x reads as manifest %+v", b, m)
		}
	})
}

// FuzzRecovery lays arbitrary bytes over the files of a log, and at times makes
// all checksums fit what is there then. Opening refuses with a reason or gives
// a log in which every entry reads the same twice, takes appends, and opens
// again as what it was; Verify and Repair end without surprise.
func FuzzRecovery(f *testing.F) {
	disk, _ := diskWith(f, Always, 12)
	names := segmentsOn(f, disk)
	for i, name := range names {
		f.Add(uint8(i), uint16(0), disk.Bytes(name), false, false)
		f.Add(uint8(i), uint16(recordsStart+4), []byte{200, 200, 200, 0x8}, false, true)
		f.Add(uint8(i), uint16(len(disk.Bytes(name))-blockSize+40), []byte{1, 2, 3}, false, true)
	}
	f.Add(uint8(len(names)-1), uint16(200), []byte("garbage in the records"), false, false)
	f.Add(uint8(0), uint16(300), []byte{}, true, true)
	f.Add(uint8(len(names)), uint16(24), []byte{9}, false, true)
	f.Fuzz(func(t *testing.T, which uint8, at uint16, b []byte, cut, resum bool) {
		files := append(names, manifestName)
		name := files[int(which)%len(files)]
		image := disk.AfterKill()
		overlay(image, name, int(at), b, cut)
		if resum {
			image.SetBytes(name, resummed(image.Bytes(name)))
			if forged(image) {
				return
			}
		}
		checkFuzzed(t, image.AfterKill())
		if _, err := verify(image, func(Entry, error) bool { return true }); errors.Is(err, errFormat) {
			return
		} else if err != nil {
			t.Fatalf("verify: %v", err)
		}
		if _, err := repairDir(image); err != nil {
			if resum && strings.Contains(err.Error(), "too many to put a record in each place") {
				return
			}
			t.Fatalf("repair: %v", err)
		}
		if !checkFuzzed(t, image) {
			t.Fatal("a repaired log does not open")
		}
	})
}

// forged reports whether a block tells of numbers or indexes that nobody gets to.
func forged(image *crashdisk.Disk) bool {
	const far = 1 << 62
	isFar := func(n uint64) bool { return n > far && n != unlimited }
	names, _ := image.Names()
	for _, name := range names {
		data := image.Bytes(name)
		if m, reason := parseManifest(data); reason == "" && (isFar(m.first) || isFar(m.known)) {
			return true
		}
		for at := 0; at+blockSize <= len(data); at += blockSize {
			if h, reason := parseHeader(data[at:]); reason == "" && (isFar(h.number) || isFar(h.base) || isFar(h.safe)) {
				return true
			}
		}
		if t, reason := parseTrailer(data[max(0, len(data)-blockSize):]); reason == "" && isFar(t.base) {
			return true
		}
	}
	return false
}

// resummed gives blocks and records the checksums that fit them.
func resummed(data []byte) []byte {
	sum := func(at int) {
		if at >= 0 && at+blockSize <= len(data) {
			binary.LittleEndian.PutUint32(data[at+blockSize-4:], checksum(data[at:at+blockSize-4]))
		}
	}
	sum(0)
	sum(blockSize)
	h, reason := parseHeader(data)
	if reason != "" {
		return data
	}
	for at, index := int64(recordsStart), h.base; ; index++ {
		r, ok := parseHead(data[min(at, int64(len(data))):])
		if !ok || at+r.record() > int64(len(data)) {
			break
		}
		binary.LittleEndian.PutUint32(data[at:], crc32.Update(h.seed().at(index), castagnoli, data[at+sumSize:at+r.record()]))
		at += r.record()
	}
	sum(len(data) - blockSize)
	return data
}

// overlay writes b into a file, which ends behind it if cut.
func overlay(image *crashdisk.Disk, name string, at int, b []byte, cut bool) {
	data := image.Bytes(name)
	for len(data) < at+len(b) {
		data = append(data, 0)
	}
	copy(data[at:], b)
	if cut {
		data = data[:at+len(b)]
	}
	image.SetBytes(name, data)
}

// checkFuzzed opens a log twice and reports whether it opens.
func checkFuzzed(t *testing.T, image *crashdisk.Disk) bool {
	log, err := openDir(image, FileOptions{SegmentSize: 256})
	if err != nil {
		if corrupt := (*CorruptError)(nil); !errors.As(err, &corrupt) && !errors.Is(err, errFormat) {
			t.Fatalf("open: %v", err)
		}
		return false
	}
	defer log.Close()
	if next, err := log.Append([]byte("more")); err != nil || next+1 != log.Next() {
		t.Fatalf("append: %d, %v", next, err)
	}
	again, err := openDir(image.AfterKill(), FileOptions{SegmentSize: 256})
	if err != nil {
		t.Fatalf("open again: %v", err)
	}
	defer again.Close()
	if again.First() != log.First() || again.Next() != log.Next() {
		t.Fatalf("entries %d to %d became %d to %d", log.First(), log.Next(), again.First(), again.Next())
	}
	for index := log.First(); index < log.Next(); index++ {
		one, err := log.Get(index)
		two, errTwo := again.Get(index)
		if (err == nil) != (errTwo == nil) || !bytes.Equal(one.Value, two.Value) {
			t.Fatalf("entry %d reads %q, %v and %q, %v", index, one.Value, err, two.Value, errTwo)
		}
	}
	return true
}
