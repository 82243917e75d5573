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

	profiled     bool
	besides      int // goroutines that are neither of RunParallel nor of package testing
	begun        int // goroutines that began meanwhile; 0: not known
	used, waited results.Number
}

// parseTrace is the way back from tellWhy; what stands behind the file is of profiles.
func parseTrace(line string) (t trace, err error) {
	rest := strings.NewReader(line)
	if _, err = fmt.Fscanf(rest, tracedLine+"%q %q %d %t %q", &t.pkg, &t.name, &t.procs, &t.toggled, &t.file); err != nil || rest.Len() == 0 {
		return t, err
	}
	var seconds float64
	var records uint64
	var began, ended string
	_, err = fmt.Fscanf(rest, " %d %d %g %d %q %q", &t.besides, &t.begun, &seconds, &records, &began, &ended)
	t.profiled = true
	t.used = cause.UsedBetween(strings.Split(began, "\x00"), strings.Split(ended, "\x00"))
	t.waited = cause.Waited(seconds, records)
	return t, err
}
