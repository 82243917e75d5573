package cause

import (
	"fmt"
	"math"
	"runtime/metrics"
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/results"
)

func TestParseStat(t *testing.T) {
	const stat = "cpu  10 1 5 1000 7 2 3 4 0 0\ncpu0 1 0 0 0 0 0 0 1 0 0\ncpu1 9 1 5 1000 7 2 3 3 0 0\ncpu12 8 0 0 0 0 0 0 0 0 0\nintr 1 2 3 4 5 6 7 8 9\n"
	for _, c := range []struct {
		allowed     []string
		busy, steal results.Number
	}{{nil, 21, 4}, {[]string{"0"}, 1, 1}, {[]string{"1"}, 20, 3}, {[]string{"0", "1"}, 21, 4}, {[]string{"1", "12"}, 28, 3}} {
		if got := parseStat(stat, c.allowed); got.busy != c.busy*tickNS || got.steal != c.steal*tickNS {
			t.Errorf("%v: busy %v, steal %v ticks", c.allowed, got.busy/tickNS, got.steal/tickNS)
		}
	}
	for _, bad := range []string{"", "cpu 1 2", "cpu  a 1 1 1 1 1 1 1", "intr 1 2 3 4 5 6 7 8"} {
		if parseStat(bad, nil).busy.Known() {
			t.Errorf("%q: a number from nothing", bad)
		}
	}
	for what, allowed := range map[string][]string{
		"a container that shows its own from 0, by other numbers": {"1", "3", "4"}, "one whose numbers are none of those": {"3"},
	} {
		if got := parseStat(stat, allowed); got.busy != 21*tickNS {
			t.Errorf("%s: busy %v ticks", what, got.busy/tickNS)
		}
		if n := ProcessorsIn([]string{stat, "", "Cpus_allowed_list:\t" + strings.Join(allowed, ",") + "\n"}); n != 3 {
			t.Errorf("%s: %d processors", what, n)
		}
	}
	if n := ProcessorsIn([]string{stat, "", "Cpus_allowed_list:\t0-127\n"}); n != 3 {
		t.Errorf("%d processors, of 3 that are there", n)
	}
	if parseStat("cpu0 1 2\n", []string{"0"}).busy.Known() {
		t.Error("a number of a line that is none")
	}
}

func TestFurtherProcessors(t *testing.T) {
	for _, c := range []struct {
		names []string
		also  []int
		want  string
	}{{[]string{"0"}, []int{1, 0}, "[0 1]"}, {[]string{"0", "1"}, nil, "[0 1]"}, {nil, []int{3}, "[]"}} {
		if got := fmt.Sprint(with(c.names, c.also)); got != c.want {
			t.Errorf("%v and %v: %s", c.names, c.also, got)
		}
	}
}

func TestAllowed(t *testing.T) {
	for status, want := range map[string]string{
		"Name:\tx\nCpus_allowed_list:\t0-2,8\nMems_allowed:\t1\n": "[0 1 2 8]", "Cpus_allowed_list:\t5\n": "[5]",
		"": "[]", "Cpus_allowed_list:\tx\n": "[]", "Cpus_allowed_list:\t1-y\n": "[]", "Cpus_allowed_list:\t0-999999999\n": "[]",
	} {
		if got := fmt.Sprint(allowed(status)); got != want {
			t.Errorf("%q: %s, want %s", status, got, want)
		}
	}
}

func TestHistogramSumUsesClosedEnds(t *testing.T) {
	h := &metrics.Float64Histogram{
		Counts:  []uint64{1, 2, 3},
		Buckets: []float64{math.Inf(-1), 1, 3, math.Inf(1)},
	}
	if sum, count := sumBuckets(h); sum != 1*1+2*2+3*3 || count != 6 {
		t.Errorf("sum %v of %v values, want 14 of 6", sum, count)
	}
}
