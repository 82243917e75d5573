package report

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/internal/paper"
	"github.com/syncwrite/syncwrite/report/internal/sheet"
	"github.com/syncwrite/syncwrite/results"
)

func TestTicks(t *testing.T) {
	for power, want := range map[int]string{0: "1", 1: "10", 2: "100", 3: "1k", 4: "10k", 5: "100k", 6: "1M", 7: "10M", 9: "1G", 12: "1T", 15: "1e15", -2: "1e-2"} {
		if got := tick(power); got != want {
			t.Errorf("10^%d is %s, want %s", power, got, want)
		}
	}
}

func curves(variants, levels int, rate func(v, n int) float64) sheet.Sheet {
	var f results.Finding
	for v := range variants {
		for i := range levels {
			n := 1 << i
			f.Summaries = append(f.Summaries, results.Summary{
				Variant: "v" + strings.Repeat("x", v), Goroutines: n,
				OpsPerS: results.Interval{Median: results.Number(rate(v, n))},
			})
		}
	}
	return sheet.New(f)
}

// Every letter stands in the column of its level, and none hides another.
func TestLettersStandSideBySide(t *testing.T) {
	c := newCanvas(curves(6, 4, func(v, n int) float64 { return 1000 }), 80)
	for _, row := range c.cells {
		for level, text := range strings.Fields(string(row)) {
			letters := []rune(text)
			slices.Sort(letters)
			if string(letters) != "abcdef" {
				t.Errorf("level %d shows %q", level, text)
			}
		}
	}
}

func TestMarksStandUnderTheirColumn(t *testing.T) {
	c := newCanvas(curves(1, 6, func(v, n int) float64 { return 1000 }), 80)
	marks := []rune(c.marks())
	for _, row := range c.cells {
		for at, letter := range row {
			if letter == 'a' {
				if mark := marks[chartAxis+1+at]; mark == ' ' {
					t.Errorf("no mark under column %d in %q", at, string(marks))
				}
			}
		}
	}
}

func TestEveryNameHasItsRow(t *testing.T) {
	c := newCanvas(curves(16, 3, func(v, n int) float64 { return 1000 }), 80)
	for row, name := range c.names {
		if name == "" || strings.Contains(name, ",") {
			t.Errorf("row %d holds %q", row, name)
		}
	}
	if c = newCanvas(curves(17, 3, func(v, n int) float64 { return 1000 }), 80); len(c.legend) != 17 || !c.crowded {
		t.Errorf("legend %q, crowded %v", c.legend, c.crowded)
	}
}

func TestAxisReachesFromDecadeToDecade(t *testing.T) {
	for _, c := range []struct{ low, high, wantLow, wantHigh float64 }{
		{1, 1, 0, 1}, {1000, 1000, 3, 4}, {999, 1001, 2, 4}, {5, 2e9, 0, 10},
	} {
		canvas := newCanvas(curves(1, 2, func(v, n int) float64 {
			if n == 1 {
				return c.low
			}
			return c.high
		}), 80)
		if canvas.low != c.wantLow || canvas.high != c.wantHigh {
			t.Errorf("%v to %v: axis from 10^%v to 10^%v", c.low, c.high, canvas.low, canvas.high)
		}
		if canvas.row(canvas.low) != chartHeight-1 || canvas.row(canvas.high) != 0 {
			t.Errorf("%v to %v: rows %d, %d", c.low, c.high, canvas.row(canvas.low), canvas.row(canvas.high))
		}
	}
}

// The least and the greatest numbers there are, and those there are not.
func TestExtremesDoNotPanic(t *testing.T) {
	for _, x := range []float64{5e-324, math.MaxFloat64, 0, -1, math.NaN(), math.Inf(1), math.Inf(-1)} {
		var out strings.Builder
		chart(paper.New(&out, 0, false), curves(2, 3, func(v, n int) float64 {
			if v == 0 {
				return x
			}
			return 1000
		}))
		if !strings.Contains(out.String(), "b vx") {
			t.Errorf("%v: %s", x, out.String())
		}
	}
	var out strings.Builder
	if chart(paper.New(&out, 0, false), curves(2, 3, func(int, int) float64 { return 0 })); out.String() != "No chart: no cell finished an operation.\n" {
		t.Errorf("wrote %s", out.String())
	}
}
