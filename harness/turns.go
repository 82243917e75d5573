package harness

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"time"

	"github.com/syncwrite/syncwrite/results"
)

// RunTurns is [RunApart] of two programs, the older one first, that take turns, block by block, each
// block in a fresh process: what changes the machine meanwhile changes both alike, which no two runs one behind
// the other can have. Which begins a pair of blocks changes from pair to pair. The older one calibrates for both. Each has its
// configuration, for what it tells and its directory; blocks and experiments are those of the first. The
// records of both say that they took turns.
func RunTurns(ctx context.Context, configs [2]Config, commands [2]func() (*exec.Cmd, error), experiments ...Experiment) (runs [2]*results.Run, err error) {
	var both [2]*apart
	turns := strconv.FormatInt(time.Now().UnixNano(), 36)
	for i := range both {
		configs[i].BlocksApart, configs[i].Trials, configs[i].Seed = true, configs[0].Trials, configs[0].Seed
		if both[i], err = newApart(ctx, &configs[i], commands[i], experiments); err != nil {
			return runs, err
		}
		both[i].turns = turns
		runs[i] = both[i].run
	}
	err = takeTurns(ctx, both)
	for _, a := range both {
		err = first(err, a.end(err))
	}
	return runs, err
}

// takeTurns has both measure until they are done: calibrated first, and then block by block.
func takeTurns(ctx context.Context, both [2]*apart) error {
	left := [2]bool{true, true}
	turn := func(i int) (err error) {
		if !left[i] {
			return nil
		}
		began := time.Now()
		if left[i], err = both[i].process(ctx); err != nil {
			return whose(i, err)
		}
		other := &both[1-i].state // whose time this was not
		other.Began = other.Began.Add(time.Since(began))
		return nil
	}
	if err := turn(0); err != nil {
		return err
	}
	if !both[1].calibratedAs(both[0]) {
		if err := turn(1); err != nil {
			return err
		}
	}
	for round := 0; left[0] || left[1]; round++ {
		for _, i := range []int{round % 2, 1 - round%2} {
			if err := turn(i); err != nil {
				return err
			}
		}
	}
	return nil
}

// calibratedAs has a run do as many operations as another one, which is calibrated, unless one
// of that one's series failed. It is the same work then. It reports whether it does.
func (a *apart) calibratedAs(other *apart) bool {
	failed := func(s seriesState) bool { return s.Failed }
	if !other.state.Fitted || slices.ContainsFunc(other.state.Series, failed) {
		return false
	}
	a.state.Series, a.state.Probed, a.state.Fitted = nil, other.state.Probed, true
	for _, s := range other.state.Series {
		s.Cells = slices.Clone(s.Cells)
		for i := range s.Cells {
			s.Cells[i].Rates = nil
		}
		a.state.Series = append(a.state.Series, s)
	}
	return true
}

// whose says which of the two programs an error is of.
func whose(i int, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return fmt.Errorf("%s program: %w", [2]string{"older", "newer"}[i], err)
}
