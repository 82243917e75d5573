package load

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/valyala/fasthttp"
	"golang.org/x/net/http/httpguts"
)

// A fast asks over one connection, with fasthttp's codec. It is its user's alone.
type fast struct {
	scenario Scenario
	ctx      context.Context
	url      *url.URL
	wishes   []wish
	plain    [][]byte // requests that are alike each time, as they are sent, by kind
	request  fasthttp.Request
	head     fasthttp.ResponseHeader // of the answer

	conn     net.Conn    // nil: none yet
	socket   net.Conn    // under it, where it is TLS
	kept     func() bool // has the connection outlive ctx
	rested   time.Time   // since when nothing was asked on it
	read     *bufio.Reader
	write    *bufio.Writer
	used     bool
	once     bool // each request says that it is its connection's last
	ends     bool // the answer was the connection's last
	deadline time.Time
}

// newFast prepares a user and opens its connection, before the window. An error of that
// is told by the first request.
func newFast(ctx context.Context, s Scenario, wishes []wish) (*fast, error) {
	u, err := url.Parse(s.URL)
	if err != nil {
		return nil, err
	}
	c := &fast{scenario: s, ctx: ctx, url: u, wishes: wishes, once: closing(s.Header.Values("Connection")...)}
	for _, w := range wishes {
		var text bytes.Buffer
		if w.same() {
			c.fill(w.method, []byte(w.target[0]), []byte(w.body[0]))
			out := bufio.NewWriter(&text)
			if err := c.request.Write(out); err != nil {
				return nil, err
			}
			out.Flush()
		}
		c.plain = append(c.plain, text.Bytes())
	}
	c.dial()
	return c, nil
}

// fill makes the request of a method. What was named is asked as it was named: nothing
// is cleaned.
func (c *fast) fill(method string, target, body []byte) {
	r := &c.request
	r.Reset()
	r.Header.SetMethod(method)
	r.Header.SetHost(c.url.Host)
	r.Header.SetRequestURIBytes(target)
	if HasBody(method) {
		r.Header.SetContentType("application/json")
		r.SetBodyRaw(body)
	}
	for name, values := range c.scenario.Header {
		if single(name) {
			r.Header.Set(name, values[0])
			continue
		}
		r.Header.DisableSpecialHeader() // it would read cookies, and write others
		for _, value := range values {
			r.Header.Add(name, value)
		}
		r.Header.EnableSpecialHeader()
	}
}

// idle is from when on a connection is looked at before it is used again: the server may
// have closed it. That costs a system call.
const idle = time.Millisecond

// do sends a request and reads the whole answer. No request is sent twice: whether the
// server has done what it was asked is not known.
func (c *fast) do(kind int, target, body []byte) (status, size int, err error) {
	now := time.Now()
	if c.conn != nil && now.Sub(c.rested) > idle && c.gone() {
		c.close()
	}
	if err := c.ready(now); err != nil {
		return 0, 0, err
	}
	status, size, err = c.exchange(kind, target, body)
	c.used, c.rested = true, time.Now()
	// What stands behind an answer belongs to none. Who has said that a request is the last
	// sends no other, whatever the server says (RFC 9112, 9.6).
	if err != nil || c.once || c.ends || c.read.Buffered() > 0 {
		c.close()
	}
	return status, size, err
}

// gone reports whether the server has closed the connection meanwhile, or has said
// something that nobody asked. Over TLS it may have, before the first request: tickets to
// come back with.
func (c *fast) gone() bool {
	if !c.used && c.conn != c.socket {
		return hungUp(c.socket)
	}
	return stale(c.socket)
}

// ready makes the connection one that a request which begins now can use. One that has to
// be opened anew is opened in the request's own time.
func (c *fast) ready(now time.Time) error {
	if c.conn != nil {
		return c.patience(now)
	}
	if err := c.dial(); err != nil {
		return err
	}
	c.deadline = now.Add(c.scenario.Timeout)
	return c.conn.SetDeadline(c.deadline)
}

