//go:build unix

package load

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/syncwrite/syncwrite/harness"
)

// program is a script in a directory.
func program(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// How a master or a worker ended is said once.
func TestWhoEndedATrial(t *testing.T) {
	for _, c := range []struct{ master, worker, want string }{
		{"kill -KILL $$", "exec sleep 60", "locust: signal: killed"},
		{"echo no >&2; exit 3", "exec sleep 60", "locust: exit status 3: no"},
		{"exec sleep 60", "echo syncwrite: no >&2; exit 1", "worker 1: exit status 1: no"},
		{"exit 0", "exit 0", ""},
		{"exec sleep 60", "echo syncwrite: worker 0 of the master >&2; kill -KILL $$", "worker 1: signal: killed"},
		{"exit 0", "timeout 10 cat >/dev/null", ""}, // it has not heard that the master quit
	} {
		dir := t.TempDir()
		l := LocustGo{Workers: 1, Program: program(t, dir, "worker", c.worker)}
		_, err := l.together(harness.Setup{Context: t.Context(), Dir: dir, Goroutines: 1}, program(t, dir, "master", c.master), "1")
		if (err == nil) != (c.want == "") || err != nil && err.Error() != c.want {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

// Other processes are no doubt only where the server is one of them.
func TestGoWorkersOfAServerElsewhere(t *testing.T) {
	for url, beside := range map[string]bool{"http://127.0.0.1:1/": true, "http://192.0.2.7/": false} {
		e, err := LocustGoExperiment(LocustGo{Scenario: Scenario{URL: url}, Workers: 1}, 1)
		if err != nil || e.Beside != beside {
			t.Errorf("%s: beside %v, %v", url, e.Beside, err)
		}
	}
}
