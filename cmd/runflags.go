package cmd

import (
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// runFlags are the words of the run verb.
type runFlags struct {
	goroutines string
	rate       string // of the open loop; empty: the closed one
	factors    []string
	target     string // whom remote asks; empty: a service of this process
	trials     int
	adapts     bool // trials were not named: a threshold takes what it needs
	processes  int  // 0: as many as there are blocks with --baseline, else one
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
	why        bool
	traces     string
	baseline   string
	turns      bool   // against was named
	against    string // an older program, which takes turns with this one
	live       string // where the page is served while the run goes on; empty: nowhere
	compare    compareFlags
}

// telling are the flags of every verb that measures: what is told of it, and where.
func (f *runFlags) telling(c *cobra.Command) {
	flags := c.Flags()
	flags.Uint64Var(&f.seed, "seed", 0, "what is drawn, the order of the trials too (default: drawn)")
	flags.StringVarP(&f.output, "output", "o", "", "results file; - is stdout (default: syncwrite-results/…/run.jsonl)")
	flags.StringVar(&f.page, "report", "", "page to write, its figures beside it (default: report.html beside run.jsonl; none with -o)")
	flags.StringVar(&f.format, "format", "text", "what is printed: "+strings.Join(formatNames(), ", "))
	flags.BoolVar(&f.quiet, "quiet", false, "no words on stderr")
	flags.BoolVar(&f.verbose, "verbose", false, verboseHelp)
	flags.StringVar(&f.live, "live", "", "serve the page on this machine while the run goes on, between trials")
	flags.Lookup("live").NoOptDefVal = usualLive
	f.compare.bounds(c)
	completes(c, "format", completeWords(formatNames()))
}
