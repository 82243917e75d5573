package commitlog

import (
	"runtime"
	"unsafe"
)

// A place is where an entry was when it was looked up.
type place struct {
	segment *segment
	visible uint64 // the index behind the last entry that Get showed
	epoch   int    // how often the log's end had been cut off
}

// Get implements [Log]. It verifies the checksum. An entry below First is
// ErrTruncated. Where TruncateSuffix removed an entry there is just none any more,
// until the next append: that is ErrNotFound.
func (f *File) Get(index uint64) (Entry, error) { return f.GetInto(index, nil) }

// GetInto is Get for callers who read a lot: the value is stored in buf if that
// has the capacity, and nothing is allocated then. After an error buf may hold
// anything.
func (f *File) GetInto(index uint64, buf []byte) (Entry, error) {
	v := f.view.Load()
	n := copyShelved(unsafe.SliceData(buf), cap(buf), &v.shelves, index)
	if n >= 0 && n <= cap(buf) {
		runtime.KeepAlive(v)
		return Entry{Index: index, Value: buf[:n]}, nil
	}
	if n >= 0 {
		return f.GetInto(index, make([]byte, n))
	}
	if index >= f.Next() || v != f.view.Load() || index < v.manifest.first || v.closed {
		return f.readInto(index, buf)
	}
	value, ok := v.last.get(index, buf)
	if !ok {
		value, ok = v.segments[v.find(index)].fromMemory(index, buf)
	}
	runtime.KeepAlive(v)
	if ok {
		return Entry{Index: index, Value: value}, nil
	}
	return f.readInto(index, buf)
}

// readInto is GetInto from the entry's file.
func (f *File) readInto(index uint64, buf []byte) (Entry, error) {
	value, err := f.read(index)
	if err != nil {
		return Entry{}, getError(index, err)
	}
	return Entry{Index: index, Value: put(buf, value)}, nil
}

// put copies a value into buf, or into memory of its own where that is short.
func put(buf, value []byte) []byte {
	buf = room(buf, len(value))
	copy(buf, value)
	return buf
}

// room is n bytes of buf, or of memory of its own where that is short.
func room(buf []byte, n int) []byte {
	if cap(buf) < n || buf == nil {
		return make([]byte, n)
	}
	return buf[:n]
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
		return place{segment: v.segments[v.find(index)], visible: visible, epoch: len(v.cuts)}, nil
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
