package load

import (
	"bufio"
	"strings"
	"testing"
	"testing/iotest"
)

// A head is waited for to its end, and stays where it was.
func TestHeadOf(t *testing.T) {
	for text, want := range map[string]string{
		"HTTP/1.1 200 OK\r\nA: b\r\n\r\nbody\r\n\r\n":          "HTTP/1.1 200 OK\r\nA: b\r\n\r\n",
		"\r\n\nHTTP/1.1 200 OK\nA: b\n\nbody":                  "\r\n\nHTTP/1.1 200 OK\nA: b\n\n",
		"HTTP/1.1 200 OK\r\nA: b\r\n":                          "HTTP/1.1 200 OK\r\nA: b\r\n",
		"HTTP/1.1 200 OK\r\nA: " + strings.Repeat("b", 20):     "HTTP/1.1 200 OK\r\nA: " + strings.Repeat("b", 20),
		"HTTP/1.1 200 OK\r\nA: " + strings.Repeat("b", 20<<10): "HTTP/1.1 200 OK\r\nA: " + strings.Repeat("b", 4096-len("HTTP/1.1 200 OK\r\nA: ")),
		"": "",
	} {
		r := bufio.NewReader(iotest.OneByteReader(strings.NewReader(text)))
		if got := string(headOf(r)); got != want {
			t.Errorf("%.60q: %.60q, want %.60q", text, got, want)
		}
		if left, _ := r.Peek(len(want)); string(left) != want {
			t.Errorf("%.60q: %.60q is left", text, left)
		}
	}
}

// What fasthttp takes for an answer and HTTP does not is none.
func TestCheckHead(t *testing.T) {
	for head, want := range map[string]error{
		"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n":                                                     nil,
		"HTTP/1.1 999\r\n\r\n":                                                                             nil,
		"HTTP/1.1 000 Zero\r\n\r\n":                                                                        errStatus,
		"\r\n\r\nHTTP/1.1  099 Low\r\n\r\n":                                                                errStatus,
		"HTTP/1.1 200 OK\r\nContent-Length: 5\r\ncontent-length:5 \r\n\r\n":                                nil,
		"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nA: b\r\nCONTENT-LENGTH: 6\r\n\r\n":                        errLengths,
		"HTTP/1.1 200 OK\nContent-Length: 5\nContent-Length: 6\nContent-Length: 5\n\n":                     errLengths,
		"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n":  nil,
		"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\nTransfer-Encoding: identity\r\n\r\n": errLengths,
	} {
		if got := checkHead([]byte(head)); got != want {
			t.Errorf("%q: %v, want %v", head, got, want)
		}
	}
}

func BenchmarkHead(b *testing.B) {
	const head = "HTTP/1.1 200 OK\r\nServer: x\r\nDate: Mon, 01 Jan 2024 00:00:00 GMT\r\nContent-Type: application/json\r\nContent-Length: 120\r\n\r\n"
	r := bufio.NewReaderSize(nil, 16<<10)
	s := strings.NewReader(head)
	r.Reset(s)
	r.Peek(len(head))
	for b.Loop() {
		if checkHead(headOf(r)) != nil {
			b.Fatal()
		}
	}
}

// Lines that end in LF alone are read as the others are.
func TestHeadsWithLineFeedsAlone(t *testing.T) {
	for text, status := range map[string]int{
		"HTTP/1.1 200 OK\nContent-Length: 2\n\nok":       200,
		"HTTP/1.1 404 No\r\nContent-Length: 2\n\r\nok":   404,
		"\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\nok": 200,
	} {
		c := &fast{read: bufio.NewReader(iotest.OneByteReader(strings.NewReader(text)))}
		got, size, err := c.answer("GET")
		if got != status || size != 2 || err != nil || c.ends {
			t.Errorf("%q: status %d, %d bytes, %v, the last: %v", text, got, size, err, c.ends)
		}
	}
}

// What a head says of its connection is the sum of all that it says.
func TestSaysItCloses(t *testing.T) {
	for head, want := range map[string]bool{
		"HTTP/1.1 200 OK\r\n\r\n": false,
		"HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nConnection: a, Close\r\n\r\n": true,
		"HTTP/1.0 200 OK\r\n\r\n":                                                true,
		"\r\nHTTP/1.0 200 OK\r\n\r\n":                                            true,
		"HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\n\r\n":                      false,
		"HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nConnection: close\r\n\r\n": true,
	} {
		if got := saysItCloses([]byte(head)); got != want {
			t.Errorf("%q: %v", head, got)
		}
	}
}
