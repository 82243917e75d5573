package cmd

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Of what lies in a directory a run removes what dead runs left, and nothing that a
// living one holds, or is about to lock, or that is no work directory at all.
func TestOnlyWhatDeadRunsLeftIsRemoved(t *testing.T) {
	home := t.TempDir()
	living, err := newWorkdir(home)
	if err != nil {
		t.Fatal(err)
	}
	defer living.remove()
	if free, err := tryLock(living.lock); !free || err != nil {
		t.Skip("directories cannot be locked here")
	}
	at := func(name string) string { return filepath.Join(home, name) }
	for _, name := range []string{workPrefix + "dead", newPrefix + "young", newPrefix + "old", "trial-1"} {
		if err := os.Mkdir(at(name), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(at(workPrefix+"file"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	long := time.Now().Add(-time.Hour)
	if err := os.Chtimes(at(newPrefix+"old"), long, long); err != nil {
		t.Fatal(err)
	}
	removeDead(home)
	for name, stays := range map[string]bool{
		filepath.Base(living.path): true, newPrefix + "young": true, "trial-1": true, workPrefix + "file": true,
		workPrefix + "dead": false, newPrefix + "old": false,
	} {
		if _, err := os.Stat(at(name)); (err == nil) != stays {
			t.Errorf("%s stays: %v, want %v", name, err == nil, stays)
		}
	}
}

// A run without -o looks for them beside the results of every run before it.
func TestDeadRunsBesideTheirResults(t *testing.T) {
	t.Chdir(t.TempDir())
	dead := filepath.Join(resultsHome, "20260101T000000Z-log", workPrefix+"dead")
	if err := os.MkdirAll(dead, 0o777); err != nil {
		t.Fatal(err)
	}
	files, err := openFiles(runFlags{}, "log")
	if err != nil {
		t.Fatal(err)
	}
	defer files.discard()
	if free, err := tryLock(files.work.lock); !free || err != nil {
		t.Skip("directories cannot be locked here")
	}
	if _, err := os.Stat(dead); err == nil {
		t.Errorf("%s was left", dead)
	}
}
