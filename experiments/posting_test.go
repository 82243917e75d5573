package experiments

import (
	"context"
	"net"
	"strconv"
	"testing"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/subject/remote"
)

func postingOf(goroutines int) *posting {
	return newPosting(harness.Setup{Goroutines: goroutines, Factors: map[string]string{sizeFactor: "16"}}, false)
}

// Messages that the receiver has not seen, has seen twice or out of order, and events that
// were not told, are found.
func TestPostingIsChecked(t *testing.T) {
	const ops = 3
	for name, c := range map[string]struct {
		change func(p *posting)
		fails  bool
	}{
		"all":               {func(*posting) {}, false},
		"none seen":         {func(p *posting) { p.seen.total = 0 }, true},
		"one seen twice":    {func(p *posting) { p.look(p.message(&sender{from: 0, number: 2}).Payload) }, true},
		"one passed over":   {func(p *posting) { p.look(p.message(&sender{from: 0, number: 5}).Payload) }, true},
		"of nobody":         {func(p *posting) { p.look(p.message(&sender{from: 7}).Payload) }, true},
		"one more":          {func(p *posting) { p.look(p.message(&sender{from: 0, number: ops}).Payload) }, true},
		"no event":          {func(p *posting) { p.sendsOn = true }, true},
		"an event too few":  {func(p *posting) { p.sendsOn = true; p.told.Store(ops - 1) }, true},
		"all events":        {func(p *posting) { p.sendsOn = true; p.told.Store(ops) }, false},
		"one lost":          {func(p *posting) { p.notTold.Store(&remote.Event{Err: errAnswer}) }, true},
		"seen nowhere here": {func(p *posting) { p.here, p.seen.total = false, 0 }, false},
	} {
		p := postingOf(1)
		p.here = true
		s := &sender{}
		for range ops {
			p.look(p.message(s).Payload)
		}
		c.change(p)
		if err := p.check(ops); (err != nil) != c.fails {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Who waits at a raw connection whose other side goes away is told.
func TestRawWireEnds(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	w, err := dialRaw(t.Context(), listener.Addr().String(), 4)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	asked := make(chan error)
	go func() {
		_, err := w.Request(context.Background(), remote.Message{Payload: []byte("x")})
		asked <- err
	}()
	if _, err := conn.Read(make([]byte, 5)); err != nil {
		t.Fatal(err)
	}
	conn.Close()
	if err := <-asked; err == nil {
		t.Error("answered")
	}
	if err := w.Close(t.Context()); err == nil {
		t.Error("closed without a word")
	}
}

// An address with a zone is dialled as it is.
func TestStraightWireToAZone(t *testing.T) {
	listener, err := net.Listen("tcp", "[::1]:0")
	if err != nil {
		t.Skip(err) // a machine without IPv6
	}
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error)
	go func() {
		served <- remote.Serve(ctx, listener, func(_ context.Context, _ string, m remote.Message) ([]byte, error) { return m.Payload, nil }, remote.ServiceOptions{})
	}()
	w, err := dialSync(t.Context(), "[::1%lo]:"+strconv.Itoa(listener.Addr().(*net.TCPAddr).Port), 4)
	if err != nil {
		t.Error(err)
	} else if err := w.Close(t.Context()); err != nil {
		t.Error(err)
	}
	stop()
	<-served
}
