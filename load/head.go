package load

import (
	"bufio"
	"bytes"
	"errors"
	"iter"

	"golang.org/x/net/http/httpguts"
)

// headOf waits for the whole head of an answer that stands to be read, or for as much of it
// as comes, and leaves it there. fasthttp does not tell all that it says.
func headOf(r *bufio.Reader) []byte {
	for n := 1; ; {
		_, err := r.Peek(n)
		head, _ := r.Peek(r.Buffered())
		if end, whole := headEnd(head); whole || err != nil || len(head) == r.Size() {
			return head[:end]
		}
		n = len(head) + 1
	}
}

// headEnd is where a head ends: behind its first empty line. Those in front of the status
// are none of it. Where no head has ended yet, all is of it.
func headEnd(text []byte) (end int, whole bool) {
	end = len(text) - len(bytes.TrimLeft(text, "\r\n"))
	for {
		line := bytes.IndexByte(text[end:], '\n')
		if line < 0 {
			return len(text), false
		}
		if end += line + 1; line == 0 || line == 1 && text[end-2] == '\r' {
			return end, true
		}
	}
}

var (
	errStatus  = errors.New("a status below 100")
	errLengths = errors.New("lengths that differ")
)

// checkHead says why a head that fasthttp has read is none of HTTP: it takes 000 for 200,
// and the last of several lengths (RFC 9112, 4 and 6.3).
func checkHead(head []byte) error {
	if status := statusOf(head); len(status) > 0 && status[0] == '0' {
		return errStatus
	}
	var length []byte
	for value := range values(head, "content-length") {
		if length != nil && !bytes.Equal(length, value) && !encoded(head) {
			return errLengths
		}
		length = value
	}
	return nil
}

// encoded reports whether a head says how its body ends: that goes before any length.
func encoded(head []byte) bool {
	for value := range values(head, "transfer-encoding") {
		if string(value) != "identity" {
			return true
		}
	}
	return false
}

// statusOf is what follows the protocol in a head's first line.
func statusOf(head []byte) []byte {
	line, _, _ := bytes.Cut(bytes.TrimLeft(head, "\r\n"), []byte("\n"))
	_, status, _ := bytes.Cut(line, []byte(" "))
	return bytes.TrimLeft(status, " ")
}

// values are those of a head's fields of one name, which is given in small letters.
func values(head []byte, name string) iter.Seq[[]byte] {
	return func(yield func(value []byte) bool) {
		for line := range bytes.Lines(head) {
			if line[0]|0x20 != name[0] { // most are of others
				continue
			}
			field, value, is := bytes.Cut(line, []byte(":"))
			if is && bytes.EqualFold(bytes.TrimRight(field, " "), []byte(name)) && !yield(bytes.TrimSpace(value)) {
				return
			}
		}
	}
}

// saysItCloses reports whether a head ends the connection behind it (RFC 9112, 9.3). Its
// field is a list, and lines of it add up.
func saysItCloses(head []byte) bool {
	ends := bytes.HasPrefix(bytes.TrimLeft(head, "\r\n"), []byte("HTTP/1.0"))
	for value := range values(head, "connection") {
		if closing(string(value)) {
			return true
		}
		ends = ends && !httpguts.HeaderValuesContainsToken([]string{string(value)}, "keep-alive")
	}
	return ends
}

// readHead reads the head that headOf has found. Lines may end in LF alone (RFC 9112, 2.2),
// for which fasthttp would wait.
func (c *fast) readHead(head []byte) error {
	_, whole := headEnd(head)
	if !whole || bytes.Count(head, []byte("\n")) == bytes.Count(head, []byte("\r\n")) {
		return c.head.Read(c.read)
	}
	text := bytes.ReplaceAll(bytes.ReplaceAll(head, []byte("\r\n"), []byte("\n")), []byte("\n"), []byte("\r\n"))
	err := c.head.Read(bufio.NewReaderSize(bytes.NewReader(text), len(text)))
	_, lost := c.read.Discard(len(head))
	return errors.Join(err, lost)
}
