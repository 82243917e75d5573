package cmd

import (
	"time"
)

// runFlags are the words of the run verb.
type runFlags struct {
	goroutines string
	rate       string // of the open loop; empty: the closed one
	factors    []string
	trials     int
	ops        int
	window     time.Duration
	timed      bool // window was named
	timeout    time.Duration
	again      bool // this program can start itself again
	quick      bool
	seed       uint64
	dir        string
	output     string
	page       string
	format     string
	quiet      bool
	verbose    bool
	baseline   string
	live       string // where the page is served while the run goes on; empty: nowhere
	compare    compareFlags
}
