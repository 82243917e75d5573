package remote

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"

	"github.com/syncwrite/syncwrite/subject/commitlog"
	"github.com/syncwrite/syncwrite/subject/remote/remotepb"
)

// An inbox keeps what was handled, in that order. What is in it was handled, and what is
// not was not, since a handler's memory ends with its process. So after the first error
// nothing is handled any more.
type inbox struct {
	log commitlog.Log // nil if nothing is kept

	mu     sync.Mutex // of what follows; whoever holds it handles
	err    error
	failed chan struct{} // closed when there is one
}

func newInbox(log commitlog.Log) *inbox { return &inbox{log: log, failed: make(chan struct{})} }

var errInbox = errors.New("the inbox failed")

// keep handles messages of a packet, and keeps those that were, also where the handler
// panics: then the others are still to be handled.
func (b *inbox) keep(l *line, packet *remotepb.Packet, done *progress, handle func()) (err error) {
	var entry []byte
	if b.log != nil {
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.err != nil {
			return b.err
		}
		entry = entryOf(l, kindOf(l), packet.Settled, packet.Frames) // as they came: the handler may change them
	}
	defer func() {
		if done.count == 0 {
			return
		}
		if b.log != nil {
			err = b.append(entry[:len(entry)-len(done.rest)])
		}
		if err == nil {
			l.keep(done.answers)
		}
	}()
	handle()
	return nil
}

// note keeps what happens to a session.
func (b *inbox) note(l *line, what kind) error {
	if b.log == nil {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err != nil {
		return b.err
	}
	return b.append(entryOf(l, what, 0, nil))
}

// refuses is why no peer is let in: the inbox has failed. It waits for no handler.
func (b *inbox) refuses() error {
	select {
	case <-b.failed:
		return b.err
	default:
		return nil
	}
}

// append appends an entry. The lock is held.
func (b *inbox) append(entry []byte) error {
	if _, err := b.log.Append(entry); err != nil {
		b.err = fmt.Errorf("%w: %w", errInbox, err)
		close(b.failed)
	}
	return b.err
}

// A kind is what an entry is about.
type kind byte

const (
	handled     kind = iota // messages of a peer that is not remembered
	handledOnce             // those of a session
	begins                  // a session
	forgotten               // is a session
)

func kindOf(l *line) kind {
	if l.once {
		return handledOnce
	}
	return handled
}

// An entry is the line, as it was before, and messages: frames of the session and of the
// peer's name, and a number with each.
func entryOf(l *line, what kind, settled uint64, frames []byte) []byte {
	entry := make([]byte, 0, len(frames)+len(l.id)+len(l.from)+6*binary.MaxVarintLen64)
	entry = appendFrame(entry, l.next, []byte(l.id))
	entry = appendFrame(entry, settled, []byte(l.from))
	entry = binary.AppendUvarint(entry, l.began)
	entry = binary.AppendUvarint(entry, uint64(l.most))
	entry = append(entry, byte(what))
	return append(entry, frames...)
}

// lineIn is what an entry says of its line, and the messages.
func lineIn(entry []byte) (l *line, what kind, packet *remotepb.Packet, err error) {
	next, id, rest, err := cutFrame(entry)
	if err != nil {
		return nil, 0, nil, err
	}
	settled, from, rest, err := cutFrame(rest)
	if err != nil {
		return nil, 0, nil, err
	}
	began, rest, err := cutVarint(rest)
	if err != nil {
		return nil, 0, nil, err
	}
	most, rest, err := cutVarint(rest)
	if err != nil || len(rest) == 0 || rest[0] > byte(forgotten) {
		return nil, 0, nil, errors.Join(err, errFrame)
	}
	what = kind(rest[0])
	l = newLine(string(id), what != handled, began, next)
	l.from, l.most, l.noted = string(from), int(most), true
	if packet = (&remotepb.Packet{First: next, Settled: settled, Frames: rest[1:]}); what <= handledOnce {
		err = checkFrames(packet.Frames, MostLargest)
	}
	return l, what, packet, err
}

// replay handles what is in the inbox.
func (r *receiver) replay(ctx context.Context) error {
	if r.inbox.log == nil {
		return nil
	}
	for index := uint64(0); ; index++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		entry, err := r.inbox.log.Get(index)
		if errors.Is(err, commitlog.ErrNotFound) && !errors.Is(err, commitlog.ErrTruncated) {
			return nil
		}
		if err == nil {
			err = r.again(ctx, entry.Value)
		}
		if err != nil {
			return fmt.Errorf("inbox: entry %d: %w", index, err)
		}
	}
}

// again does what is in an entry. Which sessions there are is as the entries say: what was
// remembered is, whoever has sent least.
func (r *receiver) again(ctx context.Context, entry []byte) error {
	was, what, packet, err := lineIn(entry)
	if err != nil {
		return err
	}
	l := r.lines.all[was.id]
	if l != nil && what != handled {
		r.lines.drop(l)
	}
	switch {
	case what == forgotten:
		return nil
	case what == begins:
		r.lines.put(was, true)
		return nil
	case what == handled:
		l = was
	case l == nil || l.began != was.began || l.next != packet.First:
		return fmt.Errorf("%w: message %d of a session that began with %d is not due", errProtocol, packet.First, was.began)
	default:
		r.lines.put(l, false) // heard of last
	}
	l.from, l.most = was.from, was.most
	for frames := packet.Frames; len(frames) > 0; {
		l.settle(packet.Settled)
		done := progress{answers{first: l.next}, frames}
		r.handle(ctx, l, &done, func() bool { return true })
		l.keep(done.answers)
		frames = done.rest
	}
	return nil
}
