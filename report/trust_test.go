package report_test

import (
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/report"
	"github.com/syncwrite/syncwrite/results"
)

// Processor time that is more than there was is not told as a share of it.
func TestMoreThanAllProcessorsIsNotTold(t *testing.T) {
	const not = "<dd>not told: it is more than there was</dd>"
	for part, want := range map[results.Number][]string{
		0.5: {"steal 50.0 %, other processes 50.0 % of processor time", "<dd>50.0 % of processor time</dd>", "50.0 % of CPU time"},
		50:  {"Taken by others</dt>" + not, "Taken by the cgroup&#39;s quota</dt>" + not, "its time not told: it is more than there was</dd>"},
	} {
		r := logReport(1)
		r.Envs[0].Machine.CPUQuota = 1
		used, all := results.MissingUsage(), 2*results.Number(1e9)
		used.StealNS, used.OthersNS, used.ThrottledNS = part*all, part*all, part*all
		used.UserNS, used.SystemNS, used.GCCPUNS = 100, 100, part*200
		r.Findings[0].Trials = []results.Trial{{Experiment: "log", Variant: "memory", Goroutines: 1, WallNS: 1e9, Usage: used}}
		var page strings.Builder
		if err := report.HTML(&page, r); err != nil {
			t.Fatal(err)
		}
		for _, text := range want {
			if !strings.Contains(page.String(), text) {
				t.Errorf("%v of all: the page does not say %q", float64(part), text)
			}
		}
	}
}