func (c *fast) exchange(kind int, target, body []byte) (status, size int, err error) {
	if HasBody(c.wishes[kind].method) && len(body) > longBody {
		return c.beside(kind, target, body)
	}
	if err := c.send(kind, target, body); err != nil {
		return c.early(kind, err)
	}
	return c.answer(c.wishes[kind].method)
}

// send sends a request.
func (c *fast) send(kind int, target, body []byte) (err error) {
	if text := c.plain[kind]; len(text) > 0 {
		_, err = c.write.Write(text)
	} else {
		c.fill(c.wishes[kind].method, target, body)
		err = c.request.Write(c.write)
	}
	if err != nil {
		return err
	}
	return c.write.Flush()
}

// early reads the answer of a server that closed before it had read the whole request: that
// it is too large, for one. If there is none, the request failed by why it could not be
// sent.
func (c *fast) early(kind int, unsent error) (status, size int, err error) {
	var closed *net.OpError
	if !errors.As(unsent, &closed) { // nobody will answer what was not sent at all
		return 0, 0, unsent
	}
	if status, size, err = c.answer(c.wishes[kind].method); err != nil {
		return 0, 0, unsent
	}
	c.ends = true
	return status, size, nil
}

// answer reads an answer, and those before it that say that one will come (RFC 9110, 15.2).
func (c *fast) answer(method string) (status, size int, err error) {
	closes := false
	for status = http.StatusContinue; status < 200 && status != http.StatusSwitchingProtocols; status = c.head.StatusCode() {
		if _, err = c.read.Peek(1); err != nil { // fasthttp hides why
			return 0, 0, err
		}
		head := headOf(c.read)
		wrong := checkHead(head)
		closes = saysItCloses(head)
		if err = errors.Join(c.readHead(head), wrong); err != nil {
			return 0, 0, err
		}
	}
	// fasthttp takes an answer to HEAD for one with a body until the end, and the last of
	// several lines for all.
	c.ends = closes || status < 200 || c.head.ConnectionClose() && method != http.MethodHead
	switch {
	case method == http.MethodHead:
		return status, 0, nil
	case status < 200 || status == http.StatusNoContent || status == http.StatusNotModified:
		return status, 0, nil
	}
	size, err = skipBody(c.read, c.head.ContentLength())
	return status, size, err
}

// closing reports whether the options of a connection end it (RFC 9110, 7.6.1).
func closing(options ...string) bool {
	return httpguts.HeaderValuesContainsToken(options, "close")
}

// patience moves the connection's deadline on. That costs a system's timer each time, so
// it is moved by a quarter of the timeout at least: a request may take between one and
// one and a quarter of it.
func (c *fast) patience(now time.Time) error {
	if c.deadline.Sub(now) >= c.scenario.Timeout {
		return nil
	}
	c.deadline = now.Add(c.scenario.Timeout + c.scenario.Timeout/4)
	return c.conn.SetDeadline(c.deadline)
}

// dial opens the connection.
func (c *fast) dial() error {
	c.close()
	ctx, cancel := context.WithTimeout(c.ctx, c.scenario.Timeout)
	defer cancel()
	socket, err := (&net.Dialer{}).DialContext(ctx, "tcp", address(c.url))
	if err != nil {
		return err
	}
	conn := socket
	if c.url.Scheme == "https" {
		secure := tls.Client(socket, &tls.Config{ServerName: c.url.Hostname(), InsecureSkipVerify: c.scenario.Insecure})
		if err := secure.HandshakeContext(ctx); err != nil {
			conn.Close()
			return err
		}
		conn = secure
	}
	c.socket, c.rested = socket, time.Now()
	c.kept = context.AfterFunc(c.ctx, func() { socket.Close() }) // what waits for an answer ends with ctx
	c.conn, c.read, c.write = conn, bufio.NewReaderSize(conn, 16<<10), bufio.NewWriter(conn)
	return nil
}

func (c *fast) close() {
	if c.conn != nil {
		c.kept()
		c.conn.Close()
	}
	c.conn, c.used, c.deadline = nil, false, time.Time{}
}

// address is host and port.
func address(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return net.JoinHostPort(u.Hostname(), port)
}
