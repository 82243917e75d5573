package cmd_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/syncwrite/syncwrite/cmd"
)

// A run that never begins is an error and leaves nothing behind.
func TestRunThatNeverBeginsLeavesNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	if code := cmd.Main(nil, []string{"run", "--quiet"}); code != 1 {
		t.Errorf("exit code %d of a run over no experiments, want 1", code)
	}
	left, err := filepath.Glob("syncwrite-results/*")
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, error %v", left, err)
	}
	if entries, _ := os.ReadDir("."); len(entries) > 1 {
		t.Errorf("left behind: %v", entries)
	}
}
