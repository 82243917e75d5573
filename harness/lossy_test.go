package harness

import (
	"errors"
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/results"
)

// lossyVariant counts so many losses; nil counts none at all.
func lossyVariant(result string, lost func(int) (int, error)) Variant {
	p := promise
	p.Result = result
	return Variant{Name: "v", Promise: p, Open: func(Setup) (Instance, error) {
		return Instance{Worker: func(int) Operation { return func() error { return nil } }, Lost: lost}, nil
	}}
}

// Losses are counted where the promise lets some be, and only there.
func TestLossesAreCounted(t *testing.T) {
	some := func(ops int) (int, error) { return ops / 4, nil }
	trial, err := once(t, lossyVariant(results.Lossy, some), 2, 100, eachTimed)
	if err != nil || trial.Lost == nil || *trial.Lost != 25 {
		t.Errorf("lost %v, error %v, want 25", trial.Lost, err)
	}
	trial, err = once(t, lossyVariant("independent", nil), 2, 100, eachTimed)
	if err != nil || trial.Lost != nil {
		t.Errorf("lost %v, error %v of a variant that counts none", trial.Lost, err)
	}
	for name, c := range map[string]struct {
		variant Variant
		want    string
	}{
		"nobody counts":      {lossyVariant(results.Lossy, nil), "it counts no losses"},
		"a promise of none":  {lossyVariant("linearizable", some), "its promise allows none"},
		"more than there is": {lossyVariant(results.Lossy, func(ops int) (int, error) { return ops + 1, nil }), "101 of 100 operations lost"},
		"less than nothing":  {lossyVariant(results.Lossy, func(int) (int, error) { return -1, nil }), "-1 of 100 operations lost"},
		"cannot be counted":  {lossyVariant(results.Lossy, func(int) (int, error) { return 0, errors.New("gone") }), "gone"},
	} {
		if _, err := once(t, c.variant, 2, 100, eachTimed); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}
