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
	} {
		if got := sharing(c.trials); !strings.Contains(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
