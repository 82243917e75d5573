package commitlog

import (
	"context"
	"errors"
	"fmt"
	"iter"
)

// readBlock is how much of a segment a Reader reads at once.
const readBlock = 128 << 10

// A Reader reads the entries of a File in order, in large pieces, which entries share:
// one that is kept keeps up to 128 KiB of memory. It may be used by one goroutine at
// a time; a log may have any number of readers, and writers beside them.
type Reader struct {
	log   *File
	next  uint64
	epoch int

	at    place  // of the block's first entry
	block []byte // its unread part
}

// NewReader returns a reader whose first entry is the one at index from, which
// need not have been appended yet.
func (f *File) NewReader(from uint64) *Reader {
	return &Reader{log: f, next: from, epoch: len(f.view.Load().cuts)}
}

// Entries returns the entries from index from on, in order, those included
// that are appended while they are read. It ends behind the last one. Where
// reading fails it yields the error, as Get would return it, and ends.
func (f *File) Entries(from uint64) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		r := f.NewReader(from)
		for {
			entry, err := r.read()
			if errors.Is(err, ErrNotFound) && !errors.Is(err, ErrTruncated) {
				return
			}
			if !yield(entry, err) || err != nil {
				return
			}
		}
	}
}

// Next returns the next entry and waits until there is one. It returns the
// context's error, ErrClosed once the log is closed, ErrTruncated if the entry
// was truncated, or what Get would return; then the next call tries the same
// entry again.
//
// A TruncateSuffix that ends the log before the entry that is due ends the
// reader: every later call returns ErrTruncated, until the log is closed.
func (r *Reader) Next(ctx context.Context) (Entry, error) {
	for {
		entry, err := r.read()
		if !errors.Is(err, ErrNotFound) || errors.Is(err, ErrTruncated) {
			return entry, err
		}
		if err := r.log.news.Await(ctx, r.ready); err != nil {
			return Entry{}, fmt.Errorf("wait for entry %d: %w", r.next, err)
		}
	}
}

// ready reports whether read would return something else than that there is no
// such entry yet.
func (r *Reader) ready() bool {
	_, err := r.log.locate(r.next)
	return !errors.Is(err, ErrNotFound) || errors.Is(err, ErrTruncated) || r.cutOff()
}

// cutOff reports whether the log's end was cut off before the entry that is
// due.
func (r *Reader) cutOff() bool {
	cuts := r.log.view.Load().cuts
	for _, cut := range cuts[r.epoch:] {
		if cut < r.next {
			return true
		}
	}
	r.epoch = len(cuts)
	return false
}

// read returns the next entry. If the log's end is cut off meanwhile, what was found
// may stand behind other entries than those that were read before: then it is looked
// for again, unless that ends the reader. An entry that was found, in the block or in
// a file, may have been truncated from the front since the block was read.
func (r *Reader) read() (Entry, error) {
	for {
		if r.log.view.Load().closed {
			return Entry{}, getError(r.next, ErrClosed)
		}
		if r.cutOff() {
			return Entry{}, getError(r.next, ErrTruncated)
		}
		if r.at.epoch != r.epoch {
			r.block = nil
		}
		entry, err := r.find()
		now := r.log.view.Load()
		if len(now.cuts) != r.epoch {
			r.block = nil
			continue
		}
		if r.next < now.manifest.first {
			r.block = nil
			return Entry{}, getError(r.next, ErrTruncated)
		}
		if err == nil {
			r.next++
		}
		return entry, err
	}
}

// find returns the next entry, from the block if it is there.
func (r *Reader) find() (Entry, error) {
	if entry, ok := r.fromBlock(); ok {
		return entry, nil
	}
	if r.load() {
		if entry, ok := r.fromBlock(); ok {
			return entry, nil
		}
	}
	r.block = nil
	return r.log.Get(r.next) // a large entry, or one that cannot be read
}

// fromBlock parses the next entry. What was not yet
// shown when the block was read is left alone.
func (r *Reader) fromBlock() (Entry, bool) {
	if r.next < r.at.visible {
		rec, ok := parseRecord(r.at.segment.seed, r.next, r.block)
		if !ok || rec.lost() {
			return Entry{}, false
		}
		r.block = r.block[rec.record():]
		return Entry{Index: r.next, Value: rec.value}, true
	}
	return Entry{}, false
}

// load reads a block that starts with the next entry. It reports false if
// there is none, and where an error stood in the way: Get will say which.
func (r *Reader) load() bool {
	p, err := r.log.locate(r.next)
	if err != nil {
		return false
	}
	r.at = p
	r.at.visible = min(p.visible, p.segment.until)
	off, limit, err := p.segment.place(r.next)
	if err == nil && p.segment.offsets != nil { // behind what was shown is space for more
		limit, err = p.segment.endOf(r.at.visible-1, limit)
	}
	if err != nil || !mayStart(off, limit) {
		return false
	}
	// Its values are given away: a new one each time.
	r.block, err = p.segment.bytes(off, min(readBlock, limit-off))
	return err == nil
}
