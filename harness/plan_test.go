package harness

import (
	"math"
	"testing"
	"time"
)

// fitted runs fit over one series with made-up rates.
func fitted(c Config, rates ...float64) *series {
	g := &series{seriesState: &seriesState{}, window: c.Window}
	for i, rate := range rates {
		g.cells = append(g.cells, &planned{cell: cell{goroutines: 1 << i}, cellState: &cellState{Rate: rate, Outside: 0.01}, series: g})
	}
	(&runner{config: c}).fit([]*series{g}, 0)
	return g
}

func seconds(g *series) (mean, fastest float64) {
	fastest = math.Inf(1)
	for _, p := range g.cells {
		mean += float64(p.Ops) / p.Rate / float64(len(g.cells))
		fastest = min(fastest, float64(p.Ops)/p.Rate)
	}
	return mean, fastest
}

func TestWindowsHaveTheConfiguredMean(t *testing.T) {
	g := fitted(Config{Window: 220 * time.Millisecond, Trials: 6}, 1e6, 2e6, 1.5e6)
	if mean, _ := seconds(g); math.Abs(mean-0.22) > 0.001 {
		t.Errorf("mean window %.3f s, want 0.220", mean)
	}
}

// One cell is a thousand times faster: its window is the floor, and the mean
// grows rather than the floor give way.
func TestFastestCellLastsTheFloor(t *testing.T) {
	g := fitted(Config{Window: 220 * time.Millisecond, Trials: 6}, 1e3, 1e6)
	if _, fastest := seconds(g); fastest < 0.0499 {
		t.Errorf("fastest window %.4f s, want 0.05", fastest)
	}
}

func TestBudgetIsKept(t *testing.T) {
	g := fitted(Config{Window: 220 * time.Millisecond, Trials: 6, Budget: time.Second}, 1e6, 1e6)
	mean, _ := seconds(g)
	if whole := (mean + 0.01) * 2 * 6; whole > 1.001 {
		t.Errorf("expected to take %.2f s of a budget of 1 s", whole)
	}
}

// Where a budget is spent outside of windows they are no shorter for that.
func TestWindowsOutlastABudget(t *testing.T) {
	g := fitted(Config{Window: 60 * time.Millisecond, Trials: 6, Budget: 50 * time.Millisecond}, 1e6, 1e6)
	if mean, _ := seconds(g); math.Abs(mean-0.03) > 0.001 {
		t.Errorf("mean window %.4f s, want 0.030", mean)
	}
}

// However slow the operation, every goroutine does at least one.
func TestEveryGoroutineHasWork(t *testing.T) {
	for _, p := range fitted(Config{Window: time.Millisecond, Trials: 6}, 1, 1, 1, 1, 1).cells {
		if p.Ops < 16 {
			t.Errorf("%d operations for up to 16 goroutines", p.Ops)
		}
	}
}

func TestFindMount(t *testing.T) {
	const mounts = `22 1 254:0 / / rw,relatime - ext4 /dev/vda rw
30 22 0:25 / /tmp rw,nosuid - tmpfs tmpfs rw,size=1g
31 22 0:26 / /tmp/with\040space rw - xfs /dev/vdb rw
32 22 0:27 / /tmpother rw - btrfs /dev/vdc rw
`
	for path, want := range map[string]string{
		"/":                    "ext4",
		"/home/me":             "ext4",
		"/tmp":                 "tmpfs",
		"/tmp/x":               "tmpfs",
		"/tmp/with space/deep": "xfs",
		"/tmpfile":             "ext4",
	} {
		if got := findMount(mounts, path).FileSystem; got != want {
			t.Errorf("%s is on %s, want %s", path, got, want)
		}
	}
}
