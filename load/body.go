package load

import (
	"bufio"
	"errors"
	"io"
	"net/http/httputil"
)

// Lengths of a body that are none, as fasthttp has them.
const (
	inChunks    = -1
	untilClosed = -2
)

// skipBody reads the body of an answer to its end and says how long it was. Nothing of it
// is kept: it may be longer than there is memory.
func skipBody(r *bufio.Reader, length int) (size int, err error) {
	switch {
	case length >= 0:
		size, err = r.Discard(length)
	case length == inChunks:
		size, err = skipChunks(r)
	default:
		var n int64
		n, err = io.Copy(io.Discard, r)
		return int(n), err
	}
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return size, err
}

// skipChunks reads chunks, and the lines of the trailer behind them (RFC 9112, 7.1).
func skipChunks(r *bufio.Reader) (size int, err error) {
	n, err := io.Copy(io.Discard, httputil.NewChunkedReader(r))
	for err == nil {
		var line []byte
		if line, err = r.ReadSlice('\n'); len(line) <= len("\r\n") {
			break
		}
	}
	return int(n), err
}
