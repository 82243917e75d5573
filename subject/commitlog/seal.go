package commitlog

import (
	"slices"
	"time"
)

// A sealer ends segments that are full.
type sealer struct {
	*flusher
	helper
}

// sealAll writes tables for what is full, and seals it.
func (k *sealer) sealAll() {
	for k.indexOldest() && !k.stopped() {
	}
	for k.unsealed() > 0 && !k.stopped() {
		if sealed, err := k.sealOldest(); !sealed || err != nil {
			break
		}
	}
}

// unsealed is how many segments are full and not sealed yet.
func (k *sealer) unsealed() int {
	segments := k.view.Load().segments
	n := 0
	for i := len(segments) - 2; i >= 0 && !segments[i].sealed; i-- {
		n++
	}
	return n
}

// sealOldest seals the first segment that is full and was not sealed. It
// reports false if there is none.
func (k *sealer) sealOldest() (found bool, err error) {
	k.roster.take(sealing)
	defer k.roster.give(sealing)
	if err := k.usable(); err != nil {
		return false, err
	}
	s, err := k.oldest()
	if s == nil || err != nil {
		return false, err
	}
	k.roster.take(flushing)
	defer k.roster.give(flushing)
	return true, k.seal(s)
}

// oldest is the first segment that is full and was not sealed, with its table; nil if there
// is none. The duty of sealing is the caller's.
func (k *sealer) oldest() (*segment, error) {
	if k.rest.Load() { // an earlier trailer may not be safe
		return nil, nil
	}
	segments := k.view.Load().segments
	i := slices.IndexFunc(segments, func(s *segment) bool { return !s.sealed })
	if i < 0 || i == len(segments)-1 {
		return nil, nil
	}
	return k.indexed(segments[i])
}

// indexed is a full segment with its table. What opening has found in it is made safe before that is written, as
// long as that is known to be due.
func (k *sealer) indexed(s *segment) (full *segment, err error) {
	if s.offsets == nil {
		return s, nil
	}
	if (s.found != nil || k.durable()) && k.safe.Load() < s.next() { // or records may still wait to be written
		err = k.flush(s.next())
	}
	if err == nil {
		full, err = s.index()
	}
	if err != nil {
		return nil, k.orStop(err)
	}
	k.turn.Give(k.replace(s, full))
	s.output.release() // rolling has done so, but not for what a truncation ended; the collector does not count it
	return full, nil
}

// indexOldest writes the table of the first full segment that has none. It
// reports false if there is none, or no space for it.
func (k *sealer) indexOldest() bool {
	k.roster.take(sealing)
	defer k.roster.give(sealing)
	segments := k.view.Load().segments
	for _, s := range segments[:max(0, len(segments)-1)] {
		if s.offsets != nil {
			_, err := k.indexed(s)
			return err == nil
		}
	}
	return false
}

// seal seals a full segment; those before it are sealed. The duties of sealing and of flushing
// are the caller's, or everybody else is excluded: of a write that failed only one flush of a
// file is told, and one beside it or behind it would say that all is safe.
func (k *sealer) seal(s *segment) error {
	if failed := k.failed.Load(); failed != nil {
		return *failed
	}
	start := time.Now()
	sealed, err := s.seal()
	if err != nil {
		return k.orStop(err)
	}
	took := time.Since(start).Nanoseconds()
	file := sealed.letGo()
	next := k.replace(s, sealed)
	k.metrics.flushTime.Record(took)
	raise(&k.safe, sealed.next()) // all before it are sealed
	k.turn.Give(next)
	if file != nil {
		file.Close() // no flush is under way, and all in it is safe
	}
	return nil
}
