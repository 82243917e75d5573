package commitlog

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"
)

// A roller makes room at the log's end: more of the last segment, or the next one.
type roller struct {
	*flusher
	helper            // goes ahead of the appends
	namer  helper     // makes the segments that come next
	spares []*segment // those; of who prepares
	busy   bool       // more than a little was written; of who prepares
}

// errNoSpare says that the segment that comes next has to be made first.
var errNoSpare = errors.New("no segment comes next")

// makeRoom makes room for size bytes at the log's end. If it fails, nothing is lost and
// the next append tries again. The disk has the space of segments that were dropped back once the
// collector has found that nobody reads them: where it is full that is not left to the collector's own time.
func (r *roller) makeRoom(size int64) error {
	for {
		err := r.tryRoom(size)
		if errors.Is(err, errNoSpare) {
			if err = r.fillSpare(); err == nil {
				continue
			}
		}
		if !isFull(err) || !r.spaceMayCome() {
			return err
		}
	}
}

// collections is how often the collector is asked for the space of segments that were dropped.
const collections = 10

// spaceMayCome asks the collector, unless it was asked often enough, and waits: longer each time, as much else can be
// let go of at once, up to half a second.
func (r *roller) spaceMayCome() bool {
	r.roster.take(preparing)
	left := r.letGo
	r.letGo = max(0, left-1)
	r.roster.give(preparing)
	if left > 0 {
		runtime.GC()
		time.Sleep(time.Millisecond << (collections - left)) // files are unmapped behind it
	}
	return left > 0
}

// tryRoom makes room, unless that takes another segment and there is none.
func (r *roller) tryRoom(size int64) error {
	r.roster.take(preparing)
	defer r.roster.give(preparing)
	next := r.turn.Take()
	s, end, fits, err := r.tail.segment, r.tail.end, r.tail.fits(size), r.usable()
	r.turn.Give(next)
	switch {
	case err != nil || fits || r.rest.Load(): // then it has to be done first
		return err
	case s == nil, end+size > r.options.SegmentSize && (next > s.base || end+size > int64(len(s.memory.Bytes()))):
		return r.orStop(r.roll(size)) // of a batch that is larger than a segment, also behind one that is empty
	}
	if err := r.prepare(s, end+size); err != nil {
		return fmt.Errorf("prepare segment: %w", err)
	}
	r.resume()
	r.poke()
	return nil
}

// prepare makes a segment ready up to the offset end, and further if there is space on
// the disk. Others may append meanwhile, to what was ready before.
func (r *roller) prepare(s *segment, end int64) error {
	more := end > int64(len(s.memory.Bytes())) // of a segment without entries: nobody stores there meanwhile
	if !more && end > s.size.Load() {          // else the helper comes in time
		r.ready(s, end, r.further(s, end))
	}
	err := s.reserve(end)
	if err == nil && more {
		err = s.remember(&r.options, end, r.mapped.Load())
	}
	return err
}

// further is up to where a segment is made ready in one go. Of one that is not mapped space is
// asked for alone, which costs next to nothing before it is used; where pages are not made
// ready, the system reads about where one is missing, as far as the file goes.
func (r *roller) further(s *segment, end int64) int64 {
	to, size := end+ahead, s.size.Load()
	switch {
	case !r.mapped.Load():
		to = max(to, 2*size)
	case r.busy:
		to = min(to, max(end, size)+ahead/2)
	default:
		to = end + little
	}
	return min(to, r.options.SegmentSize)
}

// roll starts the segment that comes next, with room for size bytes. The duty of preparing
// is the caller's.
func (r *roller) roll(size int64) error {
	if len(r.spares) == 0 {
		return errNoSpare
	}
	if err := r.halt(); err != nil {
		return err
	}
	err := r.settle()
	if err == nil {
		err = r.prepare(r.spares[0], recordsStart+size)
	}
	if err != nil {
		r.resume()
		return fmt.Errorf("create segment: %w", err)
	}
	if last := r.tail.segment; last != nil {
		last.output.release() // all of it is in its file: on one processor the sealer can come late
	}
	r.install(r.spares[0])
	r.spares = r.spares[1:]
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
	r.follow(s)
	r.reshape(func(v *view) { v.segments = append(slices.Clip(v.segments), s) })
}

// mostSpares is how many segments are made ahead by a log that is busy: a name's flush waits behind
// those of full segments, and can take as long as filling one.
const mostSpares = 2

// fillSpare makes a segment that comes next, which has no base yet, if one is wanted. It takes next
// to no space, which the last one may still need. Others may prepare that meanwhile.
func (r *roller) fillSpare() error {
	r.roster.take(naming)
	defer r.roster.give(naming)
	r.roster.take(preparing)
	number := r.number + uint64(len(r.spares)) // as long as the duty of naming is the caller's it stays so
	wanted := !r.rest.Load() && (len(r.spares) == 0 || r.busy && len(r.spares) < mostSpares)
	err := r.usable()
	r.roster.give(preparing)
	if !wanted || err != nil {
		return err
	}
	if number > mostNumber {
		return fmt.Errorf("create segment: there is no number behind %d", uint64(mostNumber))
	}
	h := header{id: r.view.Load().manifest.id, number: number, base: unlimited}
	s, err := createSegment(r.dir, h, &r.options, r.mapped.Load())
	if err != nil {
		return r.orStop(fmt.Errorf("create segment: %w", err))
	}
	r.roster.take(preparing)
	r.spares = append(r.spares, s)
	r.roster.give(preparing)
	return nil
}

// dropSpares removes the segments that come next.
func (r *roller) dropSpares() (err error) {
	for _, s := range r.spares {
		err = both(err, both(s.close(), r.dir.Remove(s.name)))
	}
	r.spares = nil
	return err
}
