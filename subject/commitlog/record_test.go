package commitlog

import (
	"bytes"
	"testing"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/crashdisk"
)

func TestRecordRoundTrip(t *testing.T) {
	for size := range 100 {
		value := bytes.Repeat([]byte{7}, size)
		b := appendRecord(nil, 1, entryKind, size%2 == 0, 1<<40|5, value)
		r, ok := parseRecord(1, b)
		if !ok || !bytes.Equal(r.value, value) || r.index != 5 || r.more != (size%2 == 0) {
			t.Fatalf("value of %d bytes reads back as %+v, %t", size, r, ok)
		}
		if r.size != int64(len(b)) || r.size != recordSize(size) || r.size%alignment != 0 {
			t.Fatalf("record of %d bytes takes %d, not %d", size, r.size, len(b))
		}
		if _, ok := parseRecord(1, b[:len(b)-1]); ok {
			t.Fatal("a record without its end was taken for whole")
		}
	}
}

// A record belongs to one segment in one of its lives.
func TestRecordOfAnotherSegment(t *testing.T) {
	h := header{id: 1, base: 2, salt: 3}
	b := appendRecord(nil, h.seed(), entryKind, false, 2, []byte("foo"))
	for _, other := range []header{{2, 2, 3}, {1, 2, 4}} {
		if _, ok := parseRecord(other.seed(), b); ok {
			t.Errorf("record of segment %v was taken for one of %v", h, other)
		}
	}
}

func TestRecordOfImpossibleKind(t *testing.T) {
	for _, b := range [][]byte{
		appendRecord(nil, 1, 3, false, 0, nil),
		appendRecord(nil, 1, lostKind, false, 0, []byte("foo")),
		appendRecord(nil, 1, markKind, false, 0, []byte("short")),
		appendRecord(nil, 1, markKind, true, 0, make([]byte, markLength)),
		appendRecord(nil, 1, entryKind, false, 0, make([]byte, MaxValueSize+1)),
		make([]byte, 24),
	} {
		if r, ok := parseRecord(1, b); ok {
			t.Errorf("taken for a record: %+v", r)
		}
	}
}

// A record that is intact but not the next one ends a scan: a log has no gaps.
func TestScanChecksIndex(t *testing.T) {
	h := header{id: 1, base: 10, salt: 3}
	disk := crashdisk.New()
	block := h.block()
	data := append(block, block...)
	for _, index := range []uint64{10, 11, 13} {
		data = appendRecord(data, h.seed(), entryKind, false, index, []byte("foo"))
	}
	disk.SetBytes("segment", data)
	file, err := disk.Open("segment")
	if err != nil {
		t.Fatal(err)
	}
	s := newSegment(h, file, "segment")
	if _, err := s.collect(newScan(file, h, int64(len(data))), unlimited, 0); err != nil || s.entries() != 2 {
		t.Errorf("%d entries were taken, want the two before the gap (%v)", s.entries(), err)
	}
}

func TestBlocksRoundTrip(t *testing.T) {
	h := header{id: 1, base: 2, salt: 3}
	if got, reason := parseHeader(h.block()); got != (header{id: 1, salt: 3}) || reason != "" {
		t.Errorf("header reads back as %+v, %q", got, reason)
	}
	tr := trailer{header: h, count: 4, dataEnd: 5, tableSum: 6}
	if got, reason := parseTrailer(tr.block()); got != tr || reason != "" {
		t.Errorf("trailer reads back as %+v, %q", got, reason)
	}
	m := manifest{id: 1, first: 2, limit: 4, known: 3}
	if got, reason := parseManifest(m.block()); got != m || reason != "" {
		t.Errorf("manifest reads back as %+v, %q", got, reason)
	}
	if _, reason := parseHeader(tr.block()); reason != "not a segment header" {
		t.Errorf("trailer taken for a header: %q", reason)
	}
	future := h.block()
	future[8]++
	sealed := future[:blockSize-4]
	sum := checksum(sealed)
	future = append(sealed, byte(sum), byte(sum>>8), byte(sum>>16), byte(sum>>24))
	if _, reason := parseHeader(future); reason != "segment header has format version 4; this is version 3" {
		t.Errorf("header of a later version: %q", reason)
	}
}

func TestSegmentNames(t *testing.T) {
	for _, base := range []uint64{0, 1, 1 << 40, 1<<64 - 1} {
		if got, ok := baseOf(segmentName(base)); got != base || !ok {
			t.Errorf("name of %d reads as %d, %t", base, got, ok)
		}
	}
	for _, name := range []string{"", "manifest", ".segment", "1.segment", "00000000000000000001.segment.damaged", "0000000000000000000x.segment"} {
		if _, ok := baseOf(name); ok {
			t.Errorf("%q was taken for a segment", name)
		}
	}
}
