package load_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/load"
)

// hasty is a server that reads the head of a request, says something, and closes without
// reading the body.
func hasty(t *testing.T, says string) (url string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	t.Cleanup(func() { listener.Close(); group.Wait() })
	group.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			group.Go(func() {
				defer conn.Close()
				if _, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
					io.WriteString(conn, says)
				}
			})
		}
	})
	return "http://" + listener.Addr().String()
}

// Who answers before the body was sent whole has answered, if the answer is whole.
func TestAnswersBeforeTheWholeRequest(t *testing.T) {
	for says, want := range map[string]string{
		"HTTP/1.1 413 Request Entity Too Large\r\nContent-Length: 3\r\n\r\nbig": "status 413 Request Entity Too Large",
		"HTTP/1.1 413 Request Entity Too Large\r\nContent-Length: 9\r\n\r\nbig": "the server closed the connection",
		"HTTP/1.1 100 Continue\r\n\r\n":                                         "the server closed the connection",
		"":                                                                      "the server closed the connection",
	} {
		s := load.Scenario{URL: hasty(t, says), Mix: []load.Weighted{{Method: "POST", Weight: 1}}, Body: strings.Repeat("x", 5<<20)}
		if _, failure := ask(t, s, 2, harness.Config{Window: 100 * time.Millisecond}); failure != "no request succeeded: "+want {
			t.Errorf("%q: %s", says, failure)
		}
	}
}

// Who answers at once, reads no more of a long body and leaves the connection open has
// answered; so has one that reads it all.
func TestAnswersWhileABodyIsSent(t *testing.T) {
	clients(t, func(t *testing.T, s load.Scenario) {
		s.Mix, s.Body, s.Timeout = []load.Weighted{{Method: "POST", Weight: 1}}, strings.Repeat("x", 16<<20), 20*time.Second
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer listener.Close()
		var open []net.Conn
		accepting := make(chan struct{})
		go func() {
			defer close(accepting)
			for {
				conn, err := listener.Accept()
				if err != nil {
					return
				}
				open = append(open, conn)
				if _, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
					io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
				}
			}
		}()
		s.URL = "http://" + listener.Addr().String()
		trial, failure := ask(t, s, 1, harness.Config{Window: 100 * time.Millisecond})
		listener.Close()
		<-accepting
		for _, conn := range open {
			conn.Close()
		}
		if failure != "" || trial.Failed > 0 || trial.Latency.MaxNS > 10e9 {
			t.Errorf("stays: %s: %d answered, %v, the longest after %v", failure, trial.Ops, trial.Kinds, trial.Latency.MaxNS.Nanoseconds())
		}
		var opened, read atomic.Int64
		server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if n, _ := io.Copy(io.Discard, r.Body); n == 1<<20 {
				read.Add(1)
			}
		}))
		server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
			if state == http.StateNew {
				opened.Add(1)
			}
		}
		server.Start()
		defer server.Close()
		s.URL, s.Body = server.URL, s.Body[:1<<20]
		trial, failure = ask(t, s, 1, harness.Config{Window: 200 * time.Millisecond})
		if failure != "" || trial.Failed > 0 || trial.Ops != int(read.Load()) || int(opened.Load()) > 1+trial.Ops/2 {
			t.Errorf("reads: %s: %d answered of %d, over %d connections", failure, trial.Ops, read.Load(), opened.Load())
		}
	})
}
