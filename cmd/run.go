package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/syncwrite/syncwrite/analysis"
	"github.com/syncwrite/syncwrite/cmd/internal/exit"
	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/results"
)

func runCommand(catalogue []harness.Experiment, again bool) *cobra.Command {
	f := runFlags{again: again}
	c := &cobra.Command{
		Use:   "run [SUITE | EXPERIMENT | EXPERIMENT/VARIANT ...]",
		Short: "Measure; without a name, the append-only log",
		Long: `run measures every variant at every number of goroutines, in random order, and
prints what the trials allow to say. All trials are kept in a results file.

Exit codes: 0 measured, 1 an error or a variant that failed, 2 wrong usage,
3 a threshold failed, 4 the trials cannot tell whether one holds, 5 --baseline
is not comparable, 130 interrupted; what was measured is kept in all cases.`,
		Example: `  syncwrite run                       the main job: one log, 1 to 16 goroutines
  syncwrite run --quick               the same, rougher, in about 12 seconds
  syncwrite run log/file log/leveldb -g 1,8,64 -p payload=3,1024
  syncwrite run course                the thread experiments of a course, at its levels`,
		RunE: func(c *cobra.Command, args []string) error {
			f.timed, f.adapts, f.turns = c.Flags().Changed("time"), !c.Flags().Changed("trials"), c.Flags().Changed("against")
			switch {
			case c.Flags().Changed("ops") && f.ops == 0:
				return exit.Usage(errors.New("--ops 0: at least 1"), "")
			case c.Flags().Changed("timeout") && f.timeout == 0:
				return exit.Usage(errors.New("--timeout 0s: more than 0"), "")
			}
			return run(c.Context(), catalogue, args, f)
		},
	}
	flags := c.Flags()
	flags.StringVarP(&f.goroutines, "goroutines", "g", "", "levels of N (default 1,2,4,8,16)")
	flags.StringArrayVarP(&f.factors, "factor", "p", nil, "levels of a factor: FACTOR=LEVEL,...")
	flags.StringVar(&f.target, "target", "", "HOST:PORT of a syncwrite serve echo: remote sends there (default: to itself)")
	flags.IntVar(&f.trials, "trials", defaultTrials, "blocks; fewer than 6 carry no interval (with --fail-above: as many as it needs, up to 24, of two programs up to 60)")
	flags.IntVar(&f.processes, "processes", 0, "1, or as many as there are blocks: each in a fresh one (default: that with --baseline, else 1)")
	flags.IntVar(&f.ops, "ops", 0, "operations of a trial (default: calibrated)")
	flags.DurationVar(&f.window, "time", defaultWindow, "mean length of a trial; lifts the budget of the run")
	flags.DurationVar(&f.timeout, "timeout", 0, "how long one trial may take (default: 20 s, or 20 times its plan)")
	flags.StringVar(&f.rate, "rate", "", "open loop: operations are due at RATE,..., such as 10k/s, 1k+2k/s (steps), 1k-10k/s (a ramp), poisson:10k/s")
	flags.BoolVar(&f.quick, "quick", false, "three levels of N, one of each factor, short windows: about 12 s")
	flags.StringVar(&f.dir, "dir", "", "directory on the disk to measure (default: where the results go)")
	flags.StringVar(&f.traces, "traces", "", "--why, and keep its traces and profiles in a new `DIR`; go tool trace FILE and go tool pprof FILE open them")
	flags.BoolVar(&f.why, "why", false, "trace every cell once more, behind its trials, and say where its goroutines' time went")
	f.telling(c)
	flags.StringVar(&f.baseline, "baseline", "", "results of an earlier run: compare with it in one command")
	flags.StringVar(&f.against, "against", "", "an older `PROGRAM` of this command: both take turns, trial by trial, and are compared")
	f.compare.thresholds(c)
	c.ValidArgsFunction = completeNames(catalogue)
	completes(c, "factor", completeFactors(catalogue))
	return c
}

