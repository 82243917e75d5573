package commitlog

import (
	"fmt"
	"math"
	"slices"
)

// unlimitedSize is behind the end of every segment.
const unlimitedSize = math.MaxInt64

// A roller makes room at the log's end: more of the last segment, or the next one.
type roller struct {
	*core
	*flusher
	helper          // goes ahead of the appends
	spare  *segment // the one that comes next, or nil; of who prepares
}

// makeRoom makes room for size bytes at the log's end. If it fails, nothing is lost and
// the next append tries again.
func (r *roller) makeRoom(size int64) error {
	r.roster.take(preparing)
	defer r.roster.give(preparing)
	next := r.turn.Take()
	s, end, fits, err := r.tail.segment, r.tail.end, r.tail.fits(size), r.usable()
	r.turn.Give(next)
	switch {
	case err != nil || fits || r.rest.Load(): // then it has to be done first
		return err
	case s == nil, next > s.base && end+size > r.options.SegmentSize:
		return r.orStop(r.roll(size))
	case end+size > int64(len(s.memory.Bytes())): // the segment's first batch is larger than it
		return r.orStop(r.enlargeOrRoll(s, size))
	}
	if err := r.prepare(s, end+size); err != nil {
		return fmt.Errorf("prepare segment: %w", err)
	}
	next = r.turn.Take()
	r.open()
	r.turn.Give(next)
	return nil
}

// enlargeOrRoll makes room for a batch that is larger than a segment: in the last one, if
// that has no entry still, now that nobody appends, or else in the next one.
func (r *roller) enlargeOrRoll(s *segment, size int64) error {
	err := r.halt()
	defer r.resume()
	if err == nil && r.turn.Next() > s.base {
		return r.roll(size)
	}
	if err == nil {
		err = r.enlarge(s, r.tail.end+size)
	}
	if err != nil {
		return fmt.Errorf("prepare segment: %w", err)
	}
	next := r.turn.Take()
	r.tail.memory = s.memory.Bytes()
	r.turn.Give(next)
	return nil
}

// prepare makes a segment ready up to the offset end, and further if there is space on
// the disk. Others may append meanwhile, to what was ready before.
func (r *roller) prepare(s *segment, end int64) error {
	if end > int64(len(s.memory.Bytes())) {
		return r.enlarge(s, end)
	}
	if s.reserve(r.further(s, end)) == nil && end <= s.size.Load() {
		return nil
	}
	return s.reserve(end)
}

// further is up to where a segment is made ready: of one that is not mapped space is
// asked for alone, which costs next to nothing before it is used.
func (r *roller) further(s *segment, end int64) int64 {
	to := end + ahead
	if !r.mapped.Load() {
		to = max(to, 2*s.size.Load())
	}
	return min(to, r.options.SegmentSize)
}

// enlarge gives a segment without entries more memory. Nobody stores there meanwhile.
func (r *roller) enlarge(s *segment, end int64) error {
	if err := s.reserve(end); err != nil {
		return err
	}
	return s.remember(&r.options, end, r.mapped.Load())
}

// roll starts a new segment, with room for size bytes. The duty of preparing is the
// caller's.
func (r *roller) roll(size int64) error {
	if err := r.halt(); err != nil {
		return err
	}
	err := r.settle()
	if err == nil {
		err = r.fillSpare()
	}
	if err == nil {
		err = r.prepare(r.spare, recordsStart+size)
	}
	if err != nil {
		r.resume()
		return fmt.Errorf("create segment: %w", err)
	}
	r.install(r.spare)
	r.spare = nil
	r.poke()
	return nil
}

// settle brings what is only in memory into the last segment's file.
func (r *roller) settle() error {
	if r.mapped.Load() {
		return nil
	}
	if r.durable() {
		return r.flushAll()
	}
	r.roster.take(writing)
	defer r.roster.give(writing)
	_, err := r.handOver()
	return err
}

// install lets entries into a segment. Nobody appends meanwhile.
func (r *roller) install(s *segment) {
	base := r.turn.Take()
	defer r.turn.Give(base)
	s.base, s.safe = base, r.safe.Load()
	r.number++
	copy(s.memory.Bytes(), s.headers())
	r.follow(s)
	r.reshape(func(v *view) { v.segments = append(slices.Clip(v.segments), s) })
}

// fillSpare makes the segment that comes next, which has no base yet. The duty of
// preparing is the caller's.
func (r *roller) fillSpare() (err error) {
	if r.spare == nil {
		h := header{id: r.view.Load().manifest.id, salt: r.options.salt(), number: r.number, base: unlimited}
		r.spare, err = createSegment(r.dir, h, &r.options, r.mapped.Load())
	}
	return err
}

// dropSpare removes the next segment, if there is one.
func (r *roller) dropSpare() error {
	s := r.spare
	if s == nil {
		return nil
	}
	r.spare = nil
	return both(s.close(), r.dir.Remove(s.name))
}
