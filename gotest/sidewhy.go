package gotest

import (
	"fmt"
	"strings"

	"github.com/syncwrite/syncwrite/internal/cause"
	"github.com/syncwrite/syncwrite/results"
)

// tracedLine is what tellWhy in insidewhy.go starts a line with.
const tracedLine = "syncwrite3-traced "

// A trace is what a benchmark's last window left: its trace, or its profiles.
type trace struct {
	repeated
	toggled bool // the timer did not run all the while
	file    string

	profiled bool
	besides  int // goroutines that are neither of RunParallel nor of package testing
	begun    int // goroutines that began meanwhile; 0: not known
	used     results.Number
	waited   results.Number
	locked   results.Number
}

// parseTrace is the way back from tellWhy; what stands behind the file is of profiles.
func parseTrace(line string) (t trace, err error) {
	rest := strings.NewReader(line)
	if _, err = fmt.Fscanf(rest, tracedLine+"%q %q %d %t %q", &t.pkg, &t.name, &t.procs, &t.toggled, &t.file); err != nil || rest.Len() == 0 {
		return t, err
	}
	var seconds, locked float64
	var records uint64
	var began, ended string
	_, err = fmt.Fscanf(rest, " %d %d %g %g %d %q %q", &t.besides, &t.begun, &locked, &seconds, &records, &began, &ended)
	t.profiled = true
	t.used = cause.UsedBetween(strings.Split(began, "\x00"), strings.Split(ended, "\x00"))
	if t.waited, t.locked = cause.Waited(seconds, records), results.Missing(); t.waited.Known() { // the same goroutines tell of both
		t.locked = results.Number(locked * 1e9)
	}
	return t, err
}

// others are the goroutines that began meanwhile besides so many of RunParallel.
func (t trace) others(own int) results.Number {
	if t.begun == 0 {
		return results.Missing()
	}
	return results.Number(t.begun - own)
}
