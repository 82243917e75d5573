//go:build unix

package load_test

import (
	"bufio"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/load"
)

// forking takes Locust's place: it starts a worker and waits for it, and has no handler of
// signals yet. Both hold the pipe that the environment names: it ends when both have.
const forking = `#!/bin/sh
exec 3>"$LOAD_TEST_PIPE"
(sleep 30; echo survived >&3) &
echo started >&3
wait
`

// runForking runs what takes Locust's place until ctx ends.
func runForking(t *testing.T, ctx context.Context) error {
	_, err := harness.Run(ctx, harness.Config{Trials: 1, Window: time.Second, Dir: t.TempDir()}, load.LocustExperiment(load.Locust{
		Workers: 1,
		Serve: func(context.Context) (load.Server, error) {
			return load.Server{URL: "http://127.0.0.1:1/albums", PID: os.Getpid(), Stop: func() error { return nil }}, nil
		},
	}, 1))
	return err
}

// installForking puts it where Locust is looked for, and returns the pipe.
func installForking(t *testing.T) (pipe string) {
	t.Helper()
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CACHE_HOME", home)
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	pipe = filepath.Join(home, "pipe")
	t.Setenv("LOAD_TEST_PIPE", pipe)
	folder := filepath.Join(cache, "syncwrite", "locust-"+load.LocustVersion)
	for _, err := range []error{
		os.MkdirAll(filepath.Join(folder, "bin"), 0o755), os.WriteFile(filepath.Join(folder, "whole"), nil, 0o644),
		os.WriteFile(filepath.Join(folder, "bin", "locust"), []byte(forking), 0o755), syscall.Mkfifo(pipe, 0o644),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return pipe
}

// leavesNothing waits until all has started, ends it, and waits until nobody holds the pipe.
func leavesNothing(t *testing.T, pipe string, end func()) {
	t.Helper()
	file, err := os.Open(pipe)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewReader(file)
	if line, err := lines.ReadString('\n'); line != "started\n" {
		t.Fatalf("%q, %v", line, err)
	}
	end()
	if rest, err := io.ReadAll(lines); err != nil || strings.Contains(string(rest), "survived") {
		t.Errorf("a process was left behind: %q, %v", rest, err)
	}
}

// Who is told to end tells all processes, also those that nobody has told how to.
func TestLocustEndsWhole(t *testing.T) {
	pipe := installForking(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- runForking(t, ctx) }()
	leavesNothing(t, pipe, cancel)
	if err := <-ended; err == nil {
		t.Error("no error of what was interrupted")
	}
}

// Who is killed leaves no process behind.
func TestLocustEndsWithWhoeverRunsIt(t *testing.T) {
	if os.Getenv("LOAD_TEST_PIPE") != "" { // in the process that is killed
		runForking(t, t.Context())
		return
	}
	pipe := installForking(t)
	runs := exec.Command(os.Args[0], "-test.run=^TestLocustEndsWithWhoeverRunsIt$")
	runs.Env = append(os.Environ(), "TMPDIR="+t.TempDir()) // which it has no time to clear
	if err := runs.Start(); err != nil {
		t.Fatal(err)
	}
	leavesNothing(t, pipe, func() {
		runs.Process.Kill()
		runs.Wait()
	})
}
