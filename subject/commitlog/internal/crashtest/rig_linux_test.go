package crashtest

import (
	"os"
	"strings"
	"testing"
)

func TestRigReportsAChildThatFails(t *testing.T) {
	unknown := control("control-honest")
	unknown.Name = "unheard-of"
	outcomes, err := Kills(unknown, Options{Dir: t.TempDir()})
	if err == nil || !strings.Contains(err.Error(), "no backend unheard-of") || len(outcomes) > 0 {
		t.Errorf("%d outcomes, %v", len(outcomes), err)
	}
}

func TestOnlyEvidenceIsLeft(t *testing.T) {
	dir := t.TempDir()
	if _, err := Kills(control("control-honest"), Options{Dir: dir, Runs: 3}); err != nil {
		t.Fatal(err)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// A log that fills its image ends the child, and that is no failure of the
// rig.
func TestAFullImageIsCut(t *testing.T) {
	need(t, CanImage())
	outcomes, err := Images(control("control-early"), Options{Dir: t.TempDir(), Runs: 12, ImageSize: 8 << 20})
	if err != nil || len(outcomes) != 12 {
		t.Errorf("%d outcomes, %v", len(outcomes), err)
	}
}
