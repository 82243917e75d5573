package report_test

import (
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/report"
	"github.com/syncwrite/syncwrite/results"
)

// Cgroups that could not be read are not told as a machine without a quota.
func TestAQuotaThatIsNotKnown(t *testing.T) {
	for _, c := range []struct {
		unmeasured []string
		quota      results.Number
		want       string
	}{
		{nil, results.Missing(), "no cgroup quota"},
		{[]string{results.UnmeasuredQuota}, results.Missing(), "cgroup quota not known"},
		{nil, 0.5, "quota of 0.500 processors"},
	} {
		r := logReport(1)
		r.Envs[0].Unmeasured, r.Envs[0].Machine.CPUQuota = c.unmeasured, c.quota
		var page strings.Builder
		if err := report.HTML(&page, r); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(page.String(), "cores, "+c.want+"<") {
			t.Errorf("%v, %v: the page does not say %q", c.unmeasured, c.quota, c.want)
		}
	}
}
