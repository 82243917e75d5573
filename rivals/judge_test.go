package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/results"
)

// measured is a run of six blocks in which each variant has the given rate at
// 3 B and N = 1, times a drift that all share.
func measured(rates map[string]float64) *results.Run {
	run := &results.Run{Envs: []results.Env{{}}, Experiments: []results.Experiment{rivalLog().Describe()}}
	for block := 1; block <= 6; block++ {
		for name, rate := range rates {
			run.Trials = append(run.Trials, results.Trial{
				Experiment: "rival-log", Variant: name, Factors: map[string]string{"payload": "3"},
				Goroutines: 1, Block: block, Ops: 1000, WallNS: int64(1e12 / rate * float64(block)),
			})
		}
	}
	return run
}

func at(t *testing.T, rows []row, c cell) row {
	t.Helper()
	for _, r := range rows {
		if r.cell() == c {
			return r
		}
	}
	t.Fatalf("no row of %v", c)
	return row{}
}

// The best rival of equal promise counts; one that promises less does not, and
// drift cancels.
func TestJudgePairsWithTheBestOfEqualPromise(t *testing.T) {
	rows := judge(measured(map[string]float64{
		"file": 3e6, "tidwall": 1e6, "leveldb": 5e5, "pebble-nosync": 9e6, "file-durable": 9e3, "etcd-durable": 1e4,
	}))
	r := at(t, rows, cell{processCrash, 3, 1})
	if r.Rival != "tidwall" || math.Abs(float64(r.Ratio.Median)-3) > 1e-3 || math.Abs(float64(r.Ratio.High)-3) > 1e-3 || r.Status != failed {
		t.Errorf("row %+v", r)
	}
	if r := at(t, rows, cell{powerCut, 3, 1}); r.Rival != "etcd-durable" || r.Status != failed || r.Must != 1 {
		t.Errorf("row %+v", r)
	}
	if r := at(t, rows, cell{powerCut, 1024, 8}); r.Rival != "" || r.Status != unseen || r.Must != 1.5 || r.Goal != 2.5 {
		t.Errorf("row %+v", r)
	}
}

func TestStatus(t *testing.T) {
	for _, c := range []struct {
		low, high, must float64
		want            string
	}{
		{1, 2, 0, noMust}, {math.Inf(-1), math.Inf(1), 1, unseen}, {0.8, 0.99, 1, failed},
		{0.8, 1, 1, inDoubt}, {0.99, 1.2, 1, inDoubt}, {1, 1.2, 1, holds},
	} {
		ratio := results.Interval{Median: 1, Low: results.Number(c.low), High: results.Number(c.high)}
		if got := status(ratio, c.must); got != c.want {
			t.Errorf("%v–%v against %v: %s, want %s", c.low, c.high, c.must, got, c.want)
		}
	}
}

func TestVerdictNamesEveryCellBelow(t *testing.T) {
	var said strings.Builder
	rows := judge(measured(map[string]float64{"file": 3e6, "tidwall": 1e6}))
	if code := verdict(&said, rows); code != exitThreshold || !strings.Contains(said.String(), "below its must: process-crash, 3 B, N = 1: 3.00 (3.00–3.00) times tidwall, must be 5.00") {
		t.Errorf("code %d: %s", code, said.String())
	}
	rows = judge(measured(map[string]float64{"file": 3e7, "tidwall": 1e6}))
	if code := verdict(&said, rows); code != exitInconclusive {
		t.Errorf("code %d with cells that were not measured", code)
	}
	if code := verdict(&said, rows[:1]); code != 0 {
		t.Errorf("code %d where the only must holds", code)
	}
}

// A saved run is judged without measuring, and its rows are written.
func TestTableOfASavedRun(t *testing.T) {
	dir := t.TempDir()
	path, out := filepath.Join(dir, "run.jsonl"), filepath.Join(dir, "rows.jsonl")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	run := measured(map[string]float64{"file": 3e6, "tidwall": 1e6})
	run.Envs[0].Format = results.Format
	w := results.NewWriter(file)
	for _, record := range []any{run.Envs[0], run.Experiments[0]} {
		if err := w.Write(record); err != nil {
			t.Fatal(err)
		}
	}
	for _, trial := range run.Trials {
		if err := w.Write(trial); err != nil {
			t.Fatal(err)
		}
	}
	file.Close()
	if code := command([]string{"table", "-o", out, path}); code != exitThreshold {
		t.Errorf("exit code %d, want %d", code, exitThreshold)
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	var r row
	first, _, _ := strings.Cut(string(text), "\n")
	if err := json.Unmarshal([]byte(first), &r); err != nil || r.Rival != "tidwall" || r.Status != failed {
		t.Errorf("%s: %v", first, err)
	}
}

func TestTableRefusesBadWords(t *testing.T) {
	if code := command([]string{"table", "--nonsense"}); code != exitUsage {
		t.Errorf("exit code %d for an unknown flag", code)
	}
	if code := command([]string{"table", filepath.Join(t.TempDir(), "none.jsonl")}); code != exitError {
		t.Errorf("exit code %d for a file that is not there", code)
	}
}
