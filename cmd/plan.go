package cmd

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/syncwrite/syncwrite/cmd/internal/exit"
	"github.com/syncwrite/syncwrite/experiments"
	"github.com/syncwrite/syncwrite/harness"
)

// plan turns flags into what the harness is asked to do.
func (f runFlags) plan(catalogue []harness.Experiment, args []string) ([]harness.Experiment, harness.Config, error) {
	config := harness.Config{Trials: f.trials, BlocksApart: f.blocksApart(), Ops: f.ops, Seed: f.seed, Timeout: f.timeout, Why: f.why || f.traces != "", WhyFiles: f.traces, Command: append([]string{"syncwrite"}, os.Args[1:]...)}
	catalogue, err := f.aimed(catalogue, args)
	if err != nil {
		return nil, config, err
	}
	chosen, err := f.choose(catalogue, args)
	if err != nil {
		return nil, config, err
	}
	if config.Goroutines, err = parseGoroutines(f.goroutines); err != nil {
		return nil, config, err
	}
	if f.rate != "" {
		config.Rates = strings.Split(f.rate, ",")
	}
	if config.Levels, err = parseFactors(f.factors, chosen); err != nil {
		return nil, config, err
	}
	if err := f.check(); err != nil {
		return nil, config, err
	}
	byTime := slices.ContainsFunc(chosen, func(e harness.Experiment) bool { return e.ByTime })
	s, _ := suite(catalogue, args)
	if f.quick {
		if err := f.quicken(&config, chosen, s != nil, byTime); err != nil {
			return nil, config, err
		}
	}
	if f.timed {
		config.Window = f.window
	}
	if !f.timed && f.rate == "" && s == nil && !byTime { // a suite takes what its levels take, and so does the clock
		config.Budget, err = budget(config, f.quick, chosen)
	}
	return chosen, config, err
}

// aimed has remote send to --target. Nothing else may be run then: it would be measured here.
func (f runFlags) aimed(catalogue []harness.Experiment, args []string) ([]harness.Experiment, error) {
	at := slices.IndexFunc(catalogue, func(e harness.Experiment) bool { return e.Name == "remote" })
	switch {
	case f.target == "":
		return catalogue, nil
	case at < 0:
		return nil, exit.Usage(errors.New("--target: there is no experiment remote here"), "")
	}
	if !slices.ContainsFunc(args, isRemote) || slices.ContainsFunc(args, func(arg string) bool { return !isRemote(arg) }) {
		return nil, exit.Usage(errors.New("--target is for the experiment remote alone"), "syncwrite run remote --target "+f.target)
	}
	if slices.ContainsFunc(f.factors, func(word string) bool { return strings.HasPrefix(word, "target=") }) {
		return nil, exit.Usage(errors.New("--target and -p target: one of them"), "")
	}
	remote, err := experiments.RemoteTo(f.target)
	if err != nil {
		return nil, exit.Usage(fmt.Errorf("--target %q: %w", f.target, err), "")
	}
	catalogue = slices.Clone(catalogue)
	catalogue[at] = remote
	return catalogue, nil
}

// isRemote reports whether an argument names the experiment remote, or a variant of it.
func isRemote(arg string) bool { name, _, _ := strings.Cut(arg, "/"); return name == "remote" }

// quicken makes it a quick run. A suite has its own; of it, it is one block.
func (f runFlags) quicken(config *harness.Config, experiments []harness.Experiment, suite, byTime bool) error {
	switch {
	case suite:
		config.Trials = 1
		return nil
	case byTime:
		return exit.Usage(errors.New("--quick: a trial that ends by the clock has no quick one"), "fewer --trials, or a shorter --time; a suite has one of its own: syncwrite run load-course --quick")
	}
	config.Window = quickWindow
	switch {
	case f.rate != "":
		config.Window = quickOpen
	case config.Goroutines == nil:
		config.Goroutines = []int{1, 4, 16}
	}
	config.Levels = oneLevelEach(config.Levels, experiments)
	return nil
}

