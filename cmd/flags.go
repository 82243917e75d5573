package cmd

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/syncwrite/syncwrite/cmd/internal/exit"
	"github.com/syncwrite/syncwrite/harness"
)

// parseGoroutines reads "1,2,4".
func parseGoroutines(text string) ([]int, error) {
	if text == "" {
		return nil, nil
	}
	var levels []int
	for _, part := range strings.Split(text, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil {
			return nil, exit.Usage(fmt.Errorf("-g %s: %q is not a number of goroutines", text, part), "for example -g 1,2,4,8")
		}
		levels = append(levels, n)
	}
	if err := harness.CheckGoroutines(levels); err != nil {
		return nil, exit.Usage(fmt.Errorf("-g %s: %w", text, err), "")
	}
	return levels, nil
}

// parseFactors reads FACTOR=LEVEL,… for each use of -p.
func parseFactors(texts []string, experiments []harness.Experiment) (map[string][]string, error) {
	levels := map[string][]string{}
	for _, text := range texts {
		name, list, ok := strings.Cut(text, "=")
		if !ok || name == "" || list == "" {
			return nil, exit.Usage(fmt.Errorf("-p %s: not FACTOR=LEVEL", text), "for example -p payload=3,1024")
		}
		if err := knownFactor(name, experiments); err != nil {
			return nil, err
		}
		levels[name] = append(levels[name], strings.Split(list, ",")...)
	}
	return levels, nil
}

func knownFactor(name string, experiments []harness.Experiment) error {
	var known []string
	for _, e := range experiments {
		for _, f := range e.Factors {
			if f.Name == name {
				return nil
			}
			known = append(known, f.Name)
		}
	}
	if len(known) == 0 {
		return exit.Usage(fmt.Errorf("unknown factor %q", name), "the chosen experiments have no factors")
	}
	return exit.Unknown("factor", name, known)
}

func noArgs(verb string, args []string) error {
	if len(args) > 0 {
		return exit.Usage(fmt.Errorf("%s: unexpected argument %q", verb, args[0]), "")
	}
	return nil
}
