package traced

import (
	"fmt"
	"path"
	"path/filepath"
	"reflect"
	"runtime"
	"runtime/debug"
	"strings"

	"golang.org/x/exp/trace"
)

// A Place is a line of a program: the innermost one of a stack that is none of the standard
// library's, and what of the library it called there.
type Place struct {
	File string // as the compiler has it; empty where nobody knows
	Line int
	Func string // with its package's path
	Call string // of the standard library, e.g. "sync.(*Mutex).Lock"; empty for none
}

// String is "file.go:12", or what is known instead.
func (p Place) String() string {
	switch {
	case p.File != "":
		return fmt.Sprintf("%s:%d", filepath.Base(p.File), p.Line)
	case p.Call != "":
		return p.Call
	}
	return "an unknown place"
}

// library is where the standard library's files are; "./" in a build that trims paths.
var library = func() string {
	file, _ := runtime.FuncForPC(reflect.ValueOf(runtime.GC).Pointer()).FileLine(0)
	return path.Dir(path.Dir(file)) + "/"
}()

// cgoFile is what cgo makes of calls to C.
const cgoFile = "_cgo_gotypes.go"

// standard reports whether a frame is of the standard library, or of its system calls' other
// home.
func standard(f trace.StackFrame) bool {
	if strings.HasPrefix(f.Func, "golang.org/x/sys/") || strings.HasSuffix(f.File, cgoFile) {
		return true
	}
	if library != "./" {
		return strings.HasPrefix(f.File, library)
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Path != "" && strings.HasPrefix(f.File, info.Main.Path+"/") {
		return false
	}
	first, _, _ := strings.Cut(f.File, "/")
	return !strings.Contains(first, ".") && !strings.HasPrefix(f.Func, "main.")
}

// fileLock is the lock that a file has beside the descriptor.
const fileLock = "the lock inside os.File"

// outermost is how many frames of a stack, whose innermost comes first, are the standard
// library's, before the first that is not.
func outermost(frames []trace.StackFrame) int {
	for i, f := range frames {
		if !standard(f) {
			return i
		}
	}
	return len(frames)
}

// placeOf finds the place of a stack, of which the inner frames are the standard library's.
func placeOf(frames, inner []trace.StackFrame) (p Place) {
	if n := len(inner); n < len(frames) {
		p = Place{File: frames[n].File, Line: int(frames[n].Line), Func: frames[n].Func}
	}
	for _, f := range inner {
		if told(f.Func) {
			p.Call = f.Func
		}
	}
	if within(inner, "internal/poll.(*fdMutex)") {
		p.Call = fileLock
	}
	return p
}

// told reports whether a function of the library says something to who reads it: what is
// below runtime and internal packages is how it is done.
func told(name string) bool {
	return !strings.HasPrefix(name, "runtime.") && !strings.HasPrefix(name, "internal/")
}
