package main

import (
	"os"
	"strings"
	"testing"
)

// runnable is where the drivers are. It skips for one that needs more than Go,
// unless SYNCWRITE_FOREIGN says that they are wanted and it has been built.
func runnable(t *testing.T, d driver) home {
	t.Helper()
	h, err := findHome()
	if err != nil {
		t.Fatal(err)
	}
	if !d.ours && os.Getenv("SYNCWRITE_FOREIGN") != "1" {
		t.Skip("SYNCWRITE_FOREIGN is not 1")
	}
	if why := d.missing(h); why != "" {
		t.Skip(why)
	}
	return h
}

func TestDriversTakeTheirTime(t *testing.T) {
	for _, d := range drivers() {
		t.Run(d.name, func(t *testing.T) {
			h := runnable(t, d)
			for _, c := range []cell{{d.survives, 3, 1}, {d.survives, 1024, 3}} {
				if _, err := (job{d, c, 100}).run(t.Context(), h, t.TempDir()); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

func TestDriversSurviveAKill(t *testing.T) {
	for _, d := range drivers() {
		t.Run(d.name, func(t *testing.T) {
			h := runnable(t, d)
			c, err := killOnce(t.Context(), d, h, t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			if c.acked == 0 || c.lost > 0 || c.refused != nil {
				t.Errorf("after a kill: %+v", c)
			}
		})
	}
}

// The logs that do not promise to survive a power cut show that the rig cuts.
func TestDriversUnderAPowerCut(t *testing.T) {
	if err := canImage(); err != nil {
		t.Skip(err)
	}
	if os.Getenv("SYNCWRITE_FOREIGN") != "1" {
		t.Skip("SYNCWRITE_FOREIGN is not 1")
	}
	for _, d := range drivers() {
		t.Run(d.name, func(t *testing.T) {
			h := runnable(t, d)
			c, err := imageOnce(t.Context(), d, h, t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			if broken := c.lost > 0 || c.refused != nil; c.acked == 0 || broken != (d.survives != powerCut) {
				t.Errorf("after a power cut: %+v", c)
			}
		})
	}
}

func TestADriverThatFailsIsNamed(t *testing.T) {
	d := drivers()[0]
	_, err := d.output(t.Context(), runnable(t, d), "/dev/null", "1", "3", "5")
	if err == nil || !strings.Contains(err.Error(), "ours: exit status 1: foreign: ") {
		t.Errorf("a log where there is no directory: %v", err)
	}
}
