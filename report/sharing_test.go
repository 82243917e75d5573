package report

import (
	"testing"

	"github.com/syncwrite/syncwrite/results"
)

// Who is held to which processors is said of all trials, or of which it is some.
func TestSharing(t *testing.T) {
	held := func(server, generator int) results.Trial {
		return results.Trial{Processes: []results.Process{{Name: results.Server, Processors: []int{server}}, {Name: results.Generator, Processors: []int{generator}}}}
	}
	free := results.Trial{Processes: []results.Process{{Name: results.Server}, {Name: results.Generator}}}
	for want, trials := range map[string][]results.Trial{
		"": {{}},
		"Held to processors: server on 1, generator on 0.":                                              {held(1, 0), held(1, 0)},
		"Held to processors, in some trials: server on 0, generator on 1; server on 1, generator on 0.": {held(1, 0), held(0, 1)},
		"Held to processors, in some trials: server on 1, generator on 0.":                              {free, held(1, 0)},
		"Server and generator share this machine's processors: what one uses the other lacks.":          {free, {}},
	} {
		if got := sharing(trials); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
