package traced

import (
	"context"
	"errors"
	"io"
	"runtime/trace"
	"sync/atomic"
)

// Mark is the name of the region (runtime/trace) in which a goroutine takes part.
const Mark = "syncwrite: window"

// Begin has the calling goroutine take part until the function is called, by itself, that it
// returns. Without a trace it costs a few nanoseconds.
func Begin() (end func()) { return trace.StartRegion(context.Background(), Mark).End }

// A Recording is a trace that is being written.
type Recording struct{ to limited }

// ErrTracing says that the process is being traced already: there can be one trace.
var ErrTracing = errors.New("the process is being traced already")

// Record begins a trace, of which to gets no more than most bytes: it is cut short then.
func Record(to io.Writer, most int64) (*Recording, error) {
	if trace.IsEnabled() {
		return nil, ErrTracing
	}
	r := &Recording{limited{to: to}}
	r.to.left.Store(most)
	if err := trace.Start(&r.to); err != nil {
		return nil, err
	}
	return r, nil
}

// Stop ends the trace and reports whether it was cut short.
func (r *Recording) Stop() (cut bool, err error) {
	trace.Stop()
	return r.to.left.Load() < 0, r.to.err
}

// limited lets no more through than was said, and loses the rest.
type limited struct {
	to   io.Writer
	left atomic.Int64
	err  error // of the trace's goroutine, until that has stopped
}

func (l *limited) Write(b []byte) (int, error) {
	if l.left.Load() < 0 || l.err != nil {
		return len(b), nil
	}
	if l.left.Add(-int64(len(b))) >= 0 {
		_, l.err = l.to.Write(b)
	}
	return len(b), nil
}
