package sheet

import (
	"testing"

	"github.com/syncwrite/syncwrite/results"
)

func TestQuantileUnderTheFloor(t *testing.T) {
	m := results.Missing()
	s := results.Summary{P50NS: m, P90NS: m, P99NS: 300, P999NS: m, FloorNS: 44, UnderFloor: 0.9}
	for want, got := range map[string]string{"≤ 44.0 ns": P50(s), "300 ns": P99(s), "–": P999(s)} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if s.UnderFloor = m; P50(s) != "–" {
		t.Errorf("too few values print as %q", P50(s))
	}
}
