package main

import (
	"syscall"
	"testing"

	"github.com/syncwrite/syncwrite/rivals/internal/memory"
)

// What a trial finds warm was in use by this process, which needs far less itself.
func TestATrialFindsWarmMemory(t *testing.T) {
	available, err := memory.Available()
	if err != nil {
		t.Fatal(err)
	}
	want := min(beforeWindow+memory.Least, available/5) // no more than a quarter is warmed
	d := drivers()[0]
	if _, err := (job{d, cell{d.survives, 3, 1}, 100}).run(t.Context(), runnable(t, d), t.TempDir()); err != nil {
		t.Fatal(err)
	}
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		t.Fatal(err)
	}
	if most := usage.Maxrss << 10; most < want {
		t.Errorf("at most %d bytes were in use, want %d", most, want)
	}
}
