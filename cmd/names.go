package cmd

import (
	"fmt"
	"slices"
	"strings"

	"github.com/syncwrite/syncwrite/cmd/internal/exit"
	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/results"
)

// choose finds the experiments that the arguments name: EXPERIMENT or
// EXPERIMENT/VARIANT. Without arguments it is the first of the catalogue, the
// main job. Variants keep the experiment's order.
func choose(catalogue []harness.Experiment, args []string) ([]harness.Experiment, error) {
	if len(args) == 0 && len(catalogue) > 0 {
		return withLimits(catalogue, catalogue[:1:1])
	}
	var names []string
	variants := map[string][]string{}
	for _, arg := range args {
		name, variant, one := strings.Cut(arg, "/")
		e, err := find(catalogue, name)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
		if !one {
			variants[name] = append(variants[name], variantNames(e)...)
			continue
		}
		if !slices.Contains(variantNames(e), variant) {
			return nil, exit.Unknown("variant", arg, qualified(e))
		}
		variants[name] = append(variants[name], variant)
	}
	var chosen []harness.Experiment
	for _, name := range names {
		e, _ := find(catalogue, name)
		chosen = append(chosen, e.Only(variants[name]...))
	}
	return withLimits(catalogue, chosen)
}

// withLimits adds the limits of the chosen experiments, at one goroutine, so
// that they are measured in the same run. One that was chosen itself is
// measured as it is.
func withLimits(catalogue, chosen []harness.Experiment) ([]harness.Experiment, error) {
	wanted := map[string][]string{}
	var names []string
	for _, e := range chosen {
		for _, l := range e.Limits {
			if slices.ContainsFunc(chosen, func(c harness.Experiment) bool { return c.Name == l.Experiment }) {
				continue
			}
			if !slices.Contains(names, l.Experiment) {
				names = append(names, l.Experiment)
			}
			wanted[l.Experiment] = append(wanted[l.Experiment], l.Variant)
		}
	}
	for _, name := range names {
		e, err := find(catalogue, name)
		if err != nil {
			return nil, err
		}
		e = e.Only(wanted[name]...)
		e.Goroutines, e.Fixed, e.Along = []int{1}, true, true
		chosen = append(chosen, e)
	}
	return chosen, nil
}

func find(catalogue []harness.Experiment, name string) (harness.Experiment, error) {
	var names []string
	for _, e := range catalogue {
		if e.Name == name {
			return e, nil
		}
		names = append(names, e.Name)
	}
	if slices.Contains(suiteNames(suites(catalogue)), name) {
		return harness.Experiment{}, exit.Usage(fmt.Errorf("%s is a suite of experiments, and no experiment", name), "syncwrite list names its experiments")
	}
	return harness.Experiment{}, exit.Unknown("experiment or suite", name, append(names, suiteNames(suites(catalogue))...))
}

func variantNames(e harness.Experiment) []string {
	var names []string
	for _, v := range e.Variants {
		names = append(names, v.Name)
	}
	return names
}

func qualified(e harness.Experiment) []string {
	var names []string
	for _, v := range e.Variants {
		names = append(names, e.Name+"/"+v.Name)
	}
	return names
}

// levelsOf are the levels of a factor that are measured where none is named.
func levelsOf(f results.Factor) string {
	if len(f.Levels) > 0 {
		return strings.Join(f.Levels, ",")
	}
	return f.Default
}
