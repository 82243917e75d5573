package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/syncwrite/syncwrite/analysis"
	"github.com/syncwrite/syncwrite/cmd/internal/exit"
	"github.com/syncwrite/syncwrite/gotest"
	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/internal/cause"
	"github.com/syncwrite/syncwrite/results"
)

func testCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "test [--results FILE] [--report FILE] [--why] [--traces DIR] [go test flags] [packages]",
		Short: "Run go test with honest parallel benchmarks",
		Long: `test runs go test, which takes all flags and packages but these four:

      --results FILE   results file to write: each benchmark with its histogram
      --report FILE    page to write, its figures beside it
      --why            run each parallel benchmark once more, traced, and say on stderr
                       where its goroutines' time went; where tracing changes it, by profiles
      --traces DIR     --why, and keep its traces and profiles in a new directory;
                       go tool trace FILE and go tool pprof FILE open them

A parallel benchmark's ns/op is then goroutine time ÷ operations, what go test
calls ns/op is wall-ns/op, and ops/s and goroutines stand beside it; so do p50-ns
and p99-ns where enough operations were timed (p99: 1,000) and the clock can tell
them. A serial benchmark gets ops/s. What the figures leave out, such as timed work
outside RunParallel, is said on stderr. The exit code is go test's.`,
		Example: `  syncwrite test -bench . -cpu 1,2,4
  syncwrite test -bench . -count 6 --results new.jsonl ./...
  syncwrite test -run '^$' -bench Mutex sync`,
		DisableFlagParsing: true, // they are go test's
		RunE: func(c *cobra.Command, args []string) error {
			f, err := parseTest(args)
			if err != nil {
				return err
			}
			if f.help {
				return c.Help()
			}
			return test(c.Context(), f)
		},
	}
}

// testFlags are the words of the test verb; those of go test stay in args.
type testFlags struct {
	results string
	page    string
	why     bool
	traces  string
	help    bool
	args    []string
}

// parseTest takes our flags out, which have two dashes: a test binary may have
// one called -results.
func parseTest(args []string) (f testFlags, err error) {
	for i := 0; i < len(args); i++ {
		name, value, given := strings.Cut(args[i], "=")
		var target *string
		switch name {
		case "-args", "--args", "--":
			f.args = append(f.args, args[i:]...)
			return f, nil
		case "-h", "--help":
			f.help = true
			continue
		case "--why":
			if given {
				return f, exit.Usage(errors.New("test: --why takes no value"), "")
			}
			f.why = true
			continue
		case "--results":
			target = &f.results
		case "--report":
			target = &f.page
		case "--traces":
			target, f.why = &f.traces, true
		case "--baseline", "--fail-above", "--min-speedup":
			return f, exit.Usage(fmt.Errorf("test: %s is of compare: syncwrite test --results new.jsonl, then syncwrite compare old.jsonl new.jsonl --fail-above 20%%", name), "")
		default:
			f.args = append(f.args, args[i])
			continue
		}
		if !given {
			if i++; i == len(args) {
				return f, needs(name)
			}
			value = args[i]
		}
		if *target = value; value == "" {
			return f, needs(name)
		}
	}
	if written := gotest.Writes(f.args); f.why && written != "" {
		return f, exit.Usage(fmt.Errorf("test: --why runs the benchmarks again, which would write over what %s has written", written), "")
	}
	return f, nil
}

func needs(flag string) error {
	what := "file"
	if flag == "--traces" {
		what = "directory"
	}
	return exit.Usage(fmt.Errorf("test: %s needs a %s", flag, what), "")
}

// test runs go test and keeps what its benchmarks told.
func test(ctx context.Context, f testFlags) error {
	if err := checkPage(f.page); err != nil {
		return err
	}
	var out files
	if f.results != "" {
		if err := out.create(f.results); err != nil {
			return err
		}
	}
	start := time.Now().UTC().Truncate(time.Millisecond)
	outcome, err := gotest.Run(ctx, gotest.Config{Args: f.args, Why: f.why, WhyFiles: f.traces, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr})
	if err != nil {
		out.discard()
		return fmt.Errorf("test: %w", err)
	}
	words(os.Stderr, outcome)
	if f.why || f.results != "" || f.page != "" || outcome.Count > 1 {
		run := tested(outcome, start)
		report := analysis.Analyze(run)
		whyWords(os.Stderr, report)
		scalingWords(os.Stderr, report)
		err = keepTrials(f, &out, run, report)
	}
	if outcome.WhyCut {
		return exit.With(exit.Interrupted, err, "")
	}
	if outcome.ExitCode != 0 {
		return exit.With(outcome.ExitCode, err, "") // go test has said why
	}
	return err
}

