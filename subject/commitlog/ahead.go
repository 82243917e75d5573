package commitlog

import "sync"

// ahead is how many bytes of a mapped segment are made ready before the appends get there:
// space in the file, and pages in memory, which they would wait for otherwise. That is done
// by the half, since an append may have to wait for it.
const ahead = 8 << 20

// leastStep is how many bytes are worth the way, but for a segment's last ones.
const leastStep = little / 2

// little is how many bytes a segment has before the log is busy. One that is not would take
// memory for pages that it does not need.
const little = 1 << 20

// goAhead makes ready what the appends will need of the last segment, and of the next one
// where that ends. What the disk has no space for is left: the append that needs it will
// say so.
func (r *roller) goAhead() {
	r.namer.poke()
	for r.stepAhead() && !r.stopped() {
	}
}

// stepAhead goes one step, and reports whether there may be another.
func (r *roller) stepAhead() (more bool) {
	r.roster.take(preparing)
	defer r.roster.give(preparing)
	s, end, err := r.last()
	if err != nil || s == nil || r.rest.Load() {
		return false
	}
	over := end + ahead - r.options.SegmentSize
	if s.size.Load() >= r.options.SegmentSize && over > 0 && len(r.spares) > 0 {
		s, end = r.spares[0], recordsStart+over-ahead
	}
	before, to := s.size.Load(), min(r.further(s, end), int64(len(s.memory.Bytes())))
	if to-before >= leastStep || to == r.options.SegmentSize {
		r.ready(s, end, to)
	}
	next := r.turn.Take()
	if r.tail.segment == s && r.tail.limit > 0 && r.usable() == nil {
		r.open()
	}
	r.turn.Give(next)
	return r.mapped.Load() && s.size.Load() > before
}

// last is the last segment, and where it ends by now. The duty of preparing is the caller's.
func (r *roller) last() (s *segment, end int64, err error) {
	next := r.turn.Take()
	defer r.turn.Give(next)
	r.busy = r.busy || r.tail.end > min(little, r.options.SegmentSize/2)
	return r.tail.segment, r.tail.end, r.usable()
}

// goAheadSpare makes the segments that come next, once the last one is more than begun. It
// takes flushes, which goAhead is not to wait for.
func (r *roller) goAheadSpare() {
	r.roster.take(preparing)
	r.last()
	busy := r.busy
	r.roster.give(preparing)
	if busy {
		for range mostSpares {
			r.fillSpare()
		}
	}
}

// ready reserves a segment's space up to an offset, for appends that have come to end. Of a mapped one that
// is busy it has the pages in memory, too, before somebody stores there (BenchmarkPrepared).
func (r *roller) ready(s *segment, end, to int64) {
	from := s.size.Load()
	if s.reserve(to) != nil || !r.busy || !r.mapped.Load() {
		return
	}
	if from-end > hurry {
		s.findPages(from, to)
		return
	}
	part := (to - from) / 3
	var beside sync.WaitGroup
	beside.Go(func() { s.memory.Populate(to-part, to) })
	s.findPages(from, to-part)
	beside.Wait()
}

// hurry is how many bytes from where the appends are pages are found by two: where the first touch of a page
// takes long, as on a virtual machine, a third of them beside the others has 1 KiB values appended 1.3 to 1.5
// times as fast. A writer that has time would wait for a processor.
const hurry = ahead / 4

// findPages has the system find memory for a part of the file, and map it: for zeros that are written by
// the piece it does so in a fraction of the time that single pages take it.
func (s *segment) findPages(from, to int64) {
	if writeZeros(s.file, from, to, pieceOfPages) == nil {
		s.memory.Populate(from, to)
	}
}

// pieceOfPages is how many zeros are written at once for their pages: of larger pieces the system has to
// look for more memory that lies together.
const pieceOfPages = 256 << 10
