package load

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"testing"
)

func TestSkipBody(t *testing.T) {
	for _, c := range []struct {
		text   string
		length int
		size   int
		err    error
		left   string
	}{
		{"hello, next", 5, 5, nil, ", next"},
		{"hell", 5, 4, io.ErrUnexpectedEOF, ""},
		{"", 0, 0, nil, ""},
		{"5\r\nhello\r\n0\r\n\r\nnext", inChunks, 5, nil, "next"},
		{"5\r\nhello\r\n0\r\nA: 1\r\nB: 2\r\n\r\nnext", inChunks, 5, nil, "next"},
		{"5\r\nhello\r\n", inChunks, 5, io.ErrUnexpectedEOF, ""},
		{"5\r\nhel", inChunks, 3, io.ErrUnexpectedEOF, ""},
		{"5\r\nhello\r\n0\r\nA: 1", inChunks, 5, io.ErrUnexpectedEOF, ""},
		{"all of it", untilClosed, 9, nil, ""},
	} {
		r := bufio.NewReader(strings.NewReader(c.text))
		size, err := skipBody(r, c.length)
		left, _ := io.ReadAll(r)
		if size != c.size || !errors.Is(err, c.err) || string(left) != c.left {
			t.Errorf("%q, %d: %d, %v, then %q", c.text, c.length, size, err, left)
		}
	}
}
