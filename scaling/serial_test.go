package scaling

import (
	"math"
	"testing"

	"github.com/syncwrite/syncwrite/stats"
)

func TestSerialRate(t *testing.T) {
	for w, want := range map[float64]float64{1: 1e9, 250: 4e6, 1e9: 1, 2e9: 0.5} {
		if got := SerialRate(w); got != want {
			t.Errorf("SerialRate(%v) = %v, want %v", w, got, want)
		}
	}
	for _, w := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if got := SerialRate(w); !math.IsNaN(got) {
			t.Errorf("SerialRate(%v) = %v, want NaN", w, got)
		}
	}
}

func TestPercentOfSerial(t *testing.T) {
	x1 := []float64{1000, 2000, 1000, 4000, 1000, 1000}
	xN := []float64{250, 1000, 750, 4000, 1250, 1500} // 25, 50, … 150 %
	want := stats.Interval{Median: 87.5, Low: 25, High: 150}
	if got := PercentOfSerial(xN, x1, 0.95); got != want {
		t.Errorf("percent of serial %v, want %v", got, want)
	}
}

func TestPercentOfSerialOfFewBlocks(t *testing.T) {
	got := PercentOfSerial([]float64{25, 75}, []float64{100, 100}, 0.95)
	if want := (stats.Interval{Median: 50, Low: math.Inf(-1), High: math.Inf(1)}); got != want {
		t.Errorf("percent of serial %v, want %v", got, want)
	}
	if got := PercentOfSerial(nil, nil, 0.95); !math.IsNaN(got.Median) {
		t.Errorf("percent of serial of no blocks is %v", got)
	}
}
