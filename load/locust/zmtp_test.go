package locust

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
)

// What libzmq 4.3 sends as a ROUTER: greeting, READY (with an empty identity), and messages.
const (
	routerGreeting = "ff00000000000000017f03014e554c4c00000000000000000000000000000000" + "0000000000000000000000000000000000000000000000000000000000000000"
	routerReady    = "0429" + "05" + "5245414459" + "0b536f636b65742d5479706500000006" + "524f55544552" + "084964656e7469747900000000"
	dealerReady    = "042a" + "05" + "5245414459" + "0b536f636b65742d5479706500000006" + "4445414c4552" + "084964656e7469747900000001" + "78"
)

func unhex(text string) []byte {
	b, err := hex.DecodeString(text)
	if err != nil {
		panic(err)
	}
	return b
}

// peer answers a dealer with these bytes, and returns what it has sent.
func peer(t *testing.T, answer []byte, closes bool) (*dealer, []byte, error) {
	here, there := net.Pipe()
	heard := make(chan []byte, 1)
	go func() {
		var b bytes.Buffer
		io.Copy(&b, there)
		heard <- b.Bytes()
	}()
	go func() {
		there.Write(answer)
		if closes {
			there.Close()
		}
	}()
	d, err := newDealer(here, "x")
	if err == nil {
		t.Cleanup(func() { here.Close() })
		return d, nil, nil
	}
	return nil, <-heard, err
}

func TestHandshake(t *testing.T) {
	long := append([]byte{2, 0, 0, 0, 0, 0, 0, 1, 44}, bytes.Repeat([]byte("z"), 300)...)
	parts := []byte{1, 1, 'p', 0, 1, 'q'} // a message of two frames
	ping := []byte{4, 2, 'h', 'i'}
	d, _, err := peer(t, bytes.Join([][]byte{unhex(routerGreeting + routerReady), {0, 2, 'o', 'k'}, parts, ping, long, {0, 0}}, nil), false)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"ok", strings.Repeat("z", 300), ""} {
		if got, err := d.read(); err != nil || string(got) != want {
			t.Errorf("read %.20q, %v, want %.20q", got, err, want)
		}
	}
}

func TestWhatADealerSends(t *testing.T) {
	here, there := net.Pipe()
	defer there.Close()
	sent := make(chan []byte, 1)
	go func() {
		there.Write(unhex(routerGreeting + routerReady))
	}()
	go func() {
		b := make([]byte, greetingLength+len(unhex(dealerReady))+4+9+256)
		io.ReadFull(there, b)
		sent <- b
	}()
	d, err := newDealer(here, "x")
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(d.send([]byte("hi")), d.send(bytes.Repeat([]byte("y"), 256))); err != nil {
		t.Fatal(err)
	}
	want := bytes.Join([][]byte{greeting(), unhex(dealerReady), {0, 2, 'h', 'i'}, {2, 0, 0, 0, 0, 0, 0, 1, 0}, bytes.Repeat([]byte("y"), 256)}, nil)
	if got := <-sent; !bytes.Equal(got, want) {
		t.Errorf("sent\n%x, want\n%x", got, want)
	}
}

func TestOthersThanMasters(t *testing.T) {
	good := unhex(routerGreeting)
	curve := bytes.Clone(good)
	copy(curve[12:], "CURVE")
	old := bytes.Clone(good)
	old[10] = 2
	for _, c := range []struct {
		name, want string
		answer     []byte
	}{
		{"HTTP", "does not speak ZeroMQ", []byte("HTTP/1.1 400 Bad Request\r\n\r\n" + strings.Repeat(" ", 64))},
		{"silence", "sends no ZeroMQ greeting", nil},
		{"half a greeting", "ZeroMQ greeting: unexpected EOF", good[:20]},
		{"CURVE", `wants authentication, "CURVE"`, curve},
		{"an old ZeroMQ", "before version 4", old},
		{"a message before READY", "handshake: refused", append(bytes.Clone(good), 0, 1, 'x')},
		{"an ERROR", "handshake: refused", append(bytes.Clone(good), "\x04\x0a\x05ERROR\x03bad"...)},
		{"a PUB socket", `type "PUB"`, append(bytes.Clone(good), "\x04\x19\x05READY\x0bSocket-Type\x00\x00\x00\x03PUB"...)},
		{"half a property", "property cut short", append(bytes.Clone(good), "\x04\x0a\x05READY\x0bSoc"...)},
		{"half a value", "property cut short", append(bytes.Clone(good), "\x04\x0e\x05READY\x01A\xff\xff\xff\xffBC"...)},
		{"an endless frame", "a frame of 1099511627776 bytes", append(bytes.Clone(good), 2, 0, 0, 1, 0, 0, 0, 0, 0)},
	} {
		_, _, err := peer(t, c.answer, len(c.answer) < greetingLength)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// A link connects again where a listener is closed and opened anew, and under the name it
// was told last.
func TestLinkConnectsAgain(t *testing.T) {
	first, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := first.Addr().String()
	l := newLink(address, "x")
	defer l.close()
	conn := router(t, first, "x")
	if e := <-l.events(); !e.up {
		t.Fatalf("%+v, want it connected", e)
	}
	if err := l.send([]byte("hi")); err != nil {
		t.Error(err)
	}
	l.drop("y")
	if err := l.send([]byte("hi")); !errors.Is(err, errNotConnected) {
		t.Errorf("sent without a connection: %v", err)
	}
	first.Close()
	conn.Close()
	failed := false
	for range 2 { // the connection's end, and the attempt at another
		failed = (<-l.events()).err != nil
	}
	second, err := net.Listen("tcp", address)
	if err != nil {
		t.Skip("the port is somebody else's by now: ", err)
	}
	defer second.Close()
	go router(t, second, "y")
	for e := range l.events() {
		if e.up {
			break
		}
	}
	if !failed {
		t.Error("nobody was told that nothing listened")
	}
}

// What was sent in part leaves a connection that nothing more can be sent on.
func TestLinkEndsWhatCannotBeSent(t *testing.T) {
	here, there := net.Pipe()
	defer there.Close()
	l := &link{current: &dealer{conn: here}}
	go func() { there.Read(make([]byte, 1)); there.Close() }()
	if err := l.send([]byte("hi")); err == nil {
		t.Error("sent to nobody")
	}
	if _, err := here.Read(nil); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("the connection goes on: %v", err)
	}
}

// router accepts a dealer of a name.
func router(t *testing.T, listener net.Listener, name string) net.Conn {
	conn, err := listener.Accept()
	if err != nil {
		t.Error(err)
		return nil
	}
	conn.Write(unhex(routerGreeting + routerReady))
	in := bufio.NewReader(conn)
	sent := make([]byte, greetingLength+len(unhex(dealerReady)))
	io.ReadFull(in, sent)
	if !bytes.HasSuffix(sent, []byte("\x01"+name)) {
		t.Errorf("connected as %q, want %q", sent[len(sent)-1:], name)
	}
	return conn
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte{0x93, 0xa3, 'a', 'c', 'k', 0xc0, 0xc0})
	f.Add([]byte{0xdd, 0xff, 0xff, 0xff, 0xff})    // a list of four thousand million
	f.Add([]byte("\x890000\x800000"))              // a map as a key
	f.Add(bytes.Repeat([]byte{0x91}, 4*mostDepth)) // lists in lists
	f.Fuzz(func(t *testing.T, frame []byte) {
		m, err := decode(frame)
		if err == nil {
			m.at("index")
			countsOf(m.at("user_classes_count"))
			optionsOf(m)
		}
	})
}
