package harness

import (
	"errors"
	"slices"
	"time"

	"github.com/syncwrite/syncwrite/results"
)

// A state is how far a run has come, so that another process can go on from
// there. Its parts are exported for JSON alone.
type state struct {
	Began    time.Time
	Seed     uint64
	Overhead *results.Overhead // nil: the environment is not recorded yet
	Series   []seriesState     // in the order of the plan
	Probed   int               // series that were calibrated, or failed to be
	Fitted   bool
	Block    int // the next trial: from 1, and its place in the block
	Index    int
	Again    int  // trials that were measured once more
	Why      int  // the next cell to be traced
	Stuck    bool // goroutines of an earlier trial are still running here

	// What is being done: should the process end, this is where it was.
	Cell     results.Cell
	Factors  map[string]string
	At       int // -1: no trial of any
	Deadline time.Duration
	Progress Progress
}

// seriesState is what calibration found of a series.
type seriesState struct {
	Name     string
	Sampling sampling
	Failed   bool // no more trials
	Enough   bool // that is why: it has as many as it needs
	Cells    []cellState
}

// lost reports that an error ended the series: of one that has enough nothing is lost.
func (s seriesState) lost() bool { return s.Failed && !s.Enough }

// lose notes that an error ended it, whether it had enough or not.
func (s *seriesState) lose() { s.Failed, s.Enough = true, false }

// cellState is what calibration found of a cell.
type cellState struct {
	N       int // goroutines
	Ops     int
	Rate    float64 // operations a second, without what a trial starts with
	Startup float64 // seconds of a trial's window that are no operations'
	Outside float64 // seconds of a trial outside its window

	Rates []float64 // of its trials so far, operations a second
}

// newState is that of a run that has not begun.
func newState(allSeries []*series, seed uint64) state {
	s := state{Began: time.Now(), Seed: seed, Block: 1, At: -1}
	for _, g := range allSeries {
		known := seriesState{Name: g.name()}
		for _, p := range g.cells {
			known.Cells = append(known.Cells, cellState{N: p.goroutines})
		}
		s.Series = append(s.Series, known)
	}
	return s
}

// due is the block that a trial which is discarded comes before, for which it counts if it fails: 0
// before the first, of so many the last behind that.
func (s *state) due(blocks int) int {
	if s.Block == 1 && s.Index == 0 {
		return 0
	}
	return min(s.Block, blocks)
}

// adopt gives the series of the plan what the state knows of them, and puts them
// into its order: another process may list its variants in another one. It fails if
// they are not the same.
func (s *state) adopt(allSeries []*series) error {
	place := func(g *series) int {
		return slices.IndexFunc(s.Series, func(known seriesState) bool { return known.Name == g.name() })
	}
	slices.SortStableFunc(allSeries, func(a, b *series) int { return place(a) - place(b) })
	if len(allSeries) != len(s.Series) {
		return ErrOtherRun
	}
	for i, g := range allSeries {
		if s.Series[i].Name != g.name() || len(s.Series[i].Cells) != len(g.cells) {
			return ErrOtherRun
		}
		g.index, g.seriesState = i, &s.Series[i]
		if !g.adopt() {
			return ErrOtherRun
		}
	}
	return nil
}

// adopt puts the cells into the order of the state and reports whether they are the
// same.
func (g *series) adopt() bool {
	place := func(p *planned) int {
		return slices.IndexFunc(g.Cells, func(known cellState) bool { return known.N == p.goroutines })
	}
	slices.SortStableFunc(g.cells, func(a, b *planned) int { return place(a) - place(b) })
	for j, p := range g.cells {
		if g.Cells[j].N != p.goroutines {
			return false
		}
		p.cellState = &g.Cells[j]
	}
	return true
}

// ErrOtherRun says that two processes do not plan the same.
var ErrOtherRun = errors.New("the measuring process has other experiments, variants or levels")
