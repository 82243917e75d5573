package commitlog

import (
	"runtime"
	"slices"
	"time"
)

// A batch is the appends that one flush makes safe. Its first one leads it: it
// waits until the flush before is done, and then flushes for all.
type batch struct {
	done chan struct{}
	err  error // after done
}

func newBatch() *batch { return &batch{done: make(chan struct{})} }

// ended reports whether a flush has taken the batch along. File.flushing is held,
// so that none is about to.
func (b *batch) ended() bool {
	select {
	case <-b.done:
		return true
	default:
		return false
	}
}

// commit returns once the batch is safe.
func (f *File) commit(b *batch, leads bool) error {
	if leads {
		f.flushing.Lock()
		if !b.ended() {
			f.linger()
			f.flushNow()
		}
		f.flushing.Unlock()
	}
	<-b.done
	return b.err
}

// A gather says whether it pays to wait for more appends before a flush: those
// whose flush has just returned are about to come back, but callers need not be
// that kind. Guarded by File.flushing.
type gather struct {
	expected uint64        // entries that a flush can hope for: those of the last one, and those that waited then
	took     time.Duration // the last flush
	missed   int           // how often in a row they did not come
	skip     int           // flushes not to wait before
}

const (
	// lingerShare is how much of a flush's time may be spent waiting for what
	// might go into it: one part in so many. A quarter is at times too short
	// for 64 goroutines that append 1 KiB each.
	lingerShare = 2
	// lingerMisses is how often waiting may be in vain before it is left out,
	// for lingerPause flushes.
	lingerMisses = 4
	lingerPause  = 64
)

// linger waits until as many entries want to be flushed as there were callers
// a moment ago.
func (f *File) linger() {
	g := &f.gather
	if g.skip > 0 {
		g.skip--
		return
	}
	deadline := time.Now().Add(g.took / lingerShare)
	for seen, next := uint64(0), f.turn.Next(); next-f.safe.Load() < g.expected; seen, next = next, f.turn.Next() {
		switch {
		case time.Now().After(deadline):
			g.miss()
			return
		case next > seen:
			runtime.Gosched()
		default: // no goroutine came; one may be on a thread that waits for this processor
			f.turn.Leave()
		}
	}
	g.missed = 0
}

func (g *gather) miss() {
	if g.missed++; g.missed >= lingerMisses {
		g.missed, g.skip = 0, lingerPause
	}
}

// A work is what a flush has to do.
type work struct {
	next   uint64 // the entries below will be safe
	pieces []piece
	dirty  []*segment
	names  int
	batch  *batch
}

// flushNow flushes what was appended so far. f.flushing is held.
func (f *File) flushNow() error {
	w := f.takeWork()
	var err error
	if failed := f.failed.Load(); failed != nil {
		err = *failed
	} else if f.gather.took, err = f.timed(func() error { return f.carryOut(w) }); err != nil {
		err = f.stop(err)
	}
	f.finish(w, err)
	return err
}

func (f *File) takeWork() work {
	next := f.turn.Take()
	t := &f.tail
	w := work{next, t.pieces, t.dirty, t.names, t.batch}
	t.batch, t.pieces = nil, nil
	f.ask()
	f.turn.Give(next)
	return w
}

// carryOut writes what waits to be written, and flushes.
func (f *File) carryOut(w work) error {
	for pieces := w.pieces; len(pieces) > 0; {
		n, err := write(pieces)
		if err != nil {
			return err
		}
		pieces = pieces[n:]
	}
	for _, s := range w.dirty {
		if err := flush(s.file); err != nil {
			return err
		}
	}
	if w.names == f.named {
		return nil
	}
	if err := flush(f.dir); err != nil {
		return err
	}
	f.named = w.names
	return nil
}

// write writes the first of the pieces, and those that follow it in a segment
// that is written directly. It returns how many these are.
func write(pieces []piece) (n int, err error) {
	p := pieces[0]
	s := p.segment
	if s.direct == nil {
		_, err = s.file.WriteAt(p.bytes, p.at)
		return 1, err
	}
	for n < len(pieces) && pieces[n].segment == s {
		n++
	}
	return n, s.direct.write(pieces[:n], s.size.Load())
}

// finish ends the batch and notes what is safe.
func (f *File) finish(w work, err error) {
	before := f.safe.Load()
	if err == nil {
		raise(&f.safe, w.next)
		f.metrics.flushed(w.next - min(before, w.next)) // a segment may have been sealed meanwhile
	}
	next := f.turn.Take()
	t := &f.tail
	if err == nil {
		t.clean(w.dirty)
		if f.options.Durability != Always {
			f.mark()
		}
	}
	if n := len(w.pieces); n > 0 && w.pieces[n-1].chunk == nil && cap(w.pieces[n-1].bytes) <= keptBuffer {
		t.idle = w.pieces[n-1].bytes
	}
	f.turn.Give(next)
	f.gather.expected = next - before
	if w.batch != nil {
		w.batch.err = err
		close(w.batch.done)
	}
}

// clean forgets what was dirty when a flush began. To the last one of these
// more may have been added meanwhile.
func (t *tail) clean(flushed []*segment) {
	if n := len(flushed); n > 1 {
		t.dirty = slices.DeleteFunc(slices.Clone(t.dirty), func(s *segment) bool {
			return slices.Contains(flushed[:n-1], s)
		})
	}
}
