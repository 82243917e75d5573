package cmd

import (
	"fmt"
	"slices"

	"github.com/syncwrite/syncwrite/cmd/internal/exit"
	"github.com/syncwrite/syncwrite/experiments"
	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/load"
)

// suites are those that the catalogue holds all experiments of: a binary with
// a catalogue of its own offers only what it has.
func suites(catalogue []harness.Experiment) []experiments.Suite {
	all := slices.Concat(experiments.Suites(), load.Suites())
	return slices.DeleteFunc(all, func(s experiments.Suite) bool {
		return slices.ContainsFunc(s.Experiments, func(e harness.Experiment) bool {
			return !slices.ContainsFunc(catalogue, func(c harness.Experiment) bool { return c.Name == e.Name })
		})
	})
}

// suite finds the suite that is to be run; nil if an experiment is named, or
// nothing.
func suite(catalogue []harness.Experiment, args []string) (*experiments.Suite, error) {
	for _, s := range suites(catalogue) {
		if !slices.Contains(args, s.Name) {
			continue
		}
		if len(args) > 1 {
			return nil, exit.Usage(fmt.Errorf("suite %s: it runs alone, at its own levels", s.Name), "")
		}
		return &s, nil
	}
	return nil, nil
}

// alone refuses the flags that a suite settles by itself.
func (f runFlags) alone(s experiments.Suite) error {
	for _, flag := range []struct {
		name string
		set  bool
	}{
		{"-g", f.goroutines != ""}, {"-p", len(f.factors) > 0}, {"--ops", f.ops > 0}, {"--time", f.timed}, {"--quick", f.quick && s.Quick == nil},
	} {
		if flag.set {
			return exit.Usage(fmt.Errorf("suite %s has its own levels: no %s", s.Name, flag.name), "name its experiments instead, or fewer --trials")
		}
	}
	return nil
}

func suiteNames(all []experiments.Suite) []string {
	var names []string
	for _, s := range all {
		names = append(names, s.Name)
	}
	return names
}
