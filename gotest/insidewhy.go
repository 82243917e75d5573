//go:build never

// Where the command asks for it, each window is traced: the last one of a benchmark, which
// has the most operations, stays. See inside.go.

package testing

import (
	"context"
	"fmt"
	"os"
	"runtime/trace"
	"strconv"
)

// mostTrace is how much of a window's trace is kept, in bytes.
const mostTrace = 64 << 20

// whyDir is where traces go, and whyNumber tells those of this process apart.
var (
	whyDir    = takeWhyDir()
	whyNumber int
)

// takeWhyDir takes the directory's name out of the environment, as takeSide does.
func takeWhyDir() string {
	const variable = "SYNCWRITE_GOTEST_WHY"
	dir := os.Getenv(variable)
	os.Unsetenv(variable)
	return dir
}

// tracing is the trace of a window.
type tracing struct {
	file *os.File
	left int64
}

// startTracing starts the trace of a window; nil where none is asked for, or can be had.
func startTracing() *tracing {
	if whyDir == "" || side == "" || trace.IsEnabled() {
		return nil
	}
	file, err := os.Create(whyDir + string(os.PathSeparator) + strconv.Itoa(os.Getpid()) + "-" + strconv.Itoa(whyNumber))
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

// tellTrace tells the side file which trace is a benchmark's, and whether its timer was stopped
// or reset amid RunParallel, which no trace tells.
func (b *B) tellTrace(name string, procs int) {
	if whyDir != "" {
		tellSide(fmt.Sprintf("syncwrite3-traced %q %q %d %t %q\n", importPath, name, procs, b.syncwrite.toggled, strconv.Itoa(os.Getpid())+"-"+strconv.Itoa(whyNumber)))
		whyNumber++
	}
}
