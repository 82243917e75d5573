package parallel

import "testing"

func figuresOf(t *totals, n int, wall int64) map[string]float64 {
	all := map[string]float64{}
	t.metrics(n, wall, 0, func(v float64, unit string) { all[unit] = v })
	return all
}

// two goroutines that did eight operations in four milliseconds each.
func two() *totals {
	var w, all totals
	w.addGoroutine(3e6, &lane{ops: 2})
	w.addGoroutine(5e6, &lane{ops: 6})
	w.hist.RecordN(500, 1000)
	w.each = true
	all.add(&w)
	return &all
}

func TestFigures(t *testing.T) {
	got := figuresOf(two(), 8, 5e6)
	for unit, want := range map[string]float64{
		"ns/op": 1e6, "wall-ns/op": 625e3, "ops/s": 1600, "goroutines": 2, "p50-ns": 500, "p99-ns": 500, "slowest-share": 0.5, "fastest-share": 1.5,
	} {
		if got[unit] != want {
			t.Errorf("%s %v, want %v", unit, got[unit], want)
		}
	}
	if len(got) != 8 {
		t.Errorf("%v", got)
	}
}

// A quantile must lie above the clock's floor.
func TestFloor(t *testing.T) {
	for floor, known := range map[int64]bool{499: true, 500: false, 600: false} {
		all := two()
		all.floor = floor
		for _, unit := range []string{"p50-ns", "p99-ns"} {
			if _, has := figuresOf(all, 8, 5e6)[unit]; has != known {
				t.Errorf("floor %d: %s given: %v", floor, unit, has)
			}
		}
	}
}

// Windows that were timed in different ways give no latencies together.
func TestBlind(t *testing.T) {
	all, w := two(), two()
	w.each = false
	all.add(w)
	got := figuresOf(all, 8, 5e6)
	if _, has := got["p50-ns"]; has || !all.blind {
		t.Errorf("quantiles of two ways to time: %v", got)
	}
}

// Of a window too short for it nothing is said: no rate of what the clock cannot
// tell from nothing, no shares of goroutines that had no time to share, no mean
// where the clock stood still.
func TestShortWindow(t *testing.T) {
	all := two()
	all.floor, all.goroutineNS = 50, 100
	got := figuresOf(all, 8, 50)
	for _, unit := range []string{"ops/s", "slowest-share", "fastest-share"} {
		if v, has := got[unit]; has {
			t.Errorf("%v %s of 50 ns", v, unit)
		}
	}
	all.goroutineNS = 0
	if v, has := figuresOf(all, 8, 51)["ns/op"]; has {
		t.Errorf("%v ns/op where no time passed", v)
	}
}

// Timed work outside is told where it is worth a word.
func TestOutside(t *testing.T) {
	for _, c := range []struct {
		outside, timed int64
		want           float64
	}{{0, 1e9, 0}, {9_999_999, 1e9, 0}, {10_000_000, 1e9, 0.01}, {985e6, 1e9, 0.985}, {9_999, 10_000, 0}, {-5, 1e9, 0}} {
		if got := outsideShare(c.outside, c.timed); got != c.want {
			t.Errorf("%d of %d ns: %v, want %v", c.outside, c.timed, got, c.want)
		}
	}
	told := map[string]float64{}
	two().metrics(8, 5e6, 0.25, func(v float64, unit string) { told[unit] = v })
	if told["outside-share"] != 0.25 {
		t.Errorf("%v", told)
	}
}
