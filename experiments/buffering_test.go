package experiments

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/harness"
)

// A crashingFile tells what the page cache and the disk hold of it.
type crashingFile struct{ cache, disk []byte }

func (f *crashingFile) Write(p []byte) (int, error) {
	f.cache = append(f.cache, p...)
	return len(p), nil
}

func (f *crashingFile) Sync() error {
	f.disk = slices.Clone(f.cache)
	return nil
}

// After every acknowledged line, a killed process leaves what its promise says
// in the page cache, and a power cut on the disk. The weaker promises are
// weaker indeed: something that was acknowledged is not there yet.
func TestWhatAnAcknowledgedLineSurvives(t *testing.T) {
	styles := map[string]lineStyle{
		"unbuffered": {}, "unbuffered-fsync-end": {syncEnd: true}, "unbuffered-fsync-line": {syncLine: true},
		"buffered": {buffered: true}, "buffered-fsync-end": {buffered: true, syncEnd: true}, "buffered-fsync-line": {buffered: true, syncLine: true},
	}
	for _, v := range Buffering().Variants {
		style, known := styles[v.Name]
		if !known {
			t.Fatalf("no style of %s", v.Name)
		}
		file := new(crashingFile)
		w := newLineWriter(file, style)
		inCache, onDisk := true, true
		var written []byte
		for range 100 {
			line := []byte("0123456789\n")
			if err := w.write(line); err != nil {
				t.Fatal(err)
			}
			written = append(written, line...)
			inCache = inCache && bytes.Equal(file.cache, written)
			onDisk = onDisk && bytes.Equal(file.disk, written)
		}
		want := map[string][2]bool{"nothing": {false, false}, "process-crash": {true, false}, "power-cut": {true, true}}[v.Promise.Survives]
		if got := [2]bool{inCache, onDisk}; got != want {
			t.Errorf("%s survives %s: every line in the page cache %t, on the disk %t, want %v", v.Name, v.Promise.Survives, inCache, onDisk, want)
		}
		if err := w.finish(); err != nil || !bytes.Equal(file.cache, written) {
			t.Errorf("%s: %d of %d bytes written at the end, error %v", v.Name, len(file.cache), len(written), err)
		}
		if ends := style.syncEnd || style.syncLine; bytes.Equal(file.disk, written) != ends {
			t.Errorf("%s: %d of %d bytes synced at the end", v.Name, len(file.disk), len(written))
		}
	}
}

// Whatever happens to a line voids the trial.
func TestABrokenLineVoidsTheTrial(t *testing.T) {
	whole := "aaa\nbbb\naaa\n"
	for text, want := range map[string]string{
		whole:              "",
		"aaa\nbbb\n":       `1 lines of 'a' are in the file, 2 were written`,
		whole + "bbb\n":    `2 lines of 'b'`,
		"aaa\nbba\nbaa\n":  "line 2 is not one that was written",
		"aaa\nbbb\naaa\nb": "line 4: unexpected EOF",
		"aaa\nbbb\naaab":   "line 3 is not",
	} {
		l := newLines(4)
		none := func([]byte) error { return nil }
		a, b := l.operation(0, none), l.operation(1, none)
		for _, op := range []harness.Operation{a, b, a} {
			op()
		}
		path := filepath.Join(t.TempDir(), "lines")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		err := l.check(path)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
