package harness

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"time"

	"github.com/syncwrite/syncwrite/results"
)

// RunTurns is [RunApart] of two programs, the older one first, that take turns, block by block, each
// block in a fresh process: what changes the machine meanwhile changes both alike, which no two runs one behind
// the other can have. Which begins a pair of blocks changes from pair to pair. Each has its
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

// takeTurns has both measure until they are done. The time of the one is none of the other's.
func takeTurns(ctx context.Context, both [2]*apart) error {
	left := [2]bool{true, true}
	for round := 0; left[0] || left[1]; round++ {
		for k := range both {
			i := (k + round) % 2
			if !left[i] {
				continue
			}
			began := time.Now()
			again, err := both[i].process(ctx)
			if err != nil {
				return whose(i, err)
			}
			left[i] = again
			other := &both[1-i].state
			other.Began = other.Began.Add(time.Since(began))
		}
	}
	return nil
}

// whose says which of the two programs an error is of.
func whose(i int, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return fmt.Errorf("%s program: %w", [2]string{"older", "newer"}[i], err)
}
