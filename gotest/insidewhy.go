//go:build never

// Where the command asks for it, each window is traced: the last one of a benchmark, which
// has the most operations, stays. See inside.go.

package testing

import (
	"context"
	"fmt"
	"os"
	"runtime/trace"
	"sync/atomic"
)

// mostTrace is how much of a window's trace is kept, in bytes.
const mostTrace = 64 << 20

// whyDir is where traces go, profileDir where profiles do (insideprofiles.go), one of them at
// most is asked for. numbered counts the benchmarks of this process that have a number.
var (
	whyDir     = taken("SYNCWRITE_GOTEST_WHY")
	profileDir = taken("SYNCWRITE_GOTEST_PROFILES")
	numbered   atomic.Int64
)

// taken takes a directory's name out of the environment, as takeSide does.
func taken(variable string) string {
	dir := os.Getenv(variable)
	os.Unsetenv(variable)
	return dir
}

// whyFile is the name of what the windows of this benchmark leave, and no other's.
func (b *B) whyFile() string {
	if b.syncwrite.number == 0 {
		b.syncwrite.number = numbered.Add(1)
	}
	return fmt.Sprintf("%d-%d", os.Getpid(), b.syncwrite.number)
}

// tracing is the trace of a window.
type tracing struct {
	file *os.File
	left int64
}

// startTracing starts the trace of a window; nil where none is asked for, or can be had.
func (b *B) startTracing() *tracing {
	if whyDir == "" || side == "" {
		return nil
	}
	path := whyDir + string(os.PathSeparator) + b.whyFile()
	os.Remove(path) // that of the window before tells nothing of this one
	if trace.IsEnabled() {
		return nil
	}
	file, err := os.Create(path)
	if err != nil {
		return nil
	}
	t := &tracing{file: file, left: mostTrace}
	if trace.Start(t) != nil {
		file.Close()
		return nil
	}
	return t
}

// Write keeps no more than the most: the trace counts up to there.
func (t *tracing) Write(b []byte) (int, error) {
	if t.left -= int64(len(b)); t.left >= 0 {
		t.file.Write(b)
	}
	return len(b), nil
}

func (t *tracing) stop() {
	if t != nil {
		trace.Stop()
		t.file.Close()
	}
}

// takePart has the calling goroutine take part in the trace until the function is called.
func (t *tracing) takePart() func() {
	if t == nil {
		return func() {}
	}
	return trace.StartRegion(context.Background(), "syncwrite: window").End
}

// tellWhy tells the side file which trace or profiles are a benchmark's, and whether its timer
// was started, stopped or reset amid RunParallel, or off in its last call, which neither tells.
func (b *B) tellWhy(name string, procs int) {
	if whyDir == "" && profileDir == "" {
		return
	}
	line := fmt.Sprintf("syncwrite3-traced %q %q %d %t %q", importPath, name, procs, b.syncwrite.toggled || b.syncwrite.offLast, b.whyFile())
	if p := b.syncwrite.profiling; p != nil {
		line += p.told()
	}
	tellSide(line + "\n")
}
