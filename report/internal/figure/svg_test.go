package figure

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/syncwrite/syncwrite/hist"
	"github.com/syncwrite/syncwrite/results"
)

// Labels neither overlap nor leave their space, and none moves without need.
func TestSpread(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var tags []tag
		for range rapid.IntRange(1, 12).Draw(t, "labels") {
			lines := make([]string, rapid.IntRange(1, 3).Draw(t, "lines"))
			tags = append(tags, tag{lines: lines, want: rapid.Float64Range(-50, 700).Draw(t, "want")})
		}
		bottom := heightOf(tags) + rapid.Float64Range(0, 300).Draw(t, "room")
		spread(tags, 0, bottom)
		end := 0.0
		for i, one := range tags {
			if one.mid-one.height()/2 < end-1e-6 {
				t.Fatalf("label %d starts at %v, the one above ends at %v", i, one.mid-one.height()/2, end)
			}
			end = one.mid + one.height()/2
		}
		if end > bottom+1e-6 {
			t.Fatalf("labels end at %v, the space at %v", end, bottom)
		}
	})
}

func TestSpreadLeavesWhatIsFree(t *testing.T) {
	tags := []tag{{lines: []string{"b"}, want: 100}, {lines: []string{"a"}, want: 20}, {lines: []string{"c"}, want: 104}}
	spread(tags, 0, 200)
	for i, want := range []float64{20, 94.5, 109.5} {
		if tags[i].mid != want {
			t.Errorf("label %s at %v, want %v", tags[i].lines[0], tags[i].mid, want)
		}
	}
}

func TestLogScaleHoldsItsValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(1e-3, 1e12), 1, 9).Draw(t, "values")
		s, ok := logScale(values)
		if !ok || len(s.ticks) < 2 || len(s.ticks) > 8 {
			t.Fatalf("%v: ok %v, ticks %v", values, ok, s.ticks)
		}
		for _, v := range values {
			if log := math.Log10(v); log < s.low-1e-9 || log > s.high+1e-9 {
				t.Errorf("%v lies outside 1e%v to 1e%v", v, s.low, s.high)
			}
		}
	})
}

func TestScalesWithoutValues(t *testing.T) {
	if _, ok := logScale([]float64{0, -1, math.NaN(), math.Inf(1)}); ok {
		t.Error("a log scale of nothing above zero")
	}
	if _, ok := linearScale([]float64{math.NaN()}); ok {
		t.Error("a linear scale of nothing")
	}
}

func TestLinearScaleIsRound(t *testing.T) {
	s, _ := linearScale([]float64{418, 100})
	if s.high != 500 || len(s.ticks) != 6 {
		t.Errorf("up to %v in %v", s.high, s.ticks)
	}
}

func TestShortTicks(t *testing.T) {
	for text, want := range map[string]string{"1.00M": "1M", "10.0k": "10k", "1.50 µs": "1.5 µs", "100 ns": "100 ns", "200": "200", "<1 ns": "<1 ns"} {
		if got := short(text); got != want {
			t.Errorf("short(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestWrapKeepsEverything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.RuneFrom([]rune("ab-W= ü漢"))).Draw(t, "text")
		width := rapid.Float64Range(5, 200).Draw(t, "width")
		lines := wrap(text, width)
		without := func(s string) string { return strings.ReplaceAll(s, " ", "") }
		if without(strings.Join(lines, "")) != without(text) {
			t.Fatalf("%q becomes %q", text, lines)
		}
		for _, line := range lines {
			if measure(line) > width && len([]rune(line)) > 1 {
				t.Fatalf("%q is %v wide, want %v", line, measure(line), width)
			}
		}
	})
}

// A drawn distribution holds every operation once.
func TestBinsHoldAllOperations(t *testing.T) {
	h := new(hist.Histogram)
	for ns := int64(1); ns < 1e9; ns = ns*7/4 + 1 {
		h.RecordN(ns, 3)
	}
	x, _ := decades([]float64{1, 1e9})
	sum := 0.0
	for _, share := range binned(results.Summary{Hist: h}, x) {
		sum += share
	}
	if math.Abs(sum-float64(h.Count())) > 1e-6*sum {
		t.Errorf("%v operations are drawn of %d", sum, h.Count())
	}
}
