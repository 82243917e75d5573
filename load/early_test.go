package load_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
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
