// Package stack tells from the stack of a goroutine where in a program it is, and what it
// waits for there: the line of the caller's own code, and what of the standard library that
// called. Traces and profiles have stacks alike.
package stack

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/syncwrite/syncwrite/results"
)

// A Frame is one call of a stack.
type Frame struct {
	Func string // with its package's path
	File string // as the compiler has it
	Line int
}

// Seen is what a stack tells.
type Seen struct {
	Place
	Call Kind // of a system call
	Sync Kind // of a wait in package sync
	poll Kind // of a wait that the poller ends
}

// Look finds out about a stack, whose innermost call comes first.
func Look(frames []Frame) Seen {
	inner := frames[:outermost(frames)]
	return Seen{Place: placeOf(frames, inner), Call: ofCall(inner), Sync: ofSync(inner), poll: ofPoll(inner)}
}

// MostPlaces is how many places of a kind are told.
const MostPlaces = 3

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

// Compare orders places by their lines.
func (p Place) Compare(q Place) int {
	return cmp.Or(cmp.Compare(p.File, q.File), cmp.Compare(p.Line, q.Line), cmp.Compare(p.Call, q.Call))
}

// outermost is how many frames of a stack, whose innermost comes first, are the standard
// library's, before the first that is not.
func outermost(frames []Frame) int {
	for i, f := range frames {
		if !standard(f) {
			return i
		}
	}
	return len(frames)
}

// placeOf finds the place of a stack, of which the inner frames are the standard library's.
func placeOf(frames, inner []Frame) (p Place) {
	if n := len(inner); n < len(frames) {
		p = Place{File: frames[n].File, Line: frames[n].Line, Func: frames[n].Func}
	}
	for _, f := range inner {
		if told(f.Func) {
			p.Call = f.Func
		}
	}
	if within(inner, "internal/poll.(*fdMutex)") {
		p.Call = results.FileLock
	}
	return p
}

// told reports whether a function of the library says something to who reads it: what is
// below runtime and internal packages is how it is done.
func told(name string) bool {
	return !strings.HasPrefix(name, "runtime.") && !strings.HasPrefix(name, "internal/")
}
