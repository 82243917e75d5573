package cmd

import "testing"

// Runs that start in the same second keep their results apart: of three in a row two
// do, whenever that is.
func TestHomesOfOneSecond(t *testing.T) {
	t.Chdir(t.TempDir())
	seen := map[string]bool{}
	for range 3 {
		home, err := makeHome("log")
		if err != nil {
			t.Fatal(err)
		}
		if seen[home] {
			t.Errorf("two runs write to %s", home)
		}
		seen[home] = true
	}
}
