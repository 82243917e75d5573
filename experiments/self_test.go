//go:build selftest

// The timed checks of the instrument, kept out of `go test ./...` because load
// breaks them: make selftest.

package experiments

import (
	"runtime"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/results"
)

// selfRun measures one variant of known-cost and returns, by N, the best
// throughput and the lowest mean latency of its trials.
func selfRun(t *testing.T, variant string, levels ...int) (run *results.Run, rate, mean map[int]float64) {
	t.Helper()
	config := harness.Config{Goroutines: levels, Dir: t.TempDir(), Window: 150 * time.Millisecond}
	run, err := harness.Run(t.Context(), config, KnownCost().Only(variant))
	if err != nil || len(run.Outcomes) > 0 {
		t.Fatal(err, run.Outcomes)
	}
	rate, mean = map[int]float64{}, map[int]float64{}
	for _, trial := range run.Trials {
		n := trial.Goroutines
		rate[n] = max(rate[n], trial.OpsPerS())
		if m := float64(trial.Latency.MeanNS); mean[n] == 0 || m < mean[n] {
			mean[n] = m
		}
	}
	return run, rate, mean
}

// The harness adds at most 3 ns to an operation that it samples, where a reading of
// the clock takes 20 ns; on a slower host as much more.
func TestSelfOverhead(t *testing.T) {
	run, _, mean := selfRun(t, "empty", 1)
	o := run.Envs[0].Overhead
	most := 3 * max(1, float64(o.ClockNS)/20)
	t.Logf("empty operation: %.2f ns sampled; the run records %.2f ns sampled, %.1f ns timed each, %.0f ns a clock reading",
		mean[1], float64(o.SampledNS), float64(o.TimedNS), float64(o.ClockNS))
	if mean[1] > most || float64(o.SampledNS) > most {
		t.Errorf("overhead %.2f ns, want at most %.1f", mean[1], most)
	}
}

// A sleep of 1 ms keeps its latency at any N, and its rate grows with N.
func TestSelfSleep(t *testing.T) {
	levels := []int{1, 2, 4, 8, 16, 32, 64, 128}
	_, rate, mean := selfRun(t, "sleep", levels...)
	for _, n := range levels {
		t.Logf("sleep of 1 ms, N = %3d: mean %.3f ms, %7.0f ops/s, %.2f of N times N = 1", n, mean[n]/1e6, rate[n], rate[n]/rate[1]/float64(n))
		if mean[n] < 1e6 || mean[n] > 1.5e6 {
			t.Errorf("N = %d: mean latency %.3f ms, want 1.0–1.5", n, mean[n]/1e6)
		}
		if rate[n] < 0.7*float64(n)*rate[1] {
			t.Errorf("N = %d: %.0f ops/s, want about %d times %.0f", n, rate[n], n, rate[1])
		}
	}
}

// A fixed spin under one mutex: the rate stays flat, but for what a processor loses
// while its neighbour works; the mean latency grows with N, and the guard is busy
// nearly all the time.
func TestSelfMutex(t *testing.T) {
	levels := []int{1, 2, 4, 8, 16}
	_, free, _ := selfRun(t, "spin", 1, 2)
	run, rate, mean := selfRun(t, "spin-mutex", levels...)
	busy := map[int]float64{}
	for _, trial := range run.Trials {
		busy[trial.Goroutines] = max(busy[trial.Goroutines], float64(trial.Guard.BusyShare))
	}
	beside := min(1, free[2]/float64(min(2, runtime.GOMAXPROCS(0)))/free[1]) // processors may share a core
	t.Logf("a processor gives %.2f of its own rate while another one works", beside)
	for _, n := range levels {
		t.Logf("spin under a mutex, N = %2d: %6.0f ops/s, mean %.1f µs, busy %.0f %%", n, rate[n], mean[n]/1e3, 100*busy[n])
		if least := 0.7 * rate[1] * beside; rate[n] < least || rate[n] > 1.1*rate[1] {
			t.Errorf("N = %d: %.0f ops/s, want %.0f–%.0f", n, rate[n], least, 1.1*rate[1])
		}
		if mean[n] < 0.5*float64(n)*mean[1] {
			t.Errorf("N = %d: mean latency %.1f µs does not grow from %.1f µs", n, mean[n]/1e3, mean[1]/1e3)
		}
		if busy[n] < 0.8 || busy[n] > 1.01 {
			t.Errorf("N = %d: guard busy %.0f %%", n, 100*busy[n])
		}
	}
}
