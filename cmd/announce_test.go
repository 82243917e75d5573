package cmd

import (
	"strings"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/harness"
)

// What was announced is corrected once, when the run is calibrated, and only if it is far
// off.
func TestAnAnnouncementIsCorrectedOnce(t *testing.T) {
	for _, c := range []struct {
		name  string
		ops   int
		lefts []time.Duration // the first one is that of calibration
		want  string
	}{
		{"40 times as long", 0, []time.Duration{time.Hour, 40 * time.Second, 39 * time.Second}, "syncwrite: calibrated: about 40s\n"},
		{"twice as long", 0, []time.Duration{time.Hour, 2 * time.Second, time.Second}, ""},
		{"longer by and by", 0, []time.Duration{0, time.Second, 40 * time.Second}, ""},
		{"no time was announced", 100, []time.Duration{0, 40 * time.Second}, ""},
	} {
		var stderr strings.Builder
		tell := corrected(&stderr, harness.Config{Ops: c.ops}, time.Second, newProgress(&stderr))
		for i, left := range c.lefts {
			tell(harness.Progress{Calibrating: i == 0, Left: left})
		}
		if stderr.String() != c.want {
			t.Errorf("%s: %q, want %q", c.name, stderr.String(), c.want)
		}
	}
}
