package harness

import (
	"context"
	"time"

	"github.com/syncwrite/syncwrite/results"
)

const (
	againReserve = 0.05 // of the budget, which trials that are measured again may take
	againOneIn   = 10   // trials: where others go on, another window is no better
)

// again reports whether a trial is to be measured once more: others took much of the processors
// meanwhile, which says nothing of the cell, and there is time left. What its rate was is no
// question, and the second one counts, however that went.
func (r *runner) again(t results.Trial, p *planned) bool {
	if _, disturbed := disturbance(t, p); !disturbed || p.variant.Elsewhere != nil || againOneIn*(r.state.Again+1) > r.config.Trials*len(cells(r.allSeries)) {
		return false
	}
	return r.config.Budget == 0 || time.Since(r.state.Began)+r.progress(p).Left <= r.config.Budget // what is left has this one
}

// measureAgain measures a cell once more.
func (r *runner) measureAgain(ctx context.Context, p *planned, w window) (results.Trial, error) {
	r.state.Again++
	if err := r.doing(p, r.deadline(p), r.progress(p)); err != nil {
		return results.Trial{}, err
	}
	return w.measure(ctx)
}
