package report

import (
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/results"
)

// Nothing is shared with a server of another machine.
func TestWhoSharesProcessors(t *testing.T) {
	of := func(all ...results.Process) []results.Trial { return []results.Trial{{Processes: all}} }
	generator := results.Process{Name: results.Generator}
	for _, c := range []struct {
		trials []results.Trial
		want   string
	}{
		{of(generator), ""},
		{of(results.Process{Name: results.Server}, generator), "share this machine's processors"},
		{of(results.Process{Name: results.Generator, Processors: []int{1}}), "generator on 1"},
		{of(results.Process{Name: results.Server, CPUNS: results.Missing()}, generator), "unless it hands on to another one"}, // as a tunnel does
	} {
		if got := sharing(c.trials); !strings.Contains(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// What the trial's own server used was taken by nobody else.
func TestTakenByOthers(t *testing.T) {
	trial := results.Trial{WallNS: 1e9, Processes: []results.Process{{Name: results.Server, CPUNS: 0.5e9, Processors: []int{1}}, {Name: results.Generator, Processors: []int{0}}}}
	trial.Usage.UserNS, trial.Usage.OthersNS = 1, 0.7e9
	env := results.Env{Machine: results.Machine{Cores: 1}} // this process may use one; the server has another
	if got, want := taken(env, []results.Trial{trial}), "steal 0.0 %, other processes 10.0 % of processor time"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

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
