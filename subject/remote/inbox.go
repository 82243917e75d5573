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

// An inbox keeps the packets that were handled, in that order. What is in it was
// handled, and what is not was not, since a handler's memory ends with its process. So
// after the first error nothing is handled any more.
type inbox struct {
	log commitlog.Log // nil if nothing is kept

	mu     sync.Mutex // of what follows; whoever holds it handles
	err    error
	failed chan struct{} // closed when there is one
}

func newInbox(log commitlog.Log) *inbox { return &inbox{log: log, failed: make(chan struct{})} }

var errInbox = errors.New("the inbox failed")

// keep handles a packet and keeps it.
func (b *inbox) keep(l *line, packet *remotepb.Packet, handle func() []answers) ([]answers, error) {
	if b.log == nil {
		return handle(), nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err != nil {
		return nil, b.err
	}
	all := handle()
	if _, err := b.log.Append(entryOf(l, packet)); err != nil {
		b.err = fmt.Errorf("%w: %w", errInbox, err)
		close(b.failed)
	}
	return all, b.err
}

// An entry is a packet and whose it is.
func entryOf(l *line, packet *remotepb.Packet) []byte {
	entry := make([]byte, 0, len(packet.Frames)+len(l.session)+len(l.from)+4*binary.MaxVarintLen64)
	entry = appendFrame(entry, packet.First, []byte(l.session))
	entry = appendFrame(entry, packet.Settled, []byte(l.from))
	return append(entry, packet.Frames...)
}

func packetIn(entry []byte) (session, from string, packet *remotepb.Packet, err error) {
	first, s, rest, err := cutFrame(entry)
	if err != nil {
		return "", "", nil, err
	}
	settled, f, rest, err := cutFrame(rest)
	if err != nil {
		return "", "", nil, err
	}
	return string(s), string(f), &remotepb.Packet{First: first, Settled: settled, Frames: rest}, nil
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
		if errors.Is(err, commitlog.ErrTruncated) {
			return fmt.Errorf("inbox: %w", err)
		}
		if errors.Is(err, commitlog.ErrNotFound) {
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

// again handles a packet that is in the inbox.
func (r *receiver) again(ctx context.Context, entry []byte) error {
	session, from, packet, err := packetIn(entry)
	if err != nil {
		return err
	}
	messages, err := messagesOf(packet.Frames, mostLargest)
	if err != nil {
		return err
	}
	l := r.lineOf(session, packet.First, false)
	if l.next != packet.First {
		return fmt.Errorf("%w: message %d stands where %d was due", errProtocol, packet.First, l.next)
	}
	l.from = from
	l.settle(packet.Settled)
	return l.keep(r.handle(ctx, l, messages, r.options.Largest))
}
