package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/results"
)

func TestVerdictNamesEveryCellBelow(t *testing.T) {
	pageCache := chosen([]string{"rival-log"})[:1]
	rows := judge(measured("rival-log", small, 6, rate{"file", 1, 3e6}, rate{"tidwall", 1, 1e6}), pageCache)
	var said strings.Builder
	if code := verdict(&said, rows, false); code != exitThreshold || !strings.Contains(said.String(), "below its must: page cache: payload 3, N = 1: 3.00 (3.00–3.00) times tidwall, must be 5.00") {
		t.Errorf("code %d: %s", code, said.String())
	}
	rows = judge(measured("rival-log", small, 6, rate{"file", 1, 3e7}, rate{"tidwall", 1, 1e6}), pageCache)
	if code := verdict(&said, rows, false); code != exitInconclusive {
		t.Errorf("code %d with cells that were not measured", code)
	}
	if code := verdict(&said, rows, true); code != 0 {
		t.Errorf("code %d where a part was asked for and its only must holds", code)
	}
}

func TestVerdictNamesTrialsThatDiffer(t *testing.T) {
	run := measuredShare(6e4, 1e4)
	run.Trials[0].WallNS *= 4
	var said strings.Builder
	if code := verdict(&said, judge(run, chosen([]string{"rival-share"})), true); code != exitThreshold || !strings.Contains(said.String(), "trials differ by") {
		t.Errorf("code %d: %s", code, said.String())
	}
}

// A saved run is judged without measuring; what it has is printed and written.
func TestTableOfASavedRun(t *testing.T) {
	dir := t.TempDir()
	path, out := filepath.Join(dir, "run.jsonl"), filepath.Join(dir, "rows.jsonl")
	save(t, path, measured("rival-log", small, 6, rate{"file", 1, 3e6}, rate{"tidwall", 1, 1e6}))
	if code := command([]string{"table", "-o", out, path}); code != exitThreshold {
		t.Errorf("exit code %d, want %d", code, exitThreshold)
	}
	if code := command([]string{"table", "-only", "rival-mixed,rival-get", path}); code != 0 {
		t.Errorf("exit code %d where nothing that was asked for is there", code)
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	var r row
	if err := json.Unmarshal(text, &r); err != nil || r.Rival != "tidwall" || r.Status != failed || r.Factors["payload"] != "3" {
		t.Errorf("%s: %v", text, err)
	}
}

func save(t *testing.T, path string, run *results.Run) {
	t.Helper()
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	run.Envs[0].Format = results.Format
	records := []any{run.Envs[0], run.Experiments[0]}
	for _, trial := range run.Trials {
		records = append(records, trial)
	}
	w := results.NewWriter(file)
	for _, record := range records {
		if err := w.Write(record); err != nil {
			t.Fatal(err)
		}
	}
}

// Two parts are measured into files of their own and judged as one.
func TestTableMeasures(t *testing.T) {
	t.Chdir(t.TempDir())
	code := command([]string{"table", "-only", "rival-memory,rival-async", "-time", "1ms", "-trials", "1", "-o", "rows.jsonl"})
	if code != exitInconclusive { // one trial carries no interval
		t.Errorf("exit code %d, want %d", code, exitInconclusive)
	}
	text, err := os.ReadFile("rows.jsonl")
	if rows := strings.Count(string(text), "\n"); err != nil || rows != 4+1+8 {
		t.Errorf("%d rows: %v", rows, err)
	}
}

// A must that fails is judged as one that holds: on one run, that of the table.
func TestEveryMustIsJudgedOnOneRun(t *testing.T) {
	o := tableOptions{only: []string{"rival-share"}}
	var names []string
	rows, code, err := o.rows(func(home string, wanted []part) ([]string, int) {
		path := filepath.Join(t.TempDir(), "run.jsonl")
		save(t, path, measuredShare(0.9*4e4, 1e4))
		for _, p := range wanted {
			names = append(names, p.name)
		}
		return []string{path}, 0
	})
	if err != nil || code != 0 || !slices.Equal(names, []string{"rival-share-3", "rival-share-1024", "rival-share-1024-many"}) {
		t.Errorf("measured %v: code %d, %v", names, code, err)
	}
	i := slices.IndexFunc(rows, func(r row) bool { return r.cell.name() == "payload 1024, N = 8" })
	if r := rows[i]; r.Status != failed || r.Blocks != 6 {
		t.Errorf("%s, of %d blocks", r.Status, r.Blocks)
	}
}

// Ctrl-C leaves no table, and its own exit code.
func TestInterruptedTable(t *testing.T) {
	rows, code, err := new(tableOptions).rows(func(string, []part) ([]string, int) { return nil, exitInterrupted })
	if err != nil || len(rows) > 0 || code != exitInterrupted {
		t.Errorf("%d rows, code %d, %v", len(rows), code, err)
	}
}

func TestTableRefusesBadWords(t *testing.T) {
	for _, words := range [][]string{{"--nonsense"}, {"-only", "rival-nothing"}} {
		if code := command(append([]string{"table"}, words...)); code != exitUsage {
			t.Errorf("exit code %d for %v", code, words)
		}
	}
	if code := command([]string{"table", filepath.Join(t.TempDir(), "none.jsonl")}); code != exitError {
		t.Errorf("exit code %d for a file that is not there", code)
	}
}
