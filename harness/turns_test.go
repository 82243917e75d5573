package harness

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// A test binary with this in its environment measures, and writes what it says at the end of the file
// that it names.
const turnsVariable = "SYNCWRITE_TEST_TURNS"

// turnsWindow is long enough for some operations, of which the newer program would have fewer by its
// own calibration: one of its takes three times as long.
const turnsWindow = 20 * time.Millisecond

func TestMain(m *testing.M) {
	if order := os.Getenv(turnsVariable); order != "" {
		name, file, _ := strings.Cut(order, ":")
		if err := Measure(context.Background(), Config{Goroutines: []int{1}, Trials: 1, BlocksApart: true, Window: turnsWindow}, os.Stdin, os.Stdout, turns(name, file)); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// turns is an experiment that writes down who measures.
func turns(name, file string) Experiment {
	took := time.Millisecond
	if name == "n" {
		took *= 3
	}
	open := func(s Setup) (Instance, error) {
		to, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
		if err == nil {
			_, err = to.WriteString(name)
			err = errors.Join(err, to.Close())
		}
		return Instance{Worker: func(int) Operation { return func() error { time.Sleep(took); return nil } }}, err
	}
	mortal := func(s Setup) (Instance, error) { // it ends its process while there is such a file
		if _, err := os.Stat(file + ".die"); err == nil {
			os.Exit(3)
		}
		return open(s)
	}
	return Experiment{Name: "turns", Question: "Whose turn is it?", Variants: []Variant{{Name: "v", Promise: promise, Open: mortal}, {Name: "w", Promise: promise, Open: open}}}
}

// inPairs are who measured the trials that are kept, in their order: in each of four blocks
// either program opens one that is discarded, and two more. What was calibrated comes before.
func inPairs(said []byte) (kept []byte) {
	for block := range slices.Chunk(said[max(len(said)-4*6, 0):], 6) {
		for _, name := range []byte("on") {
			i := slices.Index(block, name)
			block = slices.Delete(block, max(i, 0), max(i, 0)+1)
		}
		kept = append(kept, block...)
	}
	return kept
}

// turning makes a process of the test binary that measures turns, and writes who it is into a file.
func turning(name, file string) func() (*exec.Cmd, error) {
	return func() (*exec.Cmd, error) {
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), turnsVariable+"="+name+":"+file)
		return c, nil
	}
}

// The older program calibrates for both; then trials take turns. Both records say that they did, with
// one word, and no other pair has it.
func TestTurns(t *testing.T) {
	file := filepath.Join(t.TempDir(), "said")
	program := func(name string) func() (*exec.Cmd, error) { return turning(name, file) }
	config := Config{Goroutines: []int{1}, Trials: 4, Window: turnsWindow, Dir: t.TempDir()}
	var words []string
	for range 2 {
		os.Remove(file)
		runs, err := RunTurns(context.Background(), [2]Config{config, config}, [2]func() (*exec.Cmd, error){program("o"), program("n")}, turns("", os.DevNull))
		if err != nil || len(runs[0].Trials) != 8 || len(runs[1].Trials) != 8 {
			t.Fatalf("%+v, %v", runs, err)
		}
		said, err := os.ReadFile(file)
		// Of each cell of a block one program is behind the other: of eight pairs eight changes at
		// least, where blocks by turns would have five.
		if changes := len(slices.Compact(slices.Clone(said))) - 1; changes < 8 || said[0] != 'o' || err != nil {
			t.Errorf("%s: %d changes, %v", said, changes, err)
		}
		first, pairs := map[string]int{}, inPairs(slices.Clone(said))
		for i, trial := range runs[0].Trials {
			if pairs[2*i] == 'o' {
				first[trial.Variant]++
			}
			if other := runs[1].Trials[i]; trial.Cell() != other.Cell() || trial.Block != other.Block || trial.Ops != other.Ops {
				t.Errorf("trial %d: %+v of %d, beside %+v of %d", i, trial.Cell(), trial.Ops, other.Cell(), other.Ops)
			}
		}
		if first["v"] != 2 || first["w"] != 2 { // else an effect of the order is one of the programs
			t.Errorf("%s: of four pairs each the older program was the first in %v", said, first)
		}
		if one, other := runs[0].Envs[0].Settings.Turns, runs[1].Envs[0].Settings.Turns; one == "" || one != other || runs[0].Envs[0].Settings.Processes != 4 {
			t.Errorf("they say %q and %q", one, other)
		}
		words = append(words, runs[0].Envs[0].Settings.Turns)
	}
	if words[0] == words[1] {
		t.Errorf("two pairs say %q", words[0])
	}
	gone := func() (*exec.Cmd, error) { return exec.Command(filepath.Join(t.TempDir(), "gone")), nil }
	if _, err := RunTurns(context.Background(), [2]Config{config, config}, [2]func() (*exec.Cmd, error){gone, program("n")}, turns("", os.DevNull)); !errors.Is(err, ErrNotMeasuring) || !strings.HasPrefix(err.Error(), "older program: ") {
		t.Errorf("%v", err)
	}
}
