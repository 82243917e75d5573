package crashtest

import (
	"errors"
	"strings"
	"testing"
)

func TestWriteTable(t *testing.T) {
	lossy := Count([]Outcome{
		{Acknowledged: 1000, Lost: 3}, {Acknowledged: 234, Lost: 4, Fsck: true}, {Refused: errors.New("torn")}, {Wrong: errors.New("twice"), Fuzzy: true},
	})
	if want := (Tally{Runs: 4, Acknowledged: 1234, WithLoss: 2, Lost: 7, Most: 4, Refused: 1, Wrong: 1, Fsck: 1, Fuzzy: 1}); lossy != want {
		t.Errorf("counted %+v", lossy)
	}
	var out strings.Builder
	rows := []Row{{Backend{Name: "file", Level: "write", Survives: "process-crash"}, Tally{Runs: 1_000_000}, lossy, nil}}
	if err := WriteTable(&out, rows); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"| file | write | process-crash | 1,000,000 | 0 | 0 | 0 | 0 | 0 | 0 | 0 |\n",
		"| file | write | process-crash | 4 | 1,234 | 2 | 7 | 4 | 1 | 1 | 1 |\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in:\n%s", want, &out)
		}
	}
	for line := range strings.Lines(out.String()) {
		if len(line) > 141 {
			t.Errorf("%d characters: %s", len(line), line)
		}
	}
}
