package main_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/syncwrite/syncwrite/internal/racing"
	"github.com/syncwrite/syncwrite/results"
)

// TestScripts runs testdata/*.txtar with the built binary. They read as the
// manual of what the command does, with bad input above all.
func TestScripts(t *testing.T) {
	if racing.Detector {
		t.Skip("the command is built without the race detector: run without -race, as make check does")
	}
	bin := build(t)
	goCache, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(env *testscript.Env) error {
			env.Setenv("PATH", bin+string(os.PathListSeparator)+env.Getenv("PATH"))
			env.Setenv("HOSTILE", "\x1b]0;t\a\u202e")
			env.Setenv("TROUBLE", filepath.Join(bin, "trouble"))
			env.Setenv("SYNCWRITE", filepath.Join(bin, "syncwrite"))
			env.Setenv("XDG_CACHE_HOME", filepath.Join(env.WorkDir, "cache"))
			env.Setenv("GOCACHE", strings.TrimSpace(string(goCache)))
			return nil
		},
		Condition: condition,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":     exits,
			"interrupt": interrupt,
			"murder":    murder,
			"removed":   removed,
			"one":       one,
			"left":      left,
			"lines":     lines,
			"tmpfs":     tmpfs,
			"cut":       cut,
			"makelog":   makelog,
			"trim":      trim,
			"flip":      flip,
			"tear":      tear,
			"same":      same,
			"snapshot":  snapshot,
			"printable": printable,
			"server":    server,
		},
	})
}

// build builds the command once for all scripts. It looks at every source file, so
// that go test does not answer from its cache what a changed one has made untrue.
func build(t *testing.T) (dir string) {
	t.Helper()
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".go" {
			_, err = os.Stat(path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	out, err := exec.Command("go", "build", "-o", dir+string(filepath.Separator), ".", "./testdata/trouble").CombinedOutput()
	if err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return dir
}

// lines N FILE fails if the file has more lines.
func lines(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: lines N FILE")
	}
	most, err := strconv.Atoi(args[0])
	ts.Check(err)
	if got := strings.Count(ts.ReadFile(args[1]), "\n"); got > most {
		ts.Fatalf("%s has %d lines, at most %d are wanted", args[1], got, most)
	}
}

// exits CODE COMMAND... runs a command and holds it to its exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND...")
	}
	got := code(ts.Exec(args[1], args[2:]...))
	if args[0] == "any" { // of a comparison that depends on the machine
		return
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

func code(err error) int {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.ExitCode()
	}
	return -1
}

// interrupt FILE COUNT TEXT COMMAND... starts a command, waits until FILE holds
// TEXT COUNT times, sends SIGINT to it alone, and holds it to exit code 130. What it
// prints goes to the files stdout.txt and stderr.txt.
func interrupt(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 4 {
		ts.Fatalf("usage: interrupt FILE COUNT TEXT COMMAND...")
	}
	command := started(ts, args)
	ts.Check(command.Process.Signal(os.Interrupt))
	if got := code(command.Wait()); got != 130 {
		ts.Fatalf("exit code %d after an interrupt, want 130", got)
	}
}

// murder is interrupt with SIGKILL, which leaves a work folder behind.
func murder(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 4 {
		ts.Fatalf("usage: murder FILE COUNT TEXT COMMAND...")
	}
	command := started(ts, args)
	ts.Check(command.Process.Kill())
	command.Wait()
	if len(workFolders(ts, ".")) == 0 {
		ts.Fatalf("no work folder was left behind: there is nothing to remove")
	}
}

// removed PROGRAM FILE COMMAND... starts a command, removes its program once FILE has
// a trial, and waits for it to end.
func removed(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: removed PROGRAM FILE COMMAND...")
	}
	args[2] = ts.MkAbs(args[2])
	command := started(ts, append([]string{args[1], "1", `"record":"trial"`}, args[2:]...))
	ts.Check(os.Remove(ts.MkAbs(args[0])))
	command.Wait()
	ts.Check(ts.Exec("cat", ts.MkAbs("stdout.txt")))
}

// one TEXT FILE holds that a text stands in one line of a file, and no more.
func one(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: one TEXT FILE")
	}
	if n := strings.Count(ts.ReadFile(args[1]), args[0]); n != 1 {
		ts.Fatalf("%s holds %q %d times", args[1], args[0], n)
	}
}

