package commitlog

import (
	"io"
	"slices"
)

// A sealer ends segments that are full.
type sealer struct {
	*core
	*flusher
	helper
	over []io.Closer // files of segments that do without them now; of who seals
}

// sealAll writes tables for what is full, and seals it when it is time.
func (k *sealer) sealAll() {
	for k.indexOldest() && !k.stopped() {
	}
	for k.sealable() && !k.stopped() {
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

// sealable reports whether it is time to seal a segment. Sealing flushes it: a
// log that leaves this to the system keeps a number of them unsealed.
func (k *sealer) sealable() bool {
	if k.options.Durability == None {
		return k.unsealed() > k.options.backlog/2
	}
	return k.unsealed() > 0
}

// sealOldest seals the first segment that is full and was not sealed. It
// reports false if there is none.
func (k *sealer) sealOldest() (found bool, err error) {
	k.roster.take(sealing)
	defer k.roster.give(sealing)
	if err := k.usable(); err != nil {
		return false, err
	}
	found, err = k.sealNext()
	k.roster.take(flushing) // a flush may have begun with them
	k.closeOver()
	k.roster.give(flushing)
	return found, err
}

// closeOver closes files that nobody uses any more; all in them is safe.
func (k *sealer) closeOver() {
	for _, file := range k.over {
		file.Close()
	}
	k.over = nil
}

// sealNext is sealOldest while the duty of sealing is the caller's.
func (k *sealer) sealNext() (found bool, err error) {
	segments := k.view.Load().segments
	i := slices.IndexFunc(segments, func(s *segment) bool { return !s.sealed })
	if i < 0 || i == len(segments)-1 {
		return false, nil
	}
	return true, k.orStop(k.seal(segments[i]))
}

// indexOldest writes the table of the first full segment that has none. It
// reports false if there is none, or no space for it.
func (k *sealer) indexOldest() bool {
	k.roster.take(sealing)
	defer k.roster.give(sealing)
	segments := k.view.Load().segments
	for _, s := range segments[:max(0, len(segments)-1)] {
		if s.offsets != nil {
			indexed, err := s.index()
			if err == nil {
				k.turn.Give(k.replace(s, indexed))
			}
			return err == nil
		}
	}
	return false
}

// seal seals a segment that no entry is added to any more; those before it are
// sealed. The duty of sealing is the caller's.
func (k *sealer) seal(s *segment) error {
	if failed := k.failed.Load(); failed != nil {
		return *failed
	}
	if k.options.Durability == Always && k.safe.Load() < s.next() { // records may still wait to be written
		if err := k.flush(s.next()); err != nil {
			return err
		}
	}
	if s.offsets != nil {
		indexed, err := s.index()
		if err != nil {
			return err
		}
		k.turn.Give(k.replace(s, indexed))
		s = indexed
	}
	var sealed *segment
	err := k.timed(func() (err error) {
		sealed, err = s.seal(func() error { return flush(k.dir) })
		return err
	})
	if err != nil {
		return err
	}
	k.over = append(k.over, sealed.letGo())
	next := k.replace(s, sealed)
	raise(&k.safe, sealed.next())
	t := &k.tail
	t.sealed, t.marked = sealed.next(), max(t.marked, sealed.next())
	k.turn.Give(next)
	return nil
}
