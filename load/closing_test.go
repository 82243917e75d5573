package load_test

import (
	"bufio"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/load"
)

// closes is a server that answers each request in parts, a moment between them, and closes
// the connection behind it; one that rests for a while it closes with a last word.
func closes(t *testing.T, rest time.Duration, last string, parts ...string) (url string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				conn.SetReadDeadline(time.Now().Add(rest))
				r, err := http.ReadRequest(bufio.NewReader(conn))
				if err != nil {
					conn.Write([]byte(last))
					return
				}
				r.Body.Close()
				for i, part := range parts {
					if i > 0 {
						time.Sleep(2 * time.Millisecond)
					}
					conn.Write([]byte(part))
				}
			}()
		}
	}()
	return "http://" + listener.Addr().String() + "/"
}

// However a server says that an answer is the connection's last, it is.
func TestAnswersThatAreTheLast(t *testing.T) {
	const body = "Content-Length: 2\r\n\r\nok"
	for name, c := range map[string]struct {
		method string
		parts  []string
	}{
		"close":              {"GET", []string{"HTTP/1.1 200 OK\r\nConnection: close\r\n" + body}},
		"Close":              {"GET", []string{"HTTP/1.1 200 OK\r\nConnection: Close\r\n" + body}},
		"in two lines":       {"GET", []string{"HTTP/1.1 200 OK\r\nConnection: close\r\nConnection: keep-alive\r\n" + body}},
		"in the second line": {"GET", []string{"HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nConnection: Close\r\n" + body}},
		"in a list":          {"POST", []string{"HTTP/1.1 200 OK\r\nconnection: keep-alive, CLOSE\r\n" + body}},
		"a head in parts":    {"HEAD", []string{"HTTP/1.1 200 OK\r\nX-Part: 1\r\n", "Connection: close\r\n\r\n"}},
		"a head of HTTP/1.0": {"HEAD", []string{"HTTP/1.0 200 OK\r\n", "\r\n"}},
	} {
		url := closes(t, time.Minute, "", c.parts...)
		trial, failure := ask(t, load.Scenario{URL: url, Mix: []load.Weighted{{Method: c.method, Weight: 1}}}, 2, harness.Config{Window: 200 * time.Millisecond})
		if failure != "" || trial.Failed > 0 || trial.Ops < 2 {
			t.Errorf("%s: %s: %d answered, %v", name, failure, trial.Ops, trial.Kinds)
		}
	}
}

// Who says that a request is the connection's last sends no other on it, also where the
// server does not say so.
func TestRequestsThatAreTheLast(t *testing.T) {
	clients(t, func(t *testing.T, s load.Scenario) {
		for _, options := range [][]string{{"close"}, {"keep-alive, Close"}, {"x", "close"}} {
			url := closes(t, time.Minute, "", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
			s.URL, s.Header = url, http.Header{"Connection": options}
			trial, failure := ask(t, s, 2, harness.Config{Window: 100 * time.Millisecond})
			if failure != "" || trial.Failed > 0 {
				t.Errorf("%q: %s: %d answered, %v", options, failure, trial.Ops, trial.Kinds)
			}
		}
	})
}

// A connection that was opened before the window, and that the server has closed before it
// was used, is opened again, too, whatever the server says as it closes.
func TestUnusedConnectionsAreLookedAt(t *testing.T) {
	for _, last := range []string{"", "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n"} {
		url := closes(t, 150*time.Millisecond, last, "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
		// No request is due about when the server closes: that can meet one on the way.
		trial, failure := ask(t, load.Scenario{URL: url}, 20, harness.Config{Window: 5 * time.Second, Rates: []string{"4/s"}})
		if failure != "" || trial.Failed > 0 || trial.Ops < 15 {
			t.Errorf("%q: %s: %d answered, %v", strings.TrimSpace(last), failure, trial.Ops, trial.Kinds)
		}
	}
}

// Who waits for a request that fails holds up no rate, in the open loop either.
func TestHangingRequestsHoldUpNoRate(t *testing.T) {
	n := make(chan int, 1)
	n <- 0
	end := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		i := <-n
		n <- i + 1
		if i == 5 {
			<-end
		}
	}))
	defer server.Close()
	defer close(end)
	trial, failure := ask(t, load.Scenario{URL: server.URL, Timeout: 3 * time.Second}, 10, harness.Config{Window: 500 * time.Millisecond, Rates: []string{"40/s"}})
	if failure != "" || trial.Failed != 1 || trial.Open.EndNS >= 3e9 || trial.WallNS >= 3e9 || trial.UsageNS < 3e9 {
		t.Errorf("%s: %d failed; the last answer after %v of %v", failure, trial.Failed, time.Duration(trial.Open.EndNS), time.Duration(trial.WallNS))
	}
}
