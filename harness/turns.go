package harness

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"os/exec"
	"slices"
	"strconv"
	"time"

	"github.com/syncwrite/syncwrite/results"
)

// RunTurns is [RunApart] of two programs, the older one first, that take turns, trial by trial: each
// block is measured by a fresh process of each, side by side, and while the one measures a cell the other waits to
// measure the same. What changes the machine meanwhile changes both alike, which no two runs one
// behind the other can have. Which begins changes from trial to trial. The older one calibrates
// for both. Each has its configuration, for what it tells and its directory; blocks, how many
// of them a variant needs, and experiments are those of the first. The records of both say that they took turns.
func RunTurns(ctx context.Context, configs [2]Config, commands [2]func() (*exec.Cmd, error), experiments ...Experiment) (runs [2]*results.Run, err error) {
	var both [2]*apart
	name := strconv.FormatInt(time.Now().UnixNano(), 36)
	for i := range both {
		configs[i].BlocksApart, configs[i].Trials, configs[i].Seed = true, configs[0].Trials, configs[0].Seed
		if both[i], err = newApart(ctx, &configs[i], commands[i], experiments); err != nil {
			return runs, err
		}
		both[i].turns = name
		runs[i] = both[i].run
	}
	if configs[0].Pairs != nil {
		spareBoth(both, configs[0], experiments)
	}
	err = takeTurns(ctx, both)
	for _, a := range both {
		err = first(err, a.end(err))
	}
	return runs, err
}

// takeTurns has both measure until they are done.
func takeTurns(ctx context.Context, both [2]*apart) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var players [2]*player
	for i, a := range both {
		players[i] = newPlayer(ctx, a)
		defer players[i].stop()
	}
	for !both[0].state.Fitted && !players[0].ended {
		if err := players[0].play(); err != nil {
			return whose(0, err)
		}
	}
	both[1].calibratedAs(both[0])
	for i := turn(players); i >= 0; i = turn(players) {
		began := time.Now()
		if err := players[i].play(); err != nil {
			cancel()
			for !players[1-i].ended { // it ends its process
				players[1-i].play()
			}
			return whose(i, err)
		}
		other := &both[1-i].state // whose time this was not
		other.Began = other.Began.Add(time.Since(began))
	}
	return nil
}

// A player is a run that is measured up to its next trial, and then waits.
type player struct {
	*apart
	next  func() (struct{}, bool)
	stop  func()
	ended bool
	err   error
}

func newPlayer(ctx context.Context, a *apart) *player {
	p := &player{apart: a}
	p.next, p.stop = iter.Pull(func(yield func(struct{}) bool) {
		a.wait = func() { yield(struct{}{}) }
		for again := true; again && p.err == nil; {
			again, p.err = a.process(ctx)
		}
		a.wait = nil
	})
	return p
}

// play goes on to what comes next, or to the end.
func (p *player) play() error {
	if _, more := p.next(); !more {
		p.ended = true
	}
	return p.err
}

// turn is whose trial comes next: that which has come less far, or if both come to the same one, the one and the
// other by turns, in half of a cell's blocks each; less than 0 when both have ended.
func turn(players [2]*player) int {
	switch {
	case players[0].ended && players[1].ended:
		return -1
	case players[0].ended:
		return 1
	case players[1].ended:
		return 0
	}
	a, b := players[0].state, players[1].state
	switch order := cmp.Or(cmp.Compare(a.Block, b.Block), cmp.Compare(a.Index, b.Index), cmp.Compare(a.Why, b.Why)); {
	case order < 0:
		return 0
	case order > 0:
		return 1
	case !a.atTrial(): // it comes to that one yet
		return 0
	case !b.atTrial():
		return 1
	}
	return (a.Block + a.At + a.level()) % 2 // the place in a block would not do: it is drawn
}

// atTrial reports whether what comes next is a trial that is kept: neither one that is discarded nor the
// end of a process, whose state has the next block and what was done before.
func (s *state) atTrial() bool {
	all := 0
	for _, g := range s.Series {
		all += len(g.Cells)
	}
	return !s.Progress.Calibrating && (s.Progress.Tracing || s.Progress.Done == (s.Block-1)*all+s.Index)
}

// level is which level of N of its series the next trial is of.
func (s *state) level() int {
	if s.At < 0 {
		return 0
	}
	return slices.IndexFunc(s.Series[s.At].Cells, func(c cellState) bool { return c.N == s.Cell.Goroutines })
}

// calibratedAs has a run do as many operations as another one, which is calibrated, unless one
// of that one's series failed. It is the same work then.
func (a *apart) calibratedAs(other *apart) {
	if !other.state.Fitted || slices.ContainsFunc(other.state.Series, seriesState.lost) {
		return
	}
	a.state.Series, a.state.Probed, a.state.Fitted = nil, other.state.Probed, true
	for _, s := range other.state.Series {
		s.Cells = slices.Clone(s.Cells)
		for i := range s.Cells {
			s.Cells[i].Rates = nil
		}
		a.state.Series = append(a.state.Series, s)
	}
}

// whose says which of the two programs an error is of.
func whose(i int, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return fmt.Errorf("%s program: %w", [2]string{"older", "newer"}[i], err)
}
