package exit

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// Nobody takes lines for a while: whoever writes them does not wait, and those that were lost
// are counted behind those that were not.
func TestLinesAreTakenLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		from, to := io.Pipe()
		lines := NewLines(to)
		Say(lines, "line 0")
		synctest.Wait() // it is on its way
		for i := range mostLines + 7 {
			Say(lines, fmt.Sprintf("line %d", i+1))
		}
		read := bufio.NewScanner(from)
		for i := range mostLines + 1 {
			if read.Scan(); read.Text() != fmt.Sprintf("syncwrite: line %d", i) {
				t.Fatalf("%q is line %d", read.Text(), i)
			}
		}
		if read.Scan(); !strings.HasPrefix(read.Text(), "syncwrite: 7 lines missing here") {
			t.Errorf("%q", read.Text())
		}
		Say(lines, "the last one")
		go lines.Close()
		if read.Scan(); read.Text() != "syncwrite: the last one" {
			t.Errorf("%q", read.Text())
		}
	})
}

// Lines are lost, and others follow while those before the gap still wait: the count stands in
// the gap, and a second gap has its own.
func TestLostLinesAreCountedWhereTheyAreMissing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		from, to := io.Pipe()
		lines := NewLines(to)
		read := bufio.NewScanner(from)
		expect := func(text string) {
			t.Helper()
			if read.Scan(); !strings.HasPrefix(read.Text(), "syncwrite: "+text) {
				t.Fatalf("%q, not %q", read.Text(), text)
			}
			synctest.Wait() // the next one is on its way
		}
		say := func(text string) { t.Helper(); Say(lines, text) }
		say("the first")
		synctest.Wait()
		for range mostLines {
			say("waits")
		}
		say("lost")
		say("lost")
		expect("the first")
		say("behind a gap")
		say("lost")
		for range mostLines {
			expect("waits")
		}
		expect("2 lines missing here")
		expect("behind a gap")
		expect("1 line missing here")
		say("the last")
		go lines.Close()
		expect("the last")
	})
}

// Nobody takes lines ever: the end waits for a second.
func TestLinesAreNeverTaken(t *testing.T) {
	for _, n := range []int{0, 1, 2 * mostLines} {
		synctest.Test(t, func(t *testing.T) {
			from, to := io.Pipe()
			lines := NewLines(to)
			for range n {
				Say(lines, "a line")
			}
			began := time.Now()
			lines.Close()
			if took := time.Since(began); took > lastWords {
				t.Errorf("%d lines: it ends after %v", n, took)
			}
			from.Close()
		})
	}
}

// A reader that comes again, as a log's does, is told how many lines met none.
func TestLinesThatMeetNoReaderAreCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		there := false
		var read bytes.Buffer
		lines := NewLines(writerFunc(func(p []byte) (int, error) {
			if !there {
				return 0, io.ErrClosedPipe
			}
			return read.Write(p)
		}))
		Say(lines, "one")
		Say(lines, "two")
		synctest.Wait()
		there = true
		Say(lines, "three")
		lines.Close()
		if got, want := read.String(), "syncwrite: 2 lines missing here, not taken in time\nsyncwrite: three\n"; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	})
}

type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }
