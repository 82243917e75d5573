package harness

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/syncwrite/syncwrite/internal/cause"
	"github.com/syncwrite/syncwrite/results"
)

// Run measures the experiments in this process and returns what was found. If
// ctx is cancelled, it returns within a second, with the finished trials and
// ctx's error. A variant whose operation fails, panics or does not return in
// time leaves an Outcome and is not run again; the others go on. Goroutines
// that are stuck run on beside them, and later trials say so: [RunApart] goes
// on in a fresh process. Errors of the configuration are returned before
// anything is measured.
func Run(ctx context.Context, config Config, experiments ...Experiment) (*results.Run, error) {
	config, experiments, allSeries, err := prepare(config, experiments)
	if err == nil && config.BlocksApart {
		err = errors.New("blocks in processes of their own are for RunApart")
	}
	if err == nil {
		err = ready(ctx, config, experiments)
	}
	if err != nil {
		return nil, err
	}
	k := newKeeper(config)
	s := newState(allSeries, config.Seed)
	if err := s.adopt(allSeries); err != nil {
		return nil, err
	}
	r := runner{config: config, experiments: experiments, allSeries: allSeries, state: &s, keep: k.keep, tell: k.tell}
	err = r.all(ctx)
	return k.run, first(err, k.end(err))
}

// prepare completes the configuration and plans.
func prepare(config Config, experiments []Experiment) (_ Config, _ []Experiment, allSeries []*series, err error) {
	config = config.withDefaults()
	if err := config.Check(); err != nil {
		return config, nil, nil, err
	}
	if len(experiments) == 0 {
		return config, nil, nil, errors.New("no experiment to run")
	}
	if config.Dir, err = filepath.Abs(config.Dir); err != nil { // an operation may change the working directory
		return config, nil, nil, err
	}
	if config.WhyFiles != "" {
		if config.WhyFiles, err = filepath.Abs(config.WhyFiles); err != nil {
			return config, nil, nil, err
		}
	}
	experiments = atRates(config, experiments)
	allSeries, err = plan(config, experiments)
	for config.Seed == 0 {
		config.Seed = rand.Uint64() >> 11 // short enough for any JSON reader
	}
	return config, experiments, allSeries, err
}

// ready gets what variants need before anything is measured.
func ready(ctx context.Context, config Config, experiments []Experiment) error {
	say := config.Say
	if say == nil {
		say = func(string) {}
	}
	if err := cause.MakeDir(config.WhyFiles); err != nil {
		return err
	}
	for _, e := range experiments {
		for _, v := range e.Variants {
			if v.Prepare == nil {
				continue
			}
			if err := v.Prepare(ctx, say); err != nil {
				return fmt.Errorf("%s/%s: %w", e.Name, v.Name, err)
			}
		}
	}
	return nil
}

// Cells are those that a run will measure, named as its results name them.
func Cells(config Config, experiments ...Experiment) ([]results.Cell, error) {
	allSeries, err := plan(config, atRates(config, experiments))
	if err != nil {
		return nil, err
	}
	var all []results.Cell
	for _, p := range cells(allSeries) {
		trial := results.Trial{Experiment: p.experiment, Variant: p.variant.Name, Factors: p.factors, Goroutines: p.goroutines}
		all = append(all, results.PrintableRecord(trial).Cell())
	}
	return all, nil
}

// Estimate is how long a run will take by its plan, before anything is measured. It takes
// longer where a variant is much slower at one N than at another, since its operations are
// the same at all; [Progress] knows once the run is calibrated.
func Estimate(config Config, experiments ...Experiment) (time.Duration, error) {
	config = config.withDefaults()
	if err := config.Check(); err != nil {
		return 0, err
	}
	allSeries, err := plan(config, atRates(config, experiments))
	if err != nil {
		return 0, err
	}
	whole := time.Duration(0)
	for _, p := range cells(allSeries) {
		perTrial := p.series.window + p.variant.Besides + 15*time.Millisecond // opening, collecting, removing
		whole += time.Duration(config.Trials)*perTrial + 60*time.Millisecond  // calibration
	}
	if config.BlocksApart { // each begins with a process, and with a trial that is discarded
		whole += time.Duration(config.Trials) * (allSeries[0].window + 65*time.Millisecond)
	}
	if config.Budget > 0 {
		whole = min(whole, config.Budget)
	}
	if config.Why {
		for _, p := range cells(allSeries) {
			whole += max(p.series.window, tracedLeast) + p.variant.Besides
		}
	}
	return whole, nil
}

// atRates gives each experiment the rates as the levels of a factor.
func atRates(c Config, experiments []Experiment) []Experiment {
	if len(c.Rates) == 0 {
		return experiments
	}
	experiments = slices.DeleteFunc(slices.Clone(experiments), func(e Experiment) bool { return e.Along }) // limits are those of the closed loop
	for i := range experiments {
		levels := rateLevels(c.Rates)
		rate := Factor{Name: results.RateFactor, About: "operations that are due a second", Default: levels[0], Levels: levels}
		experiments[i].Factors = append(slices.Clone(experiments[i].Factors), rate)
	}
	return experiments
}

// rateLevels writes rates without their unit, which a name of a cell has no room for.
func rateLevels(rates []string) []string {
	var all []string
	for _, text := range rates {
		all = append(all, strings.TrimSuffix(text, "/s"))
	}
	return all
}
