package commitlog

import (
	"encoding/binary"
	"runtime"
)

// Get implements [Log]. It verifies the checksum. An entry below First is
// ErrTruncated. Where TruncateSuffix removed an entry there is just none any more,
// until the next append: that is ErrNotFound.
func (f *File) Get(index uint64) (Entry, error) { return f.GetInto(index, nil) }

// GetInto is Get for callers who read a lot: the value is stored in buf if that
// has the capacity. Nothing is allocated then, but for what has to be read from the
// file: where that is not mapped, older entries of a segment that has no table yet.
// After an error buf may hold anything.
func (f *File) GetInto(index uint64, buf []byte) (Entry, error) {
	v := f.view.Load()
	if index < f.Next() && v == f.view.Load() && index >= v.manifest.first && !v.closed {
		value, ok := v.segments[v.find(index)].fromMemory(index, buf)
		runtime.KeepAlive(v)
		if ok {
			return Entry{Index: index, Value: value}, nil
		}
	}
	value, err := f.read(index)
	if err != nil {
		return Entry{}, getError(index, err)
	}
	buf = room(buf, len(value))
	copy(buf, value)
	return Entry{Index: index, Value: buf}, nil
}

// room is n bytes of buf, or of memory of its own where that is short.
func room(buf []byte, n int) []byte {
	if cap(buf) < n || buf == nil {
		return make([]byte, n)
	}
	return buf[:n]
}

// fromMemory returns the value of the entry at index as it lies in memory, copied
// to buf or to memory of its own where buf is short. It reports false if the
// entry is not there as it was written; buf may hold anything then.
func (s *segment) fromMemory(index uint64, buf []byte) (value []byte, ok bool) {
	switch i := int64(index - s.base); {
	case s.memory == nil:
		return nil, false
	case s.offsets != nil:
		if start, stride := s.offsets.pace(); stride > 0 {
			at := start + i*stride
			if value, ok = s.copyAt(index, at, at+stride, buf); ok {
				return value, true
			}
		}
		return s.copyAt(index, s.offsets.at(uint64(i)), s.size.Load(), buf)
	case s.stride > 0:
		at := recordsStart + i*s.stride
		return s.copyAt(index, at, at+s.stride, buf)
	default:
		at := binary.LittleEndian.Uint32(s.memory.Bytes()[s.tableAt+4*i:])
		return s.copyAt(index, int64(at), s.end, buf)
	}
}

// copyAt is fromMemory for the record that starts at an offset and ends before limit.
func (s *segment) copyAt(index uint64, at, limit int64, buf []byte) (value []byte, ok bool) {
	b := s.memory.Bytes()
	limit = min(limit, int64(len(b)))
	if !mayStart(at, limit) {
		return nil, false
	}
	b = b[at:limit]
	sum := sumOf(b)
	h, ok := parseHead(b)
	if !ok || h.record() > int64(len(b)) || h.lost() {
		return nil, false
	}
	stored := b[sumSize+h.size() : h.record()]
	if n := len(stored); n > max(mostUnseen, cap(buf)) && !proves(s.seed, index, sum, h, stored) {
		return nil, false
	}
	// What counts is whether the copy is intact: the record's memory is shared.
	value = room(buf, len(stored))
	copy(value, stored)
	return value, proves(s.seed, index, sum, h, value)
}

// mostUnseen is the longest value that memory is found for before its record has
// proved to be intact: damage is worth no more.
const mostUnseen = 512

// A place is where an entry was when it was looked up.
type place struct {
	segment *segment
	visible uint64 // the index behind the last entry of the segment that Get showed
	epoch   int    // how often the log's end had been cut off
}

// read reads the entry from its file.
func (f *File) read(index uint64) ([]byte, error) {
	for {
		p, err := f.locate(index)
		if err != nil {
			return nil, err
		}
		off, limit, err := p.segment.place(index)
		if err == nil {
			var value []byte
			if value, err = p.segment.read(index, off, limit); err == nil {
				return value, nil
			}
		}
		if !f.moved(index, p) {
			return nil, err
		}
	}
}

// moved reports whether what a read met can be the work of a truncation, of
// sealing or of Close, so that the entry has to be located again.
func (f *File) moved(index uint64, was place) bool {
	now, err := f.locate(index)
	return err != nil || now.epoch != was.epoch || now.segment != was.segment
}

// locate finds an entry that Get may show.
func (f *File) locate(index uint64) (place, error) {
	for {
		v := f.view.Load()
		visible := f.Next()
		switch {
		case v != f.view.Load(): // it may not be the one that has the entry
			continue
		case v.closed:
			return place{}, ErrClosed
		case index < v.manifest.first:
			return place{}, ErrTruncated
		case index >= visible:
			return place{}, ErrNotFound
		}
		i := v.find(index)
		if i+1 < len(v.segments) {
			visible = min(visible, v.segments[i+1].base)
		}
		return place{segment: v.segments[i], visible: visible, epoch: len(v.cuts)}, nil
	}
}

// find returns the position of the segment that holds an entry of the log.
func (v *view) find(index uint64) int {
	last := len(v.segments) - 1
	if v.segments[last].base <= index {
		return last
	}
	low, high := 0, last // it is in one from low on, before high
	for high-low > 1 {
		if middle := (low + high) / 2; v.segments[middle].base <= index {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}
