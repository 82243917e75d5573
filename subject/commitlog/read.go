package commitlog

import "sort"

// A place is where an entry is: a copy of its segment, as it was when the
// place was looked up, and the offset of its record.
type place struct {
	segment
	off     int64  // of its record; 0 if the segment's table has to be asked
	until   int64  // where the next record starts
	visible uint64 // the index behind the last entry that Get showed
	epoch   int    // how often the log's end had been cut off
}

// Get implements [Log]. It reads the file and verifies the checksum. An entry
// that was truncated is ErrTruncated.
func (f *File) Get(index uint64) (Entry, error) {
	for {
		p, err := f.locate(index)
		if err != nil {
			return Entry{}, getError(index, err)
		}
		value, err := p.read(index)
		if err == nil {
			return Entry{Index: index, Value: value}, nil
		}
		if !f.moved(index, p) {
			return Entry{}, getError(index, err)
		}
	}
}

func (p *place) read(index uint64) (value []byte, err error) {
	if p.off == 0 {
		if p.off, p.until, err = p.fromTable(index); err != nil {
			return nil, err
		}
	}
	return p.segment.read(index, p.off, p.until)
}

// moved reports whether what a read met can be the work of a truncation or of
// Close, so that the entry has to be located again.
func (f *File) moved(index uint64, was place) bool {
	now, err := f.locate(index)
	return err != nil || now.epoch != was.epoch || now.file != was.file
}

// locate finds an entry that Get may show.
func (f *File) locate(index uint64) (place, error) {
	f.mu.RLock()
	defer f.mu.RUnlock()
	visible := f.Next()
	switch {
	case f.closed:
		return place{}, ErrClosed
	case index < f.manifest.first:
		return place{}, ErrTruncated
	case index >= visible:
		return place{}, ErrNotFound
	}
	s := f.segments[f.segmentOf(index)]
	p := place{segment: *s, visible: visible, epoch: len(f.cuts)}
	if !s.sealed {
		p.off, p.until = s.offsetOf(index), s.offsetOf(index+1)
	}
	return p, nil
}

// segmentOf returns the position of the segment that holds an entry of the
// log. f.mu is held.
func (f *File) segmentOf(index uint64) int {
	return sort.Search(len(f.segments), func(i int) bool { return f.segments[i].base > index }) - 1
}