// Windows of a quick run, of the closed loop and of the open one.
const (
	quickWindow = 60 * time.Millisecond
	quickOpen   = 500 * time.Millisecond
)

// oneLevelEach holds the factors that are not named at their defaults, also
// those that are swept otherwise.
func oneLevelEach(named map[string][]string, experiments []harness.Experiment) map[string][]string {
	levels := maps.Clone(named)
	if levels == nil {
		levels = map[string][]string{}
	}
	for _, e := range experiments {
		for _, f := range e.Factors {
			if len(levels[f.Name]) == 0 {
				levels[f.Name] = []string{f.Default}
			}
		}
	}
	return levels
}

// choose finds what the arguments name: one suite, or experiments.
func (f runFlags) choose(catalogue []harness.Experiment, args []string) ([]harness.Experiment, error) {
	s, err := suite(catalogue, args)
	switch {
	case err != nil:
		return nil, err
	case s == nil:
		return choose(catalogue, args)
	}
	if err := f.alone(*s); err != nil {
		return nil, err
	}
	if f.quick {
		return s.Quick, nil
	}
	return s.Experiments, nil
}

// blocksApart reports whether each block gets a process of its own.
func (f runFlags) blocksApart() bool {
	return f.again && (f.processes > 1 || f.turns || f.processes == 0 && f.baseline != "" && f.trials > 1)
}

// check refuses flags that mean nothing, alone or together.
func (f runFlags) check() error {
	switch {
	case f.trials < 1:
		return exit.Usage(fmt.Errorf("--trials %d: at least 1", f.trials), "")
	case f.processes < 0 || f.processes > 1 && f.processes != f.trials:
		return exit.Usage(fmt.Errorf("--processes %d: 1, or one for each of the %d blocks: intervals are over blocks", f.processes, f.trials), fmt.Sprintf("for example --processes %d --trials %d", max(f.processes, 6), max(f.processes, 6)))
	case f.processes > 1 && !f.again:
		return exit.Usage(fmt.Errorf("--processes %d: this program cannot start itself again", f.processes), "")
	case f.window <= 0:
		return exit.Usage(fmt.Errorf("--time %v: more than 0", f.window), "")
	case f.timeout < 0:
		return exit.Usage(fmt.Errorf("--timeout %v: more than 0", f.timeout), "")
	case f.ops < 0:
		return exit.Usage(fmt.Errorf("--ops %d: at least 1", f.ops), "")
	case len(f.compare.failAbove) > 0 && f.baseline == "" && !f.turns:
		return exit.Usage(fmt.Errorf("--fail-above %s: no --baseline to compare with", f.compare.above()), "")
	case f.ops > 0 && f.rate != "":
		return exit.Usage(fmt.Errorf("--ops and --rate: one or the other"), "")
	case f.ops > 0 && f.timed:
		return exit.Usage(fmt.Errorf("--ops and --time: one or the other"), "")
	}
	return exit.First(f.checkTurns(), checkFormat(f.format))
}

// budget is what a run may take: its default, or as much as the least windows
// need where there are more cells than the default can hold.
func budget(config harness.Config, quick bool, experiments []harness.Experiment) (time.Duration, error) {
	whole := defaultBudget
	config.Window = leastWindow
	if quick {
		whole, config.Window = quickBudget, leastQuick
	}
	least, err := harness.Estimate(config, experiments...)
	if err != nil {
		return 0, exit.Usage(err, "")
	}
	return max(whole, least), nil
}

func (f runFlags) stderr() io.Writer {
	if f.quiet {
		return io.Discard
	}
	return os.Stderr
}

const (
	defaultTrials = 6
	defaultWindow = 220 * time.Millisecond
	defaultBudget = 45 * time.Second
	quickBudget   = 9500 * time.Millisecond
	leastWindow   = 50 * time.Millisecond
	leastQuick    = 30 * time.Millisecond
)
