package harness

import (
	"context"
	"errors"
	"time"

	"github.com/syncwrite/syncwrite/results"
)

// A keeper takes records into a run and hands them to Config.Record.
type keeper struct {
	run      *results.Run
	record   func(any) error
	progress func(Progress)
	began    time.Time
}

func newKeeper(c Config) *keeper {
	return &keeper{run: &results.Run{}, record: c.Record, progress: c.Progress, began: time.Now()}
}

func (k *keeper) keep(record any) error {
	record = results.PrintableRecord(record) // as whoever reads the results would have it
	k.run.Add(record)
	if k.record == nil {
		return nil
	}
	return k.record(record)
}

// tell shows what comes next.
func (k *keeper) tell(s *state) error {
	if k.progress != nil {
		p := s.Progress
		p.OpsPerS = k.soFar(p.Cell)
		k.progress(p)
	}
	return nil
}

// soFar is the rate of the trials that a cell has had.
func (k *keeper) soFar(cell results.Cell) results.Number {
	ops, wall := 0, int64(0)
	for _, t := range k.run.Trials {
		if t.Cell() == cell {
			ops, wall = ops+t.Ops, wall+t.RateNS()
		}
	}
	return results.Number(ops) / results.Number(wall) * 1e9
}

// end records how the run ended, once it had begun to record at all.
func (k *keeper) end(err error) error {
	if len(k.run.Envs) == 0 {
		return nil
	}
	status := results.Complete
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		status = results.Interrupted
	case err != nil, len(k.run.Errors()) > 0:
		status = results.Failed
	}
	return k.keep(results.End{Status: status, WallNS: time.Since(k.began).Nanoseconds(), LoadAfter: loadAverage()})
}
