package experiments

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"net/url"
	"sync"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/syncwrite/syncwrite/subject/actor"
	"github.com/syncwrite/syncwrite/subject/remote"
	"github.com/syncwrite/syncwrite/subject/remote/remotepb"
)

// A straightWire is the documents' messenger, written as one writes it: a goroutine takes
// messages from a Go channel and sends each on its own. In sync it waits for the answer,
// else a listener receives them. It keeps no account, knows no other link, and speaks to
// the same receiver as a peer.
type straightWire struct {
	conn    *grpc.ClientConn
	stream  grpc.BidiStreamingClient[remotepb.Packet, remotepb.Packet]
	mailbox chan straightCall
	sent    chan straightCall // and not answered
	events  *actor.Buffer[remote.Event]
	waiters sync.Pool // of chan []byte
	works   sync.WaitGroup
	err     error // of whoever has ended it first
	ended   chan struct{}
	once    sync.Once
}

type straightCall struct {
	remote.Message
	answer chan []byte // has room for one; nil if nobody waits
}

// dialStraight connects. Sync is with nothing in flight besides the message at hand.
func dialStraight(ctx context.Context, endpoint string, mailbox int, sync bool) (wire, error) {
	conn, err := grpc.NewClient("passthrough:///"+url.PathEscape(endpoint), grpc.WithTransportCredentials(insecure.NewCredentials()), grpc.WithNoProxy()) // as a peer has none
	if err != nil {
		return nil, err
	}
	w := &straightWire{conn: conn, mailbox: make(chan straightCall, mailbox), sent: make(chan straightCall, manyInFlight),
		events: actor.NewBuffer(actor.Options[remote.Event]{Capacity: mailbox}), ended: make(chan struct{})}
	w.waiters.New = func() any { return make(chan []byte, 1) }
	if w.stream, err = remotepb.NewRemoteClient(conn).Connect(ctx); err == nil {
		err = w.greet()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("dial %s: %w", endpoint, err), conn.Close())
	}
	w.works.Go(func() { w.send(sync) })
	w.works.Go(w.listen)
	return w, nil
}

func (w *straightWire) greet() error {
	session := make([]byte, 16)
	rand.Read(session) // never fails
	if err := w.stream.Send(&remotepb.Packet{Hello: &remotepb.Hello{Version: 1, Session: session, Began: 1, Next: 1, Largest: 1 << 20}}); err != nil {
		return err
	}
	_, err := w.stream.Recv()
	return err
}

func (w *straightWire) Send(_ context.Context, m remote.Message) error {
	return w.put(straightCall{Message: m})
}

func (w *straightWire) Request(_ context.Context, m remote.Message) ([]byte, error) {
	answer := w.waiters.Get().(chan []byte)
	if err := w.put(straightCall{m, answer}); err != nil {
		return nil, err
	}
	select {
	case text := <-answer:
		w.waiters.Put(answer)
		return text, nil
	case <-w.ended:
		return nil, w.failure()
	}
}

// failure is why the stream has ended, which it has.
func (w *straightWire) failure() error { return fmt.Errorf("%w: %w", errRaw, w.err) }

func (w *straightWire) put(c straightCall) error {
	select {
	case w.mailbox <- c:
		return nil
	case <-w.ended:
		return w.failure()
	}
}

func (w *straightWire) Events(ctx context.Context, handle func([]remote.Event) error) error {
	return w.events.Receive(ctx, handle)
}

func (w *straightWire) Close(context.Context) error {
	close(w.mailbox) // nobody sends any more
	w.works.Wait()
	w.events.Close()
	return errors.Join(w.err, w.conn.Close())
}

func (w *straightWire) end(err error) {
	w.once.Do(func() {
		w.err = err
		close(w.ended)
	})
}

func (w *straightWire) send(sync bool) {
	defer close(w.sent)
	number := uint64(0)
	for c := range w.mailbox {
		number++
		err := w.stream.Send(&remotepb.Packet{First: number, Frames: frameOf(c.Message)})
		switch {
		case err != nil:
		case sync:
			err = w.receive(c)
		default:
			w.sent <- c
		}
		if err != nil {
			w.end(err)
			return
		}
	}
}

func frameOf(m remote.Message) []byte {
	frame := binary.AppendUvarint(make([]byte, 0, len(m.Payload)+6), uint64(m.Type))
	frame = binary.AppendUvarint(frame, uint64(len(m.Payload)))
	return append(frame, m.Payload...)
}

func (w *straightWire) listen() {
	for c := range w.sent {
		if err := w.receive(c); err != nil {
			w.end(err)
			for range w.sent { // until the messenger has ended, too
			}
		}
	}
}

// receive dispatches the answer to a message.
func (w *straightWire) receive(c straightCall) error {
	packet, err := w.stream.Recv()
	if err != nil {
		return err
	}
	size := len(c.Payload) // an echo is as long
	if len(packet.Frames) < size {
		return errAnswer
	}
	answer := packet.Frames[len(packet.Frames)-size:]
	if c.answer != nil {
		c.answer <- answer
		return nil
	}
	return w.events.Put(context.Background(), remote.Event{Message: c.Message, Answer: answer})
}
