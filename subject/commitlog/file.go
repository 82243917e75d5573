package commitlog

import (
	"fmt"
	"io"
	"time"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/disk"
)

// File is a log in a directory of segments. Order total, result linearizable,
// survives what its Durability says. One File at a time has a directory open
// for writing. It holds the directory that it opened: if that is moved, the log goes
// with it, and what is put in its place is left alone. A name that was relative is
// that of the working directory at opening; messages have it as it was given.
//
// An append that finds no space is undone and the log goes on, so that a full
// disk is an error like any other, and so is a moment without file descriptors.
// If the disk fails in another way to take an entry, to flush, or to give the manifest its name, nobody
// knows what it holds: from then on every Append returns that error until the log is
// opened anew, while Get keeps serving what was acknowledged. Entries whose flush failed
// may be there after reopening, or not. Another call that fails is an error of its own.
type File struct {
	core
	flusher
	roller
	sealer
	unfinished
	cutter
	lock     io.Closer
	recovery Recovery
}

// newFile takes what opening has found, and the lock. If it fails, it closes both.
func newFile(in *inspection, lock io.Closer, options FileOptions) (*File, error) {
	f := &File{core: core{dir: in.dir, options: options}, lock: lock, recovery: in.cut}
	if err := f.begin(in); err != nil {
		return nil, both(err, both(in.close(), lock.Close()))
	}
	f.flusher.core = &f.core
	f.unfinished.flusher, f.roller.flusher, f.sealer.flusher = &f.flusher, &f.flusher, &f.flusher
	f.cutter.unfinished = &f.unfinished
	return f, nil
}

// begin takes what opening has found. What there is to do before entries can be added is
// left.
func (c *core) begin(in *inspection) error {
	c.mapped.Store(!c.durable() && !c.options.written && c.dir.Mappable(c.options.SegmentSize))
	c.roster.init()
	c.view.Store(&view{manifest: in.manifest, segments: in.segments})
	c.number, c.again = in.number, in.active()
	if c.again == nil && in.cutsOff() {
		c.ending, c.dropped = true, in.dropped
		for _, s := range in.segments {
			s.until = min(s.until, in.next)
		}
	}
	c.turn.Give(in.next)
	c.shown.Store(in.next)
	safe, all := in.manifest.first, true
	for _, s := range in.segments {
		if all || s.sealed { // that vouches for all before
			safe = max(safe, s.proven(in.manifest.known))
		}
		all = safe >= s.next()
		if err := s.unpark(); err != nil {
			return err
		}
	}
	c.safe.Store(min(safe, in.next))
	c.tail.flagged = in.next
	c.rest.Store(true)
	return nil
}

// unpark has the segment's file open for good, or mapped and closed where that will do.
func (s *segment) unpark() error {
	parked := s.file.(*disk.Parked)
	file, err := parked.Opened()
	if err != nil {
		return err
	}
	s.file = file
	s.mapForReads()
	if file := s.letGo(); file != nil {
		return file.Close()
	}
	return nil
}

// start has what can be done beside the appends done.
func (f *File) start() {
	if f.options.Durability == Interval {
		attend(&f.ticker, time.NewTicker(f.options.Interval).C, func() { f.flushAll() }) // a full disk is the appends' to tell
	}
	if !f.options.alone {
		f.roller.start(f.goAhead)
		f.roller.namer.start(f.goAheadSpare)
		f.sealer.start(f.sealAll)
		f.sealer.poke()
	}
}

// Recovery tells what opening found at the end of the log and cut off.
func (f *File) Recovery() Recovery { return f.recovery }

// First returns the index of the first entry that was not truncated; of the
// next one to be appended if there is none.
func (f *File) First() uint64 { return f.view.Load().manifest.first }

// Next returns the index behind the last entry that Get shows.
func (f *File) Next() uint64 {
	if f.mapped.Load() {
		return f.turn.Next()
	}
	return f.shown.Load()
}

// Sync returns once everything that was appended before survives a power cut. Where
// opening had no space to make that safe, Sync tries again.
func (f *File) Sync() error {
	err := f.finish()
	if err == nil {
		err = f.usable()
	}
	if err == nil {
		err = f.flushAll()
	}
	if err != nil {
		return fmt.Errorf("sync log: %w", err)
	}
	return nil
}
