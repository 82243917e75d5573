package load

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/valyala/fasthttp"
)

// A fast asks over one connection, with fasthttp's codec. It is its user's alone.
type fast struct {
	scenario Scenario
	ctx      context.Context
	url      *url.URL
	plain    [][]byte // requests that are alike each time, as they are sent, by kind
	request  fasthttp.Request
	response fasthttp.Response

	conn     net.Conn // nil: none yet
	read     *bufio.Reader
	write    *bufio.Writer
	used     bool
	deadline time.Time
}

// newFast prepares a user and opens its connection, before the window. An error of that
// is told by the first request.
func newFast(ctx context.Context, s Scenario, same bool) (*fast, error) {
	u, err := url.Parse(s.URL)
	if err != nil {
		return nil, err
	}
	c := &fast{scenario: s, ctx: ctx, url: u}
	for _, w := range s.Mix {
		var text bytes.Buffer
		if same || !hasBody(w.Method) {
			c.fill(w.Method, []byte(s.Body))
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

// fill makes the request of a method.
func (c *fast) fill(method string, body []byte) {
	r := &c.request
	r.Reset()
	r.Header.SetMethod(method)
	r.SetRequestURI(c.url.String())
	if hasBody(method) {
		r.Header.SetContentType("application/json")
		r.SetBodyRaw(body)
	}
	for name, values := range c.scenario.Header {
		for _, value := range values {
			r.Header.Set(name, value)
		}
	}
}

// do sends a request and reads the whole answer.
func (c *fast) do(kind int, method string, body []byte) (status, size int, err error) {
	if c.conn == nil {
		if err := c.dial(); err != nil {
			return 0, 0, err
		}
	}
	again := c.used && (method == http.MethodGet || method == http.MethodHead)
	status, size, err = c.exchange(kind, method, body)
	if err == io.EOF && again { // the server closed it while nothing was asked
		if err := c.dial(); err != nil {
			return 0, 0, err
		}
		status, size, err = c.exchange(kind, method, body)
	}
	return status, size, err
}

func (c *fast) exchange(kind int, method string, body []byte) (status, size int, err error) {
	defer func() {
		if c.used = true; err != nil || c.response.ConnectionClose() {
			c.close()
		}
	}()
	if err = c.patience(); err != nil {
		return 0, 0, err
	}
	if text := c.plain[kind]; len(text) > 0 {
		_, err = c.write.Write(text)
	} else {
		c.fill(method, body)
		err = c.request.Write(c.write)
	}
	if err == nil {
		err = c.write.Flush()
	}
	if err != nil {
		return 0, 0, err
	}
	if _, err := c.read.Peek(1); err != nil {
		return 0, 0, err
	}
	c.response.SkipBody = method == http.MethodHead
	if err = c.response.Read(c.read); err != nil {
		return 0, 0, err
	}
	return c.response.StatusCode(), len(c.response.Body()), nil
}

// patience moves the connection's deadline on. That costs a system's timer each time, so
// it is moved by a quarter of the timeout at least: a request may take between one and
// one and a quarter of it.
func (c *fast) patience() error {
	now := time.Now()
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
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", address(c.url))
	if err != nil {
		return err
	}
	if c.url.Scheme == "https" {
		secure := tls.Client(conn, &tls.Config{ServerName: c.url.Hostname(), InsecureSkipVerify: c.scenario.Insecure})
		if err := secure.HandshakeContext(ctx); err != nil {
			conn.Close()
			return err
		}
		conn = secure
	}
	c.conn, c.read, c.write = conn, bufio.NewReaderSize(conn, 16<<10), bufio.NewWriter(conn)
	return nil
}

func (c *fast) close() {
	if c.conn != nil {
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
