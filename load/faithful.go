package load

import (
	"bytes"
	"context"
	"crypto/tls"
	"io"
	"net/http"
	"net/url"
)

// A faithful asks with net/http, HTTP/2 where the server speaks it. It is its user's
// alone, and so is its connection.
type faithful struct {
	scenario Scenario
	ctx      context.Context
	wishes   []wish
	origin   string // scheme and host
	client   *http.Client
}

func newFaithful(ctx context.Context, s Scenario, wishes []wish) *faithful {
	u, _ := url.Parse(s.URL) // Check has
	transport := &http.Transport{
		MaxIdleConnsPerHost: 1, ForceAttemptHTTP2: true, DisableCompression: true,
		TLSClientConfig: &tls.Config{InsecureSkipVerify: s.Insecure},
	}
	return &faithful{s, ctx, wishes, u.Scheme + "://" + u.Host, &http.Client{
		Transport: transport, Timeout: s.Timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

func (c *faithful) do(kind int, target, body []byte) (status, size int, err error) {
	method := c.wishes[kind].method
	var content io.Reader
	if HasBody(method) {
		content = bytes.NewReader(bytes.Clone(body)) // net/http may read it still when an early answer is there
	}
	request, err := http.NewRequestWithContext(c.ctx, method, c.origin+string(target), content)
	if err != nil {
		return 0, 0, err
	}
	if content != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	for name, values := range c.scenario.Header {
		request.Header[name] = values
	}
	if host := request.Header.Get("Host"); host != "" {
		request.Host = host
	}
	response, err := c.client.Do(request)
	if err != nil {
		return 0, 0, err
	}
	if response.StatusCode == http.StatusSwitchingProtocols { // its body is the connection, and has no end
		return response.StatusCode, 0, response.Body.Close()
	}
	n, err := io.Copy(io.Discard, response.Body)
	response.Body.Close()
	if response.StatusCode < http.StatusContinue { // which net/http lets pass
		return 0, 0, errStatus
	}
	return response.StatusCode, int(n), err
}

func (c *faithful) close() { c.client.CloseIdleConnections() }
