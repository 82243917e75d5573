package report

import (
	"testing"

	"github.com/syncwrite/syncwrite/results"
)

func TestQuantileUnderTheFloor(t *testing.T) {
	m := results.Missing()
	s := results.Summary{P50NS: m, P90NS: m, P99NS: 300, P999NS: m, FloorNS: 44, UnderFloor: 0.9}
	for want, got := range map[string]string{"≤ 44.0 ns": p50(s), "300 ns": p99(s), "–": p999(s)} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if s.UnderFloor = m; p50(s) != "–" {
		t.Errorf("too few values print as %q", p50(s))
	}
}
