package experiments_test

import (
	"os"
	"testing"

	"github.com/syncwrite/syncwrite/experiments"
)

// Some variants start this binary once more.
func TestMain(m *testing.M) {
	if code, is := experiments.Child(); is {
		os.Exit(code)
	}
	if os.Getenv("SYNCWRITE_TEST_WAITS") != "" {
		os.Stdin.Read(make([]byte, 1))
		return
	}
	os.Exit(m.Run())
}
