package workload

import (
	"errors"
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/harness"
)

// A fake log whose appends and reads can be made to lie.
type fake struct {
	values [][]byte
	lose   int // the n-th append is acknowledged and forgotten
	twice  int // the n-th append gets the index of the one before
	extra  bool
	spoil  bool
}

func (f *fake) append(value []byte) (uint64, error) {
	n := len(f.values) + 1
	switch {
	case n == f.lose:
		f.lose = 0
		return uint64(n - 1), nil
	case n == f.twice:
		f.twice = 0
		f.values = append(f.values, value)
		return uint64(n - 2), nil
	}
	f.values = append(f.values, value)
	return uint64(n - 1), nil
}

func (f *fake) get(index uint64) ([]byte, error) {
	if f.extra && index == uint64(len(f.values)) {
		return f.values[0], nil
	}
	if index >= uint64(len(f.values)) {
		return nil, errors.New("no such entry")
	}
	if f.spoil {
		return []byte("bar"), nil
	}
	return f.values[index], nil
}

// work appends from two goroutines in turn and returns what the operations or
// the check afterwards said.
func work(f *fake, indexed bool) error {
	w := NewLogTrial(harness.Setup{Factors: map[string]string{"payload": "3", "reads": "0"}})
	add := f.append
	if !indexed {
		add = func(value []byte) (uint64, error) { _, err := f.append(value); return NoIndex, err }
	}
	operations := []harness.Operation{w.Operation(0, add, f.get), w.Operation(1, add, f.get)}
	for i := range 200 {
		if err := operations[i%2](); err != nil {
			return err
		}
	}
	return w.Check(f.get)
}

// Whatever a log can do wrong within a trial voids the trial.
func TestALyingLogVoidsTheTrial(t *testing.T) {
	for name, c := range map[string]struct {
		log     fake
		indexed bool
		want    string
	}{
		"honest":                     {fake{}, true, ""},
		"honest, without indexes":    {fake{}, false, ""},
		"lost append":                {fake{lose: 77}, true, "got index"},
		"lost last append":           {fake{lose: 200}, true, "after 200 appends: no such entry"},
		"lost, without indexes":      {fake{lose: 77}, false, "after 200 appends: no such entry"},
		"index given twice":          {fake{twice: 78}, true, "one was lost or given twice"},
		"more than was appended":     {fake{extra: true}, true, "holds more than the 200 entries"},
		"something else is returned": {fake{spoil: true}, true, "that were not appended"},
	} {
		err := work(&c.log, c.indexed)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}
