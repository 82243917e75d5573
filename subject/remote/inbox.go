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

// keep handles messages of a packet and keeps those.
func (b *inbox) keep(l *line, packet *remotepb.Packet, handle func() (answers, *remotepb.Packet)) (answers, *remotepb.Packet, error) {
	if b.log == nil {
		a, rest := handle()
		return a, rest, nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err != nil {
		return answers{}, nil, b.err
	}
	a, rest := handle()
	handled := packet.Frames[:len(packet.Frames)-len(rest.Frames)]
	if _, err := b.log.Append(appendEntry(nil, l, packet.Settled, handled)); err != nil {
		b.err = fmt.Errorf("%w: %w", errInbox, err)
		close(b.failed)
	}
	return a, rest, b.err
}

// An entry is the line, as it was before, and the messages: frames of the session and
// of the peer's name, and a number with each.
func appendEntry(to []byte, l *line, settled uint64, frames []byte) []byte {
	to = appendFrame(to, l.next, []byte(l.id))
	to = appendFrame(to, settled, []byte(l.from))
	to = binary.AppendUvarint(to, l.began)
	to = binary.AppendUvarint(to, uint64(l.most))
	if l.once {
		to = append(to, 1)
	} else {
		to = append(to, 0)
	}
	return append(to, frames...)
}

// lineIn is what an entry says of its line, and the messages.
func lineIn(entry []byte) (l *line, packet *remotepb.Packet, err error) {
	packet = new(remotepb.Packet)
	next, id, rest, err := cutFrame(entry)
	if err != nil {
		return nil, nil, err
	}
	settled, from, rest, err := cutFrame(rest)
	if err != nil {
		return nil, nil, err
	}
	began, rest, err := cutVarint(rest)
	if err != nil {
		return nil, nil, err
	}
	most, rest, err := cutVarint(rest)
	if err != nil || len(rest) == 0 {
		return nil, nil, errors.Join(err, errFrame)
	}
	l = newLine(string(id), rest[0] == 1, began, next)
	l.from, l.most = string(from), int(most)
	packet.First, packet.Settled, packet.Frames = next, settled, rest[1:]
	return l, packet, checkFrames(packet.Frames, mostLargest)
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

// again handles what is in an entry.
func (r *receiver) again(ctx context.Context, entry []byte) error {
	was, packet, err := lineIn(entry)
	if err != nil {
		return err
	}
	l, err := r.lines.enter(was.id, was.once, func() *line { return was })
	if err != nil {
		return err
	}
	defer r.lines.leave(l)
	if !l.once || l.began != was.began {
		l.restart(was.began, was.next)
	}
	if l.next != packet.First {
		return fmt.Errorf("%w: message %d stands where %d was due", errProtocol, packet.First, l.next)
	}
	l.from, l.most = was.from, was.most
	for len(packet.Frames) > 0 {
		l.settle(packet.Settled)
		var a answers
		a, packet = r.handle(ctx, l, packet, func() bool { return true })
		l.keep(a)
	}
	return nil
}
