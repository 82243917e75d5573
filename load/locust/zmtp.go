package locust

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"time"
)

// This file is as much of ZMTP 3.0 (rfc.zeromq.org/spec/23) as a DEALER socket needs, over
// one connection, without authentication. github.com/go-zeromq/zmq4 v0.17.0 was tried in its
// place: while a master restarts its Send answers nil for what is lost, and its Dial of a
// port of HTTP does not return.

const (
	greetingLength = 64
	handshaking    = 3 * time.Second // as long as a handshake may take
	writing        = 5 * time.Second // and a message, until its receiver has it or its system
	mostFrame      = 16 << 20        // bytes
)

// Flags of a frame.
const (
	more    = 1 << iota
	long    // the size has eight bytes
	command // and is no message
)

// errForeign says that something else listens there, and errMute that it may.
var (
	errForeign = errors.New("it does not speak ZeroMQ; a master's port for workers is 5557 by default, and not that of its page")
	errMute    = errors.New("what listens there sends no ZeroMQ greeting: is it the port of an HTTP server, such as Locust's page?")
)

// A dealer is a connection after its handshake.
type dealer struct {
	conn net.Conn
	in   *bufio.Reader
}

// newDealer shakes hands over a connection; without success it closes it.
func newDealer(conn net.Conn, identity string) (d *dealer, err error) {
	d = &dealer{conn: conn, in: bufio.NewReader(conn)}
	defer func() {
		if err != nil {
			conn.Close()
		}
	}()
	conn.SetDeadline(time.Now().Add(handshaking))
	if _, err := conn.Write(greeting()); err != nil {
		return nil, err
	}
	if err := d.readGreeting(); err != nil {
		return nil, err
	}
	if err := d.write(command, ready(identity)); err != nil {
		return nil, err
	}
	if err := d.readReady(); err != nil {
		return nil, err
	}
	return d, conn.SetDeadline(time.Time{})
}

// greeting is: signature, version 3.0, mechanism, not as a server, zeros.
func greeting() []byte {
	b := make([]byte, greetingLength)
	b[0], b[8], b[9], b[10] = 0xff, 1, 0x7f, 3
	copy(b[12:], "NULL")
	return b
}

func (d *dealer) readGreeting() error {
	b := make([]byte, greetingLength)
	n, err := io.ReadFull(d.in, b)
	switch {
	case n > 0 && b[0] != 0xff:
		return errForeign
	case err != nil && n == 0:
		return errMute
	case err != nil:
		return fmt.Errorf("ZeroMQ greeting: %w", err)
	case b[9]&1 == 0 || b[10] < 3:
		return errors.New("it speaks a ZeroMQ before version 4")
	case string(bytes.TrimRight(b[12:32], "\x00")) != "NULL":
		return fmt.Errorf("it wants authentication, %q", bytes.TrimRight(b[12:32], "\x00"))
	}
	return nil
}

// ready is the command of that name: what kind of socket this is, and whose.
func ready(identity string) []byte {
	b := []byte("\x05READY")
	for _, property := range [][2]string{{"Socket-Type", "DEALER"}, {"Identity", identity}} {
		b = append(append(b, byte(len(property[0]))), property[0]...)
		b = append(binary.BigEndian.AppendUint32(b, uint32(len(property[1]))), property[1]...)
	}
	return b
}

// readReady waits for the peer's, and takes a ROUTER or DEALER alone.
func (d *dealer) readReady() error {
	flags, body, err := d.readFrame()
	if err != nil {
		return fmt.Errorf("ZeroMQ handshake: %w", err)
	}
	properties, is := bytes.CutPrefix(body, []byte("\x05READY"))
	if flags&command == 0 || !is {
		return fmt.Errorf("ZeroMQ handshake: refused, %.40q", body)
	}
	for len(properties) > 0 {
		name, rest := cutString(properties, 1)
		value, rest := cutString(rest, 4)
		if rest == nil {
			return errors.New("ZeroMQ handshake: a property cut short")
		}
		if properties = rest; string(bytes.ToLower(name)) == "socket-type" && string(value) != "ROUTER" {
			return fmt.Errorf("a ZeroMQ socket of type %q, and a master's is a ROUTER", value)
		}
	}
	return nil
}

// cutString takes a text with a length of so many bytes before it; rest is nil if it is not whole.
func cutString(b []byte, size int) (text, rest []byte) {
	if len(b) < size {
		return nil, nil
	}
	length := uint64(b[0])
	if size == 4 {
		length = uint64(binary.BigEndian.Uint32(b))
	}
	if b = b[size:]; uint64(len(b)) < length {
		return nil, nil
	}
	return b[:length], b[length:len(b):len(b)]
}

// readFrame reads a frame of at most mostFrame bytes.
func (d *dealer) readFrame() (flags byte, body []byte, err error) {
	if flags, err = d.in.ReadByte(); err != nil {
		return 0, nil, err
	}
	size := make([]byte, 8)
	if flags&long == 0 {
		_, err = io.ReadFull(d.in, size[7:])
	} else {
		_, err = io.ReadFull(d.in, size)
	}
	n := binary.BigEndian.Uint64(size)
	switch {
	case err != nil:
		return 0, nil, err
	case n > mostFrame:
		return 0, nil, fmt.Errorf("a frame of %d bytes", n)
	}
	body = make([]byte, n)
	_, err = io.ReadFull(d.in, body)
	return flags, body, err
}

// read returns the next message of one frame; those of several, which no master sends, and commands
// are left out.
func (d *dealer) read() ([]byte, error) {
	for parts := 0; ; {
		flags, body, err := d.readFrame()
		switch {
		case err != nil:
			return nil, err
		case flags&command != 0:
		case flags&more != 0:
			parts++
		case parts > 0:
			parts = 0
		default:
			return body, nil
		}
	}
}

// send sends a message. After an error nothing more can be sent.
func (d *dealer) send(body []byte) error {
	d.conn.SetWriteDeadline(time.Now().Add(writing))
	return d.write(0, body)
}

func (d *dealer) write(flags byte, body []byte) error {
	head := []byte{flags, byte(len(body))}
	if len(body) > 255 {
		head = binary.BigEndian.AppendUint64([]byte{flags | long}, uint64(len(body)))
	}
	_, err := d.conn.Write(append(head, body...))
	return err
}