// words says what the figures do not, in a line each.
func words(stderr io.Writer, o gotest.Outcome) {
	if o.Plain != nil {
		exit.Say(stderr, "plain go test, with ops/s added: "+o.Plain.Error())
	}
	if o.WhyCut {
		exit.Say(stderr, "why: interrupted: nothing is told of where the goroutines' time went; the figures are of the run before")
	}
	if n := len(o.Unread); n > 0 {
		exit.Say(stderr, fmt.Sprintf("not read: %s of what test binaries told, and what it told is missing; the first: %v", results.Count(n, "line"), o.Unread[0]))
	}
	for _, doubt := range []struct {
		names []string
		text  string
	}{
		{o.Blind(), "not seen: the goroutines that %s started without RunParallel of their own b; their ns/op is wall time"},
		{o.Untimed(), "not timed: the timer of %s was off while RunParallel ran; what that did is in no figure"},
		{o.NotKept(gotest.HalfTimed), "not timed: %s stopped the timer for a part of RunParallel while operations passed, or may have; ns/op is go test's, and no trial is kept of that"},
		{o.NotKept(gotest.Timeless), "not timed: no time passed on the timer of %s; no trial is kept of that"},
		{o.NotKept(gotest.Skipped), "skipped: %s called Skip, or ended its goroutine, when it had begun; no trial is kept of that"},
		{o.NotKept(gotest.LateReset), "reset late: %s reset the timer within RunParallel when operations had passed, or may have, or behind its last call; of those there is no time, or they were setup: ns/op is go test's, and no trial is kept of that"},
		{o.NotKept(gotest.LeftOver), "left over: the body of %s ended before Next had reported false, and operations were left that nobody ran, or that may not have come to their end; they are in b.N: ns/op is go test's, and no trial is kept of that"},
		{o.Outside(), "outside RunParallel: timed work of %s; it is in wall-ns/op and not in ns/op, outside-share says how much"},
		{o.Repeated(), "several times: %s called RunParallel more than once; ns/op and ops/s are of all its calls together, quantiles of single operations"},
		{o.NotKept(gotest.Overlapping), "overlapping: %s called RunParallel while another of its calls ran; one timer cannot tell them apart: ns/op is go test's, and no trial is kept of that"},
		{o.NotKept(gotest.WithinLoop), "not run: %s called RunParallel within b.Loop, where it runs no operation; ns/op is go test's, of what is left, and no trial is kept of that"},
		{o.EndedEarly(), "ended early: the test process of %s ended before the benchmarks did; repetitions and benchmarks that it did not come to are missing"},
		{o.Failed(), "did not pass every repetition: %s; the figures are of those that passed, and no threshold passes over their cells"},
		{o.TooOften(), "repeated too often: %s ran more often than -count asked for; two benchmarks of this name, or TestMain running the tests twice, cannot be told apart: no figures of them are kept, and no threshold passes over them"},
		{o.Coarse(), "below the clock: operations of %s; quantiles up to twice its step, or twice what a reading takes, are left out"},
	} {
		if len(doubt.names) > 0 {
			exit.Say(stderr, fmt.Sprintf(doubt.text, results.FewNames(doubt.names)))
		}
	}
}

// whyWords says where the goroutines' time of each benchmark went.
func whyWords(stderr io.Writer, r *results.Report) {
	for _, f := range r.Findings {
		of := ""
		if len(r.Findings) > 1 {
			of = " of " + f.Experiment.Name
		}
		for _, e := range f.Explained {
			exit.Say(stderr, fmt.Sprintf("why: Benchmark%s%s, N = %d: %s", e.Variant, of, e.Goroutines, e.Text))
		}
	}
}

// scalingWords says how each benchmark scales that has levels of -cpu and repetitions enough.
func scalingWords(stderr io.Writer, r *results.Report) {
	for _, f := range r.Findings {
		for _, fit := range f.Fits {
			if fit.Lambda.Median.Known() {
				exit.Say(stderr, fmt.Sprintf("scaling: Benchmark%s up to N = %d: %s", fit.Variant, fit.Most, fit.Text))
			}
		}
	}
}

// tested is the outcome as a run.
func tested(o gotest.Outcome, start time.Time) *results.Run {
	run := &results.Run{}
	run.Experiments, run.Trials = o.Results()
	run.Outcomes, run.Breakdowns = o.Errors(), o.Breakdowns
	env := results.Env{
		Format: results.Format, Start: start, Command: append([]string{"syncwrite"}, os.Args[1:]...),
		Machine: harness.Here(), Settings: results.Settings{Loop: results.GoTest, Trials: o.Count, Flags: o.Flags}, LoadBefore: results.Missing(), Unmeasured: cause.Unmeasured(),
		Overhead: results.Overhead{SampledNS: results.Missing(), TimedNS: results.Missing(), ClockNS: results.Missing()},
	}
	env.Machine.Go = o.Go
	if len(env.Unmeasured) > 0 {
		env.Warnings = []results.Warning{results.NotMeasured(env.Unmeasured)}
	}
	env.TakeProcs(run.Trials)
	for _, t := range run.Trials {
		env.Settings.Trials = max(env.Settings.Trials, t.Block)
	}
	end := results.End{Status: results.Complete, WallNS: time.Since(start).Nanoseconds(), LoadAfter: results.Missing()}
	if o.ExitCode != 0 || len(o.Failures) > 0 || len(o.TooOften()) > 0 || len(o.Unread) > 0 || len(o.EndedEarly()) > 0 { // go test passes if only repetitions failed, were too many or are missing
		end.Status = results.Failed
	}
	run.Envs, run.Ends = []results.Env{env}, []results.End{end}
	*run = results.PrintableRecord(*run) // as whoever reads the results would have it
	return run
}

// keepTrials writes the files that were asked for; without a trial, or what stands in the
// place of one, there is nothing to write.
func keepTrials(f testFlags, out *files, run *results.Run, report *results.Report) error {
	if f.results == "" && f.page == "" {
		return nil
	}
	if len(run.Trials) == 0 && len(run.Outcomes) == 0 {
		out.discard()
		fmt.Fprintln(os.Stderr, "syncwrite: no benchmark told its trials: no results written")
		return nil
	}
	if f.results != "" {
		if err := exit.First(writeRun(out.results, run, report), out.results.Close()); err != nil {
			return err
		}
		out.name(os.Stderr)
	}
	out.page = f.page
	return out.writePage(os.Stderr, report)
}
