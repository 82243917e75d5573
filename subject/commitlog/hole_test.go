package commitlog

import (
	"bytes"
	"errors"
	"strings"
	"syscall"
	"testing"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/crashdisk"
	"github.com/syncwrite/syncwrite/subject/commitlog/internal/disk"
)

// A holey directory has a segment that is said to be larger than it is: behind its
// bytes is a hole.
type holey struct {
	disk.Dir
	size int64
	end  []byte // what the file ends with
	read *int64 // bytes read from where no segment has any
}

type holeyFile struct {
	disk.File
	in holey
}

func (d holey) Open(name string) (disk.File, error) {
	file, err := d.Dir.Open(name)
	if err == nil && strings.HasSuffix(name, segmentSuffix) {
		file = holeyFile{file, d}
	}
	return file, err
}

func (f holeyFile) Size() (int64, error) { return f.in.size, nil }

func (f holeyFile) ReadAt(b []byte, at int64) (int, error) {
	n, _ := f.File.ReadAt(b, at)
	clear(b[n:])
	if from := f.in.size - int64(len(f.in.end)); at <= from && from < at+int64(len(b)) {
		copy(b[from-at:], f.in.end)
	}
	*f.in.read += max(0, at+int64(len(b))-max(at, maxOffset))
	return len(b), nil
}

// A file that damage has made larger than any segment is not read to its end, whatever
// else is wrong with it.
func TestHoleIsNotRead(t *testing.T) {
	exhausts(t)
	for what, damage := range map[string]func(data []byte){
		"the header": func(data []byte) { data[9] ^= 1 },
		"no records": func(data []byte) { data[9] ^= 1; clear(data[recordsStart:]) },
	} {
		log, image := numbered(t, None, 5)
		if what != "no records" {
			must(t, log.Close())
		}
		name := segmentsOn(t, image)[0]
		data := image.Bytes(name)
		damage(data)
		image.SetBytes(name, data)
		read := int64(0)
		dir := holey{image, 24 << 30, nil, &read}
		v, err := verify(dir, func(Entry, error) bool { return true })
		if err != nil || len(v.Damage) == 0 && what != "no records" {
			t.Errorf("%s: verify returned %+v, %v", what, v, err)
		}
		if read > 12*blockSize { // where a trailer might be: of headless files looked for twice, in either of two looks
			t.Errorf("%s: %d bytes of a hole were read", what, read)
		}
	}
}

// A repair keeps a hole as a hole, and of what it has no space for, nothing.
func TestRepairKeepsHoles(t *testing.T) {
	image, _ := diskWith(t, Always, 24)
	name := segmentsOn(t, image)[1]
	image = flipped(image, name, 8*(recordsStart+valueAt))
	data := append(image.Bytes(name), make([]byte, 8<<20)...)
	image.SetBytes(name, data)
	written, full := 0, true
	image.SetHook(func(c crashdisk.Call) crashdisk.Fault {
		if c.Op == crashdisk.Write && strings.Contains(c.Name, damagedSuffix) {
			if written += c.Size; full {
				return crashdisk.Fault{Err: syscall.ENOSPC, Taken: c.Size / 2}
			}
		}
		return crashdisk.Fault{}
	})
	if _, err := repairDir(image); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("repair on a full disk returned %v", err)
	}
	if kept := keptOn(t, image); len(kept) > 0 {
		t.Errorf("it left %q", kept)
	}
	written, full = 0, false
	if _, err := repairDir(image); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(image.Bytes(name+damagedSuffix), data) || written > scanWindow {
		t.Errorf("%d bytes were written to keep what was there", written)
	}
}

// So it is where later segments are dropped, and a table before them is looked for.
func TestHoleBehindTheEndIsNotRead(t *testing.T) {
	exhausts(t)
	_, image := numbered(t, None, 80)
	image = image.AfterKill()
	must(t, image.Remove(segmentsOn(t, image)[1]))
	read := int64(0)
	in, err := inspect(holey{image, 9 << 30, nil, &read})
	must(t, err)
	defer in.close()
	if len(in.dropped) == 0 || in.last() == nil {
		t.Fatalf("%d segments are dropped", len(in.dropped))
	}
	if read > 16*blockSize {
		t.Errorf("%d bytes of a hole were read", read)
	}
}

// A trailer with a right checksum that nobody of this package can have written, since
// segments end before and records take more, is no trailer: what it says is not read.
func TestForgedTrailerIsNone(t *testing.T) {
	exhausts(t)
	const size = 24 << 30
	most := uint64(size-recordsStart-blockSize) / 4
	for what, forge := range map[string]func(forged *trailer){
		"records up to the end": func(forged *trailer) {
			forged.dataEnd = size - blockSize - uint64(tableSize(forged.count))
		},
		"a table up to the end": func(forged *trailer) {
			forged.count = most - most%2
			forged.dataEnd = size - blockSize - uint64(tableSize(forged.count))
		},
	} {
		log, image := numbered(t, None, 5)
		must(t, log.Close())
		in, err := inspect(image)
		must(t, err)
		s := in.segments[0]
		forged := trailer{mark: s.mark(), base: s.base, count: s.entries(), tableSum: 1}
		must(t, in.close())
		forge(&forged)
		forged.tableAt = forged.dataEnd
		read, before := int64(0), allocated()
		_, err = verify(holey{image, size, forged.block(), &read}, func(Entry, error) bool { return true })
		must(t, err)
		if read > 8*blockSize {
			t.Errorf("%s: %d bytes of a hole were read", what, read)
		}
		if took := allocated() - before; took > 16<<20 {
			t.Errorf("%s: verify took %d bytes of memory", what, took)
		}
	}
}

// The table of a segment with many entries is read in pieces.
func TestLargeTableTakesNoMemory(t *testing.T) {
	exhausts(t)
	const dataEnd = 128 << 20
	log, image := numbered(t, None, 5)
	must(t, log.Close())
	in, err := inspect(image)
	must(t, err)
	forged := trailer{mark: in.segments[0].mark(), base: in.segments[0].base, count: (dataEnd - recordsStart) / uint64(recordSize(0)), dataEnd: dataEnd, tableAt: dataEnd, tableSum: 1}
	must(t, in.close())
	read, before := int64(0), allocated()
	dir := holey{image, dataEnd + tableSize(forged.count) + blockSize, forged.block(), &read}
	v, err := verify(dir, func(Entry, error) bool { return true })
	if err != nil || v.Next != forged.count || v.Lost != forged.count-5 {
		t.Errorf("verify returned %+v, %v", v, err)
	}
	if took := allocated() - before; took > 16<<20 {
		t.Errorf("verify took %d bytes of memory", took)
	}
}
