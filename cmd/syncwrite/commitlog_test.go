package main_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/syncwrite/syncwrite/subject/commitlog"
)

// makelog DIR N SIZE [SEGMENT-SIZE] appends N values of SIZE bytes to a log
// and closes it.
func makelog(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 || len(args) > 4 {
		ts.Fatalf("usage: makelog DIR N SIZE [SEGMENT-SIZE]")
	}
	var options commitlog.FileOptions
	if len(args) == 4 {
		options.SegmentSize = int64(integer(ts, args[3]))
	}
	log, err := commitlog.OpenFile(ts.MkAbs(args[0]), options)
	ts.Check(err)
	for range integer(ts, args[1]) {
		value := fmt.Appendf(nil, "%0*d", integer(ts, args[2]), log.Next())
		_, err := log.Append(value[:integer(ts, args[2])])
		ts.Check(err)
	}
	ts.Check(log.Close())
}

func integer(ts *testscript.TestScript, text string) int {
	n, err := strconv.Atoi(text)
	ts.Check(err)
	return n
}

// lock DIR holds the log open until the script ends.
func lock(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: lock DIR")
	}
	log, err := commitlog.OpenFile(ts.MkAbs(args[0]), commitlog.FileOptions{})
	ts.Check(err)
	ts.Defer(func() { log.Close() })
}

// flip FILE OFFSET flips one bit.
func flip(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: flip FILE OFFSET")
	}
	edit(ts, args[0], func(b []byte) { b[integer(ts, args[1])] ^= 1 })
}

// tear FILE writes garbage behind the last record of an open segment, as a
// write that a crash has cut short.
func tear(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: tear FILE")
	}
	edit(ts, args[0], func(b []byte) {
		end := (len(bytes.TrimRight(b, "\x00")) + 7) / 8 * 8
		copy(b[end:], "half of a record")
	})
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
