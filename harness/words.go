package harness

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"sync"
)

// words are what a measuring process writes to stderr. They go to this one's, and
// the first and the last of them since the last reset are kept: a Go program that
// dies says first why, and the stacks behind it have no end.
type words struct {
	mu          sync.Mutex
	first, last bytes.Buffer
}

// mostWords is how many bytes of the first, and of the last, are kept.
const mostWords = 32 << 10

// Write implements io.Writer. It never fails: that nobody can read stderr is no
// reason to end who writes there.
func (w *words) Write(text []byte) (int, error) {
	os.Stderr.Write(text)
	w.mu.Lock()
	defer w.mu.Unlock()
	n := min(mostWords-w.first.Len(), len(text))
	w.first.Write(text[:n])
	w.last.Write(text[n:])
	if over := w.last.Len() - mostWords; over > 0 {
		w.last.Next(over)
	}
	return len(text), nil
}

// reset forgets what was kept.
func (w *words) reset() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.first.Reset()
	w.last.Reset()
}

// String is what was kept.
func (w *words) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.last.Len() == 0 {
		return w.first.String()
	}
	return w.first.String() + "\n[...]\n" + w.last.String()
}

// died are the beginnings of the lines that say why a Go program died.
var died = regexp.MustCompile(`^(panic: |fatal error: |SIG[A-Z]+: )`)

// reason is the line that says why a Go program died: the last that looks like one.
func (w *words) reason() string {
	reason := ""
	for line := range strings.Lines(w.String()) {
		if died.MatchString(line) {
			reason = strings.TrimSpace(line)
		}
	}
	return reason
}
