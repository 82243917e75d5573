package harness

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// after is the state of a run of series that were all measured up to a block.
func after(block int, names ...string) *apart {
	a := &apart{state: state{Block: block, Fitted: true}}
	for _, name := range names {
		rates := make([]float64, block-1)
		a.state.Series = append(a.state.Series, seriesState{Name: name, Cells: []cellState{{N: 1, Rates: rates}, {N: 2, Rates: rates}}})
	}
	return a
}

// What has enough gets no more, and nor has what failed in the other program; the blocks are those of what
// needs most, and of what was not measured along.
func TestSpare(t *testing.T) {
	const steady, most = LeastPairs - 2, 40
	needs := []int{steady, 20, 30, 99, steady}
	both := [2]*apart{after(LeastPairs+1, "e/a/", "e/b/", "e/c/", "limits/l/", "e/d/"), after(LeastPairs+1, "e/a/", "e/b/", "e/c/", "limits/l/", "e/d/")}
	both[1].state.Series[2].Failed = true
	both[1].state.Series[4].Cells[1].Rates = nil
	s := sparing{both, Config{Trials: most}, map[string]bool{"limits": true}}
	asked := 0
	s.config.Pairs = func(newer, older [][]float64) int {
		asked++
		if len(newer) != 2 || len(older) != 2 || len(newer[1]) != LeastPairs-1 {
			t.Errorf("asked of %d and %d cells of %d blocks", len(newer), len(older), len(newer[1]))
		}
		return needs[[]int{0, 1, 3}[asked-1]]
	}
	if got := s.spare(&both[0].state, &both[1].state); got != 20 || asked != 3 {
		t.Errorf("%d blocks, asked %d times", got, asked)
	}
	for i, want := range []struct{ over, enough bool }{{true, true}, {false, false}, {true, false}, {false, false}, {true, true}} {
		if g := both[0].state.Series[i]; g.Failed != want.over || g.Enough != want.enough {
			t.Errorf("%s: over %v, enough %v", g.Name, g.Failed, g.Enough)
		}
	}
	if both[0].state.Block--; s.spare(&both[0].state, &both[1].state) != most {
		t.Error("so few blocks tell how many are needed")
	}
}

// Where all have enough, the run ends; it has the last block that was begun, and no more than it may.
func TestSpareEndsTheRun(t *testing.T) {
	for need, want := range map[int]int{0: LeastPairs, LeastPairs: LeastPairs + 1, 99: 40} {
		both := [2]*apart{after(LeastPairs+1, "e/a/"), after(LeastPairs+1, "e/a/")}
		s := sparing{both, Config{Trials: 40, Pairs: func(_, _ [][]float64) int { return need }}, nil}
		if got := s.spare(&both[1].state, &both[0].state); got != want {
			t.Errorf("need %d: %d blocks, want %d", need, got, want)
		}
	}
}

// Two real programs end together behind as many trials as their pairs need, and say how few they could have been.
func TestTurnsEndWithEnough(t *testing.T) {
	config := Config{Goroutines: []int{1}, Trials: 40, Window: turnsWindow, Dir: t.TempDir(), Pairs: func(newer, older [][]float64) int {
		if !(newer[0][0] < older[0][0]) { // an operation of the newer one takes three times as long
			return 0
		}
		return LeastPairs + 1
	}}
	program := func(name string) func() (*exec.Cmd, error) { return turning(name, t.TempDir()+"/said") }
	began := time.Now()
	runs, err := RunTurns(context.Background(), [2]Config{config, config}, [2]func() (*exec.Cmd, error){program("o"), program("n")}, turns("", "/dev/null"))
	if err != nil {
		t.Fatal(err)
	}
	for i, run := range runs {
		if n := len(run.Trials); n != 2*(LeastPairs+1) || run.Envs[0].Settings.Least != LeastPairs || run.Envs[0].Settings.Trials != 40 || run.Ends[0].Status != "complete" {
			t.Errorf("program %d: %d trials, %+v, %+v, in %v", i, n, run.Envs[0].Settings, run.Ends, time.Since(began))
		}
	}
}

// What has enough is measured no more, but may be the first of a process, whose trial is discarded: where that
// ends the process it is told once, and the run goes on with the others.
func TestWhatHasEnoughCanStillFail(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	file, first := filepath.Join(t.TempDir(), "said"), 0.0
	config := Config{Goroutines: []int{1}, Trials: 40, Window: turnsWindow, Dir: t.TempDir(), Pairs: func(_, older [][]float64) int {
		if first == 0 {
			first = older[0][0]
		}
		if older[0][0] == first { // the first variant
			return 0
		}
		os.WriteFile(file+".die", nil, 0o666)
		return LeastPairs + 2
	}}
	runs, err := RunTurns(ctx, [2]Config{config, config}, [2]func() (*exec.Cmd, error){turning("o", file), turning("n", file)}, turns("", os.DevNull))
	if err != nil {
		t.Fatal(err)
	}
	for i, run := range runs {
		of := map[string]int{}
		for _, trial := range run.Trials {
			of[trial.Variant]++
		}
		if of["v"] != LeastPairs || of["w"] != LeastPairs+2 || len(run.Outcomes) > 1 || i == 0 && len(run.Outcomes) != 1 || len(run.Outcomes) == 1 && run.Outcomes[0].Variant != "v" {
			t.Errorf("program %d: trials %v, outcomes %+v", i, of, run.Outcomes)
		}
		for _, o := range run.Outcomes {
			if o.Block <= LeastPairs {
				t.Errorf("program %d: failed behind %d trials, in block %d", i, LeastPairs, o.Block)
			}
		}
	}
}
