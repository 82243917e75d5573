package experiments

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/subject/commitlog"
	"github.com/syncwrite/syncwrite/subject/remote"
)

// A posting is one trial of messages to a receiver.
type posting struct {
	wire
	size    int
	senders []*sender
	one     bool // all send as the first one
	turn    sync.Mutex
	here    bool // the receiver is
	sendsOn bool // nobody waits for answers

	// What has come back of messages that nobody waits for, and where that is read.
	events   sync.WaitGroup
	told     atomic.Int64
	notTold  atomic.Pointer[remote.Event] // one that was not answered
	stop     func()
	receiver sync.WaitGroup
	ended    error

	// The receiver's, under its lock: each sender's last message, and what was odd.
	seen struct {
		sync.Mutex
		last  []uint32
		total int
		odd   error
	}
}

// leastMessage has room for its sender, its number and whether the receiver looks.
const leastMessage = 16

// A sender numbers its messages.
type sender struct {
	from, number uint32
	_            [128]byte // no two senders on one cache line
}

func newPosting(s harness.Setup, one bool) *posting {
	p := &posting{one: one, stop: func() {}}
	p.size, _ = strconv.Atoi(s.Factors[sizeFactor]) // checked before the run began
	p.seen.last = make([]uint32, s.Goroutines)
	return p
}

// receive serves a receiver, and returns where.
func (p *posting) receive(s harness.Setup, w ways) (endpoint string, err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	ctx, stop := context.WithCancel(context.Background())
	var options remote.ServiceOptions
	closeInbox := func() error { return nil }
	if w.inbox {
		log, err := commitlog.OpenFile(filepath.Join(s.Dir, "inbox"), commitlog.FileOptions{})
		if err != nil {
			stop()
			return "", errors.Join(err, listener.Close())
		}
		options.Inbox, closeInbox = log, log.Close
	}
	p.stop, p.here = stop, true
	p.receiver.Go(func() {
		defer stop()
		var served error
		if w.raw {
			served = serveRaw(ctx, listener, p.look)
		} else {
			served = remote.Serve(ctx, listener, p.handle, options)
		}
		if errors.Is(served, context.Canceled) {
			served = nil
		}
		p.ended = errors.Join(served, closeInbox())
	})
	return listener.Addr().String(), nil
}

func (p *posting) handle(_ context.Context, _ string, m remote.Message) ([]byte, error) {
	p.look(m.Payload)
	return m.Payload, nil
}

// look holds a message to its sender's last one.
func (p *posting) look(payload []byte) {
	from, number := binary.LittleEndian.Uint32(payload), binary.LittleEndian.Uint32(payload[4:])
	p.seen.Lock()
	defer p.seen.Unlock()
	p.seen.total++
	switch {
	case int(from) >= len(p.seen.last):
		p.seen.odd = fmt.Errorf("a message of sender %d", from)
	case number != p.seen.last[from]+1:
		p.seen.odd = fmt.Errorf("message %d of sender %d came behind its %d", number, from, p.seen.last[from])
		p.seen.last[from] = number
	default:
		p.seen.last[from] = number
	}
}

func (p *posting) newSender(g int) *sender {
	if p.one && len(p.senders) > 0 {
		return p.senders[0]
	}
	s := &sender{from: uint32(g)}
	p.senders = append(p.senders, s)
	return s
}

func (p *posting) message(s *sender) remote.Message {
	s.number++
	payload := make([]byte, p.size)
	binary.LittleEndian.PutUint32(payload, s.from)
	binary.LittleEndian.PutUint32(payload[4:], s.number)
	return remote.Message{Type: 1, Payload: payload}
}

var errAnswer = errors.New("the answer to another message")

// awaiting sends and waits for the answer. Where all send as one, that one waits.
func (p *posting) awaiting(g int) harness.Operation {
	s, ctx := p.newSender(g), context.Background()
	return func() error {
		if p.one {
			p.turn.Lock()
			defer p.turn.Unlock()
		}
		m := p.message(s)
		answer, err := p.Request(ctx, m)
		if err == nil && string(answer) != string(m.Payload) {
			err = errAnswer
		}
		return err
	}
}

// sending sends on.
func (p *posting) sending(g int) harness.Operation {
	s, ctx := p.newSender(g), context.Background()
	return func() error {
		if p.one {
			p.turn.Lock()
			defer p.turn.Unlock()
		}
		return p.Send(ctx, p.message(s))
	}
}

// dispatch reads what becomes of messages that nobody waits for.
func (p *posting) dispatch() {
	p.sendsOn = true
	p.events.Go(func() {
		p.Events(context.Background(), func(events []remote.Event) error { // ends when the wire is closed
			for i := range events {
				if e := &events[i]; e.Err != nil || string(e.Answer) != string(e.Message.Payload) {
					odd := *e
					p.notTold.Store(&odd)
				}
			}
			p.told.Add(int64(len(events)))
			return nil
		})
	})
}

// finish waits until every message was answered, and its event handled.
func (p *posting) finish() error {
	err := p.wire.Close(context.Background())
	p.events.Wait()
	p.wire = nil
	return err
}

func (p *posting) check(ops int) error {
	p.seen.Lock()
	defer p.seen.Unlock()
	switch odd := p.notTold.Load(); {
	case odd != nil && odd.Err != nil:
		return odd.Err
	case odd != nil:
		return errAnswer
	case p.seen.odd != nil:
		return p.seen.odd
	case p.sendsOn && p.told.Load() != int64(ops):
		return fmt.Errorf("%d events of %d messages", p.told.Load(), ops)
	case p.here && p.seen.total != ops:
		return fmt.Errorf("the receiver saw %d of %d messages", p.seen.total, ops)
	}
	return nil
}

// close ends what finish has left.
func (p *posting) close() error {
	var err error
	if p.wire != nil {
		err = p.finish()
	}
	p.stop()
	p.receiver.Wait()
	return errors.Join(err, p.ended)
}
