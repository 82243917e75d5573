package commitlog

import (
	"bytes"
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/crashdisk"
)

func TestRecordRoundTrip(t *testing.T) {
	for _, size := range []int{0, 1, 3, 13, 14, 2045, 2046, 1<<18 - 3, 1<<18 - 2, MaxValueSize} {
		for _, bits := range []head{0, flushBit, moreBit, safeBit | flushBit | moreBit} {
			value := bytes.Repeat([]byte{7}, size)
			b := appendRecord(nil, newSeed(1, 9), 1<<40|5, headFor(size)|bits, value)
			r, ok := parseRecord(newSeed(1, 9), 1<<40|5, b)
			if !ok || !bytes.Equal(r.value, value) || r.head != headFor(size)|bits || r.lost() {
				t.Fatalf("value of %d bytes reads back as %+v, %t", size, r.head, ok)
			}
			if r.record() != int64(len(b)) || r.record() != recordSize(size) {
				t.Fatalf("record of %d bytes takes %d, not %d", size, r.record(), len(b))
			}
			if !proves(newSeed(1, 9), 1<<40|5, sumOf(b), r.head, value) || proves(newSeed(1, 9), 1<<40|5, sumOf(b), r.head^moreBit, value) {
				t.Fatalf("value of %d bytes: its checksum proves something else", size)
			}
			if _, ok := parseRecord(newSeed(1, 9), 1<<40|5, b[:len(b)-1]); ok {
				t.Fatal("a record without its end was taken for whole")
			}
		}
	}
}

// A record is that of one entry in one segment.
func TestRecordOfAnotherEntry(t *testing.T) {
	h := header{id: 1, number: 5, base: 2}
	b := appendRecord(nil, h.seed(), 2, headFor(3), []byte("foo"))
	for _, other := range []header{{id: 2, number: 5}, {id: 1, number: 4}} {
		if _, ok := parseRecord(other.seed(), 2, b); ok {
			t.Errorf("record of segment %v was taken for one of %v", h, other)
		}
	}
	for index := range uint64(100_000) {
		if _, ok := parseRecord(h.seed(), index, b); ok != (index == 2) {
			t.Fatalf("record of entry 2 was taken for that of %d", index)
		}
	}
}

func TestWhatIsNoRecord(t *testing.T) {
	for _, b := range [][]byte{
		make([]byte, 24),
		appendRecord(nil, newSeed(1, 9), 0, flushBit|moreBit, nil),
		appendRecord(nil, newSeed(1, 9), 0, headFor(MaxValueSize+1), make([]byte, MaxValueSize+1)),
		{1, 2, 3, 4, 0x80, 0x80, 0x80, 0x80, 1},
	} {
		if r, ok := parseRecord(newSeed(1, 9), 0, b); ok {
			t.Errorf("taken for a record: %+v", r.head)
		}
	}
}

// A record that is intact but not the next one ends what is read in order: a log has no gaps.
func TestScanChecksIndex(t *testing.T) {
	h := header{id: 1, base: 10}
	disk := crashdisk.New()
	block := h.block()
	data := append(block, block...)
	for _, index := range []uint64{10, 11, 13} {
		data = appendRecord(data, h.seed(), index, headFor(3), []byte("foo"))
	}
	disk.SetBytes(segmentName(0), data)
	s := loaded(t, disk, segmentName(0))
	if err := new(inspection).survey(s); err != nil || s.entries() != 2 {
		t.Errorf("%d entries were taken, want the two before the gap (%v)", s.entries(), err)
	}
}

func TestBlocksRoundTrip(t *testing.T) {
	h := header{id: 1, number: 5, base: 2}
	if got, reason := parseHeader(h.block()); got != h || reason != "" {
		t.Errorf("header reads back as %+v, %q", got, reason)
	}
	tr := trailer{mark: 3, base: 2, count: 4, dataEnd: 5, tableAt: 7, tableSum: 6}
	if got, reason := parseTrailer(tr.block()); got != tr || reason != "" {
		t.Errorf("trailer reads back as %+v, %q", got, reason)
	}
	m := manifest{id: 1, first: 2, known: 3, cuts: []cut{{4, 5}, {6, 7}}}
	if got, reason := parseManifest(m.bytes()); !got.equal(m) || reason != "" {
		t.Errorf("manifest reads back as %+v, %q", got, reason)
	}
	half := append(newBlock(manifestMark, checksum(m.bytes()[blockSize:][:24]), 1, 2, 3, 1), m.bytes()[blockSize:][:24]...)
	for _, b := range [][]byte{half, m.bytes()[:blockSize], append(m.bytes(), 0)} {
		if got, reason := parseManifest(b); reason == "" {
			t.Errorf("%d bytes of manifest read as %+v", len(b), got)
		}
	}
	if _, reason := parseHeader(tr.block()); reason != "not a segment header" {
		t.Errorf("trailer taken for a header: %q", reason)
	}
}

// A log of another version of the format is refused with the version that reads it, and no
// repair touches it, whether it has its manifest or not.
func TestOtherFormats(t *testing.T) {
	for version, want := range map[byte]string{3: "v0.1.0", 4: "no release", formatVersion + 1: "newer"} {
		for _, manifestToo := range []bool{true, false} {
			disk, _ := diskWith(t, None, 4)
			for _, name := range append(segmentsOn(t, disk), manifestName) {
				data := disk.Bytes(name)
				for at := 0; at < min(len(data), recordsStart); at += blockSize {
					data[at+8] = version
					copy(data[at+blockSize-4:], sumBytes(data[at:at+blockSize-4]))
				}
				disk.SetBytes(name, data)
			}
			if !manifestToo {
				must(t, disk.Remove(manifestName))
			}
			before := strings.Join(filesOn(t, disk), "")
			_, opened := openDir(disk.AfterKill(), FileOptions{})
			_, verified := verify(disk, func(Entry, error) bool { return true })
			_, repaired := repairDir(disk)
			for _, err := range []error{opened, verified, repaired} {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("format %d: %v", version, err)
				}
			}
			if after := strings.Join(filesOn(t, disk), ""); after != before {
				t.Errorf("format %d: the log was changed", version)
			}
		}
	}
}

func sumBytes(b []byte) []byte {
	sum := checksum(b)
	return []byte{byte(sum), byte(sum >> 8), byte(sum >> 16), byte(sum >> 24)}
}

func TestSegmentNames(t *testing.T) {
	for _, number := range []uint64{0, 1, 1 << 40, mostNumber} {
		if got, ok := numberOf(segmentName(number)); got != number || !ok {
			t.Errorf("name of %d reads as %d, %t", number, got, ok)
		}
	}
	for _, name := range []string{"", "manifest", ".segment", "1.segment", "00000000000000000001.segment.damaged", "0000000000000000000x.segment"} {
		if _, ok := numberOf(name); ok {
			t.Errorf("%q was taken for a segment", name)
		}
	}
}