// run measures, keeps each record as it comes, and prints the report of all
// finished trials however the run ended.
func run(ctx context.Context, catalogue []harness.Experiment, args []string, f runFlags) error {
	experiments, config, err := f.plan(catalogue, args)
	if err != nil {
		return err
	}
	return f.carryOut(ctx, runName(catalogue, args, experiments), experiments, config)
}

// carryOut measures what was planned, for run and for load.
func (f runFlags) carryOut(ctx context.Context, name string, experiments []harness.Experiment, config harness.Config) error {
	switch child, err := measuring(); {
	case err != nil:
		return err
	case child:
		return measureForOther(ctx, config, f.stderr(), experiments)
	}
	older, chosen, err := f.holdsTo(experiments, config)
	if err != nil {
		return err
	}
	f.enough(&config, older)
	least, estimate, err := estimates(config, experiments)
	if err != nil {
		return exit.Usage(err, "")
	}
	page, err := f.openLive()
	if err != nil {
		return err
	}
	files, err := openFiles(f, name)
	if err != nil {
		page.close()
		return err
	}
	defer files.remove()
	stderr := f.stderr()
	f.sayNeeds(stderr, older, config.Trials)
	if f.turns {
		exit.Say(stderr, "takes turns with "+results.Printable(f.against)+", trial by trial")
		least, estimate = 2*least, 2*estimate
	}
	announce(stderr, experiments, config, least, estimate)
	config.Dir, config.Record = files.work.path, files.writer.Write
	config.Say = func(text string) { exit.Say(stderr, text) }
	show := newProgress(stderr)
	config.Progress = corrected(stderr, config, estimate, show)
	page.watch(&config, stderr)
	var measured *results.Run
	if f.turns {
		older, measured, err = f.measureTurns(ctx, config, files, stderr, experiments)
	} else {
		measured, err = measure(ctx, config, f.again, stderr, experiments)
	}
	show.clear()
	page.end(ctx)
	if measured == nil || len(measured.Envs) == 0 {
		files.discard()
		return err
	}
	return f.report(stderr, files, older, measured, chosen, err)
}

// holdsTo returns what the run will be held to, the baseline and the cells of it; an error where
// it could not be.
func (f *runFlags) holdsTo(experiments []harness.Experiment, config harness.Config) (older *results.Run, chosen []results.Cell, err error) {
	if chosen, err = harness.Cells(config, experiments...); err != nil {
		return nil, nil, exit.Usage(err, "")
	}
	if older, err = f.readBaseline(); err != nil {
		return nil, nil, err
	}
	return older, chosen, exit.First(sharesCells(older, experiments, chosen), f.checkSpeedups(experiments, config))
}

// report tells what was measured, also where that ended with an error, and what it comes to beside
// what it is held to.
func (f *runFlags) report(stderr io.Writer, files *files, older, measured *results.Run, chosen []results.Cell, ended error) error {
	report := analysis.Analyze(measured)
	comparison, refused := f.judge(older, measured, chosen)
	report.Comparison = comparison
	err := exit.First(ended, files.finish(report), files.writePage(stderr, report))
	files.name(stderr)
	err = exit.First(err, render(files.report, f.format, measured, report, f.verbose), failed(stderr, f.errors(older, measured)))
	if err != nil {
		return err
	}
	return verdict(stderr, comparison, refused)
}

// openLive opens the port that --live names; nil without.
func (f *runFlags) openLive() (*live, error) {
	if f.live == "" {
		return nil, nil
	}
	return listenLive(f.live)
}

// readBaseline reads the run to compare with, before anything is measured;
// nil if there is none.
func (f *runFlags) readBaseline() (*results.Run, error) {
	if _, err := f.compare.parse(); err != nil || f.baseline == "" {
		return nil, err
	}
	baseline, err := readResults(f.baseline)
	if err == nil && baseline.OfBench() {
		return nil, exit.Usage(fmt.Errorf("--baseline %s: nothing is compared with the benchmark format, which keeps no doubts", f.baseline), "")
	}
	return baseline, err
}

