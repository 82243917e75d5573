package experiments

// What does buffering a file buy, and what does it give up?

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/results"
)

// Buffering writes lines to one file from all goroutines. A line is
// acknowledged when the operation returns: what it survives then is the
// promise, and what is flushed or synced at the end of the window comes later.
func Buffering() harness.Experiment {
	return harness.Experiment{
		Name:       "buffering",
		Question:   "What does buffering a file buy, and what does it give up?",
		Unit:       "line",
		Goroutines: []int{1, 4},
		Window:     90 * time.Millisecond,
		Factors: []harness.Factor{{Name: "size", About: "bytes of a line, its end included", Default: "64",
			Levels: []string{"16", "64", "256", "1024", "4096"}, Check: harness.Between(2, 1<<20)}},
		Variants: []harness.Variant{
			lineVariant("unbuffered", "one write(2) a line; os.File's own lock keeps them apart", "process-crash", lineStyle{}),
			lineVariant("buffered", "a bufio.Writer of 4,096 B under a mutex, flushed at the end", "nothing", lineStyle{buffered: true}),
			lineVariant("unbuffered-fsync-end", "one write(2) a line, one fsync at the end", "process-crash", lineStyle{syncEnd: true}),
			lineVariant("buffered-fsync-end", "the bufio.Writer, flushed and synced at the end", "nothing", lineStyle{buffered: true, syncEnd: true}),
			lineVariant("unbuffered-fsync-line", "one write(2) and one fsync a line", "power-cut", lineStyle{syncLine: true}),
			lineVariant("buffered-fsync-line", "the bufio.Writer, flushed and synced a line", "power-cut", lineStyle{buffered: true, syncLine: true}),
		},
		Trades: []results.Trade{{Weaker: "buffered", Stronger: "unbuffered"}, {Weaker: "unbuffered", Stronger: "unbuffered-fsync-line"}},
		Claims: bufferingClaims(),
	}
}

func bufferingClaims() []results.Claim {
	return []results.Claim{{
		By: "the course", Text: "buffered writes are 27 to 55 times as fast as unbuffered ones",
		Of: results.Side{Variant: "buffered"}, To: results.Side{Variant: "unbuffered"}, Least: 27, Most: 55, Goroutines: 1,
	}}
}

// A lineStyle is when lines reach the kernel, and when the disk.
type lineStyle struct{ buffered, syncLine, syncEnd bool }

// A lineFile is the part of an *os.File that is written to.
type lineFile interface {
	io.Writer
	Sync() error
}

// A lineWriter writes whole lines, of many goroutines, to one file.
type lineWriter struct {
	style lineStyle
	file  lineFile
	mu    sync.Mutex // of buf
	buf   *bufio.Writer
}

func newLineWriter(file lineFile, style lineStyle) *lineWriter {
	return &lineWriter{style: style, file: file, buf: bufio.NewWriter(file)}
}

// write returns when the line has reached what its promise names.
func (w *lineWriter) write(line []byte) error {
	if !w.style.buffered {
		if _, err := w.file.Write(line); err != nil || !w.style.syncLine {
			return err
		}
		return w.file.Sync()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, err := w.buf.Write(line); err != nil || !w.style.syncLine {
		return err
	}
	if err := w.buf.Flush(); err != nil {
		return err
	}
	return w.file.Sync()
}

// finish hands on what is still in the buffer.
func (w *lineWriter) finish() error {
	if err := w.buf.Flush(); err != nil || !w.style.syncEnd {
		return err
	}
	return w.file.Sync()
}

func lineVariant(name, about, survives string, style lineStyle) harness.Variant {
	return harness.Variant{Name: name, About: about, Promise: promised(survives), Open: func(s harness.Setup) (harness.Instance, error) {
		path := filepath.Join(s.Dir, "lines")
		file, err := os.Create(path)
		if err != nil {
			return harness.Instance{}, err
		}
		w := newLineWriter(file, style)
		size, _ := strconv.Atoi(s.Factors["size"]) // checked before the run began
		l := newLines(size)
		i := harness.Instance{
			Worker: func(g int) harness.Operation { return l.operation(g, w.write) },
			Check:  func(int) error { return l.check(path) },
			Close:  file.Close,
		}
		if style.buffered && !style.syncLine || style.syncEnd {
			i.Finish = w.finish
		}
		return i, nil
	}}
}
