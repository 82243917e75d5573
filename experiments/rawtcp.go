package experiments

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"sync"

	"github.com/syncwrite/syncwrite/subject/actor"
	"github.com/syncwrite/syncwrite/subject/remote"
)

// A rawWire sends what waits in a mailbox as frames of a length and so many bytes over
// TCP, and takes the answers off in the same order. It keeps no account of what is lost:
// it tells what gRPC and the accounts cost, and is nothing to be used.
type rawWire struct {
	conn   net.Conn
	outbox *actor.Buffer[rawCall]
	events *actor.Buffer[remote.Event]
	asker  *actor.Asker[rawCall, remote.Message, []byte]
	sent   chan []rawCall // in the order of their frames
	works  sync.WaitGroup
	err    error // of whoever has ended it first
	once   sync.Once
}

type rawCall struct {
	remote.Message
	actor.Reply[[]byte]
	asked bool
}

const rawBuffer = 64 << 10

func dialRaw(ctx context.Context, endpoint string, mailbox int) (wire, error) {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", endpoint)
	if err != nil {
		return nil, err
	}
	w := &rawWire{conn: conn,
		outbox: actor.NewBuffer(actor.Options[rawCall]{Capacity: mailbox}),
		events: actor.NewBuffer(actor.Options[remote.Event]{Capacity: mailbox}),
		sent:   make(chan []rawCall, packetsInFlight),
	}
	w.asker = actor.NewAsker(w.outbox, func(m remote.Message, reply actor.Reply[[]byte]) rawCall {
		return rawCall{m, reply, true}
	})
	w.works.Go(func() {
		defer close(w.sent)
		if err := w.write(); err != nil {
			w.end(err)
			w.outbox.Receive(context.Background(), w.refuse)
		}
	})
	w.works.Go(func() {
		if err := w.read(); err != nil {
			w.end(err)
			for calls := range w.sent {
				w.refuse(calls)
			}
		}
	})
	return w, nil
}

// end notes why the first one has ended. After an error nothing is sent any more, and who
// waits is told so.
func (w *rawWire) end(err error) {
	w.once.Do(func() { w.err = err })
	if err != nil {
		w.outbox.Close()
		w.conn.Close()
	}
}

func (w *rawWire) Send(ctx context.Context, m remote.Message) error {
	return w.outbox.Put(ctx, rawCall{Message: m})
}

func (w *rawWire) Request(ctx context.Context, m remote.Message) ([]byte, error) {
	return w.asker.Ask(ctx, m)
}

func (w *rawWire) Events(ctx context.Context, handle func([]remote.Event) error) error {
	return w.events.Receive(ctx, handle)
}

func (w *rawWire) Close(context.Context) error {
	w.outbox.Close()
	w.works.Wait()
	w.events.Close()
	return errors.Join(w.err, w.conn.Close())
}

func (w *rawWire) refuse(calls []rawCall) error {
	for _, c := range calls {
		if c.asked {
			c.Reply.Refuse(errRaw)
		}
	}
	return nil
}

var errRaw = errors.New("the connection has ended")

func (w *rawWire) write() error {
	out := bufio.NewWriterSize(w.conn, rawBuffer)
	return w.outbox.Receive(context.Background(), func(run []rawCall) error {
		w.sent <- append([]rawCall(nil), run...)
		for _, c := range run {
			if err := writeFrame(out, c.Payload); err != nil {
				return err
			}
		}
		return out.Flush()
	})
}

func (w *rawWire) read() error {
	in := bufio.NewReaderSize(w.conn, rawBuffer)
	for calls := range w.sent {
		events := make([]remote.Event, 0, len(calls))
		for i, c := range calls {
			answer, err := readFrame(in)
			switch {
			case err != nil:
				w.refuse(calls[i:])
				return err
			case c.asked:
				c.Reply.Send(answer) // if nobody waits any more, nobody need be told
			default:
				events = append(events, remote.Event{Message: c.Message, Answer: answer})
			}
		}
		if _, err := w.events.PutAll(context.Background(), events); err != nil {
			return err
		}
	}
	return nil
}

// serveRaw answers every frame of one connection with itself.
func serveRaw(ctx context.Context, listener net.Listener, look func(payload []byte)) error {
	defer listener.Close()
	stop := context.AfterFunc(ctx, func() { listener.Close() })
	conn, err := listener.Accept()
	if stop(); err != nil {
		return ctx.Err()
	}
	defer conn.Close()
	in, out := bufio.NewReaderSize(conn, rawBuffer), bufio.NewWriterSize(conn, rawBuffer)
	for {
		payload, err := readFrame(in)
		if err != nil {
			return onlyEnded(err)
		}
		look(payload)
		if err := writeFrame(out, payload); err != nil {
			return err
		}
		if in.Buffered() == 0 {
			if err := out.Flush(); err != nil {
				return err
			}
		}
	}
}

func onlyEnded(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

func writeFrame(out *bufio.Writer, payload []byte) error {
	var head [4]byte
	binary.LittleEndian.PutUint32(head[:], uint32(len(payload)))
	out.Write(head[:]) // its error is that of the next one
	_, err := out.Write(payload)
	return err
}

func readFrame(in *bufio.Reader) ([]byte, error) {
	var head [4]byte
	if _, err := io.ReadFull(in, head[:]); err != nil {
		return nil, err
	}
	payload := make([]byte, binary.LittleEndian.Uint32(head[:]))
	_, err := io.ReadFull(in, payload)
	return payload, err
}