// sharesCells refuses a baseline that has none of the cells that were chosen, before
// they are measured. What is measured along is none of them.
func sharesCells(older *results.Run, experiments []harness.Experiment, chosen []results.Cell) error {
	if older == nil {
		return nil
	}
	along := func(c results.Cell) bool {
		return slices.ContainsFunc(experiments, func(e harness.Experiment) bool { return e.Name == c.Experiment && e.Along })
	}
	for _, t := range older.Trials {
		if slices.Contains(chosen, t.Cell()) && !along(t.Cell()) {
			return nil
		}
	}
	return exit.With(exit.Incomparable, errors.New("not comparable: --baseline has none of the cells that were chosen"), "")
}

// checkSpeedups refuses thresholds on cells that will not be measured.
func (f *runFlags) checkSpeedups(experiments []harness.Experiment, config harness.Config) error {
	p, err := f.compare.parse()
	if err != nil {
		return err
	}
	for _, s := range p.speedups {
		if !slices.ContainsFunc(experiments, func(e harness.Experiment) bool { return holds(e, config, s.Cell) }) {
			return exit.Usage(fmt.Errorf("--min-speedup: %s will not be measured", s.Cell), "")
		}
	}
	return nil
}

// holds reports whether the experiment has the variant and the level of N of a
// cell; its factors are asked when there are results.
func holds(e harness.Experiment, config harness.Config, cell string) bool {
	return slices.ContainsFunc(e.Variants, func(v harness.Variant) bool {
		return slices.ContainsFunc(config.LevelsOf(e), func(n int) bool {
			rest, ok := strings.CutPrefix(cell, e.Name+"/"+v.Name)
			return ok && strings.HasSuffix(rest, "@"+strconv.Itoa(n)) && (rest[0] == '/' || rest[0] == '@')
		})
	})
}

// judge holds the run against its baseline and the thresholds; nil if there
// are none. Cells of the baseline that were not chosen this time are held to none. A
// baseline that is not alike is refused, and what needs none is told all the same.
func (f *runFlags) judge(older, measured *results.Run, chosen []results.Cell) (*results.Comparison, error) {
	if older == nil {
		return f.compare.alone(measured)
	}
	if unlike := analysis.Unlike(older, measured); len(unlike) > 0 {
		c, err := f.compare.alone(measured)
		return c, exit.First(err, notComparable(strings.Join(unlike, "; "), anyway))
	}
	return f.compare.compare(older, measured, chosen)
}

// anyway says how a run is compared with what its --baseline is refused for.
const anyway = "syncwrite compare --anyway OLD.jsonl NEW.jsonl compares them all the same"

// verdict is how a run ends that was held against others and thresholds: what certainly failed
// goes before a refusal to compare, which is said on stderr then, and that before what cannot
// be told.
func verdict(stderr io.Writer, c *results.Comparison, refused error) error {
	if c == nil {
		return refused
	}
	err := verdictOf(c.Gates)
	var f *exit.Failure
	switch {
	case refused == nil:
		return err
	case errors.As(err, &f) && f.Code == exit.Threshold:
		exit.Code(stderr, refused)
		return err
	}
	return refused
}

// errors are what ended variants of the run, and where another program took turns, of that one's.
func (f *runFlags) errors(older, measured *results.Run) []results.Outcome {
	all := measured.Errors()
	if f.turns && older != nil {
		for _, o := range older.Errors() {
			o.Text = "in the older program: " + o.Text
			all = append(all, o)
		}
	}
	return all
}

// failed tells of variants that ended by an error. The other variants stand,
// but the command did not do all it was asked to.
func failed(stderr io.Writer, outcomes []results.Outcome) error {
	for _, o := range outcomes[:max(len(outcomes)-1, 0)] {
		exit.Say(stderr, outcomeError(o).Error())
	}
	if len(outcomes) == 0 {
		return nil
	}
	return outcomeError(outcomes[len(outcomes)-1])
}

func outcomeError(o results.Outcome) error {
	return fmt.Errorf("%s/%s at N = %d: %s", o.Experiment, o.Variant, o.Goroutines, o.Text)
}
