package main_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/syncwrite/syncwrite/subject/commitlog"
)

// makelog [-open] DIR N SIZE [SEGMENT-SIZE] appends N values of SIZE bytes to a
// log and closes it, with -open only when the script ends.
func makelog(ts *testscript.TestScript, neg bool, args []string) {
	open := len(args) > 0 && args[0] == "-open"
	if open {
		args = args[1:]
	}
	if neg || len(args) < 3 || len(args) > 4 {
		ts.Fatalf("usage: makelog [-open] DIR N SIZE [SEGMENT-SIZE]")
	}
	options := commitlog.FileOptions{Durability: commitlog.Interval, Interval: time.Hour} // flushed and marked by Close alone
	if len(args) == 4 {
		options.SegmentSize = int64(integer(ts, args[3]))
	}
	log := openLog(ts, args[0], options)
	for range integer(ts, args[1]) {
		size := integer(ts, args[2])
		_, err := log.Append(fmt.Appendf(nil, "%0*d", size, log.Next())[:size])
		ts.Check(err)
	}
	if open {
		ts.Defer(func() { log.Close() })
		return
	}
	closeLog(ts, args[0], log)
}

// trim DIR FIRST drops the entries below an index.
func trim(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: trim DIR FIRST")
	}
	log := openLog(ts, args[0], commitlog.FileOptions{})
	ts.Check(log.TruncatePrefix(uint64(integer(ts, args[1]))))
	closeLog(ts, args[0], log)
}

// openLog opens a log of the script.
func openLog(ts *testscript.TestScript, dir string, options commitlog.FileOptions) *commitlog.File {
	log, err := commitlog.OpenFile(ts.MkAbs(dir), options)
	ts.Check(err)
	return log
}

// closeLog closes a log and gives it a new lock file: a command that another
// script is just starting has, until it runs, all files of its parent, and so
// holds the old lock.
func closeLog(ts *testscript.TestScript, dir string, log *commitlog.File) {
	ts.Check(log.Close())
	path := filepath.Join(ts.MkAbs(dir), "lock")
	ts.Check(os.Remove(path))
	ts.Check(os.WriteFile(path, nil, 0o644))
}

func integer(ts *testscript.TestScript, text string) int {
	n, err := strconv.Atoi(text)
	ts.Check(err)
	return n
}

// flip FILE OFFSET flips one bit.
func flip(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: flip FILE OFFSET")
	}
	edit(ts, args[0], func(b []byte) { b[integer(ts, args[1])] ^= 1 })
}

// tear FILE writes garbage behind the end of an open segment, a closed log's
// last file, as a write that a crash has cut short.
func tear(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: tear FILE")
	}
	path := ts.MkAbs(args[0])
	b, err := os.ReadFile(path)
	ts.Check(err)
	torn := append(b, "\x00\x00\x00\x00\x00\x00\x00\x00half of a record"...)
	ts.Check(os.WriteFile(path, append(torn, make([]byte, 1000)...), 0o666))
}

func edit(ts *testscript.TestScript, name string, change func([]byte)) {
	path := ts.MkAbs(name)
	b, err := os.ReadFile(path)
	ts.Check(err)
	change(b)
	ts.Check(os.WriteFile(path, b, 0o666))
}

// snapshot DIR COPY copies the files of a directory.
func snapshot(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: snapshot DIR COPY")
	}
	ts.Check(os.CopyFS(ts.MkAbs(args[1]), os.DirFS(ts.MkAbs(args[0]))))
}

// same DIR COPY holds a directory to the names and bytes of a snapshot.
func same(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: same DIR COPY")
	}
	got, want := contents(ts, args[0]), contents(ts, args[1])
	for name, b := range want {
		if g, ok := got[name]; !ok || !bytes.Equal(g, b) {
			ts.Fatalf("%s has changed", name)
		}
		delete(got, name)
	}
	for name := range got {
		ts.Fatalf("%s is new", name)
	}
}

func contents(ts *testscript.TestScript, dir string) map[string][]byte {
	files := map[string][]byte{}
	entries, err := os.ReadDir(ts.MkAbs(dir))
	ts.Check(err)
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(ts.MkAbs(dir), e.Name()))
		ts.Check(err)
		files[e.Name()] = b
	}
	return files
}