// left DIR holds that no work folder lies in a directory.
func left(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: left DIR")
	}
	if found := workFolders(ts, args[0]); len(found) > 0 {
		ts.Fatalf("left behind: %v", found)
	}
}

func workFolders(ts *testscript.TestScript, dir string) []string {
	found, err := filepath.Glob(filepath.Join(ts.MkAbs(dir), ".syncwrite-*"))
	ts.Check(err)
	return found
}

// started starts a command and waits until a file holds a text so many times.
func started(ts *testscript.TestScript, args []string) *exec.Cmd {
	count, err := strconv.Atoi(args[1])
	ts.Check(err)
	out, err := os.Create(ts.MkAbs("stdout.txt"))
	ts.Check(err)
	ts.Defer(func() { out.Close() })
	words, err := os.Create(ts.MkAbs("stderr.txt"))
	ts.Check(err)
	ts.Defer(func() { words.Close() })
	path := filepath.Join(filepath.SplitList(ts.Getenv("PATH"))[0], args[3]) // not one that is installed
	if _, err := os.Stat(path); err != nil {
		path = args[3]
	}
	command := exec.Command(path, args[4:]...)
	command.Dir, command.Stdout, command.Stderr = ts.MkAbs("."), out, words
	ts.Check(command.Start())
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		text, _ := os.ReadFile(ts.MkAbs(args[0]))
		if strings.Count(string(text), args[2]) >= count {
			break
		}
		if time.Now().After(deadline) {
			command.Process.Kill()
			command.Wait()
			ts.Fatalf("%s never held %q %d times", args[0], args[2], count)
		}
	}
	return command
}

// printable FILE... holds files, stdout or stderr to what a terminal shows as
// it is.
func printable(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: printable FILE...")
	}
	for _, name := range args {
		for number, line := range strings.Split(ts.ReadFile(name), "\n") {
			if shown := ours.Replace(line); results.Printable(shown) != shown {
				ts.Fatalf("%s, line %d, holds what is not printable: %q", name, number+1, line)
			}
		}
	}
}

// ours are the only ones of the other characters that the command itself writes:
// a tab in benchmark lines, and the space in "95 %" that no line of a page ends in.
var ours = strings.NewReplacer("\t", " ", "\u00a0", " ")

// tmpfs DIR SIZE mounts a small file system for the script.
func tmpfs(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: tmpfs DIR SIZE")
	}
	dir := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(dir, 0o777))
	ts.Check(mount(dir, args[1]))
	ts.Defer(func() { unmount(dir) })
}

func mount(dir, size string) error {
	out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size="+size, "tmpfs", dir).CombinedOutput()
	if err != nil {
		return fmt.Errorf("mount a tmpfs: %w: %s", err, out)
	}
	return nil
}

func unmount(dir string) { exec.Command("umount", "-l", dir).Run() }

// condition [tmpfs] holds where a tmpfs can be mounted: by root on Linux.
// With SYNCWRITE_REQUIRE=1 it must hold. [root] holds for whom no file is
// unreadable.
func condition(name string) (bool, error) {
	if name == "root" {
		return os.Geteuid() == 0, nil
	}
	if name != "tmpfs" {
		return false, fmt.Errorf("unknown condition %q", name)
	}
	dir, err := os.MkdirTemp("", "tmpfs")
	if err != nil {
		return false, err
	}
	defer os.Remove(dir)
	if err := mount(dir, "1m"); err != nil {
		if os.Getenv("SYNCWRITE_REQUIRE") == "1" {
			return false, err
		}
		return false, nil
	}
	unmount(dir)
	return true, nil
}

// cut FILE LINES BYTES keeps the first lines of a file and some bytes of the
// next one, as a crash or a full disk would.
func cut(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: cut FILE LINES BYTES")
	}
	lines, err := strconv.Atoi(args[1])
	ts.Check(err)
	rest, err := strconv.Atoi(args[2])
	ts.Check(err)
	at := 0
	text := ts.ReadFile(args[0])
	for range lines {
		at += strings.IndexByte(text[at:], '\n') + 1
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text[:at+rest]), 0o666))
}
