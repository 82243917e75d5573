package figure

import (
	"math"
	"strings"
)

// A scale maps values to the unit interval, 0 at its low end.
type scale struct {
	low, high float64 // logarithms where log is set
	log       bool
	ticks     []float64
}

// logScale spans the values above zero in whole decades or, where they lie
// close together, in steps of 1, 2 and 5. Without one it is not ok.
func logScale(values []float64) (s scale, ok bool) {
	low, high := math.Inf(1), 0.0
	for _, v := range values {
		if v > 0 && !math.IsInf(v, 1) {
			low, high = min(low, v), max(high, v)
		}
	}
	if high == 0 {
		return scale{}, false
	}
	for _, steps := range [][]float64{{1}, {1, 2, 5}, {1, 1.5, 2, 3, 4, 5, 6, 8}} {
		if steps = around(low, high, steps); len(steps) >= 4 {
			return logOf(steps), true
		}
	}
	return logOf(around(low*0.8, high*1.25, []float64{1, 2, 5})), true
}

func logOf(ticks []float64) scale {
	return scale{math.Log10(ticks[0]), math.Log10(ticks[len(ticks)-1]), true, thinned(ticks)}
}

// thinned keeps at most seven ticks, evenly.
func thinned(ticks []float64) []float64 {
	every := (len(ticks) + 6) / 7
	var kept []float64
	for i, t := range ticks {
		if i%every == 0 {
			kept = append(kept, t)
		}
	}
	return kept
}

// around lists the multiples of the steps from the last one at or below low to
// the first one at or above high.
func around(low, high float64, steps []float64) []float64 {
	var all []float64
	for power := math.Floor(math.Log10(low)); power <= math.Ceil(math.Log10(high)); power++ {
		for _, step := range steps {
			all = append(all, step*math.Pow(10, power))
		}
	}
	from, to := 0, len(all)-1
	for from+1 < len(all) && all[from+1] <= low {
		from++
	}
	for to > from+1 && all[to-1] >= high {
		to--
	}
	return all[from : to+1]
}

// linearScale spans from zero to a round value above the highest.
func linearScale(values []float64) (s scale, ok bool) {
	high := math.Inf(-1)
	for _, v := range values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			high = max(high, v)
		}
	}
	if math.IsInf(high, -1) {
		return scale{}, false
	}
	high = max(high, 1e-9)
	step := math.Pow(10, math.Floor(math.Log10(high)))
	for _, part := range []float64{0.2, 0.5, 1, 2} {
		if high/(step*part) <= 6 {
			step *= part
			break
		}
	}
	s.high = math.Ceil(high/step-1e-9) * step
	for i := 0.0; i*step <= s.high*1.0001; i++ {
		s.ticks = append(s.ticks, i*step)
	}
	return s, true
}

// at places a value; what lies outside is put on the border.
func (s scale) at(v float64) float64 {
	if s.log {
		v = math.Log10(max(v, 1e-300))
	}
	if s.high == s.low {
		return 0.5
	}
	return min(max((v-s.low)/(s.high-s.low), 0), 1)
}

// short writes a tick without needless zeros: 10M, 1.5 µs.
func short(text string) string {
	head, tail := text, ""
	if at := strings.IndexFunc(text, func(r rune) bool { return (r < '0' || r > '9') && r != '.' }); at >= 0 {
		head, tail = text[:at], text[at:]
	}
	if strings.Contains(head, ".") {
		head = strings.TrimRight(strings.TrimRight(head, "0"), ".")
	}
	return head + tail
}
