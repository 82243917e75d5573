//go:build never

// What a benchmark says at its end: its figures, to whoever reads the output,
// and its trial, to the command that started go test. See inside.go.

package testing

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// importPath is the package under test, side the file its trials go to, and lookedAt
// the files that say what others take.
var (
	importPath string
	lookedAt   []string
	side       = takeSide()
)

// takeSide makes the file of this process and takes its directory's name out of
// the environment: what this process starts, another test binary or itself once
// more, runs nobody's benchmarks. One that was started before, or given an
// environment that was read before, has a parent with a file.
func takeSide() string {
	const variable = "SYNCWRITE_GOTEST_DIR"
	dir := os.Getenv(variable)
	if dir == "" {
		return ""
	}
	os.Unsetenv(variable)
	file := func(pid int) string { return dir + string(os.PathSeparator) + strconv.Itoa(pid) }
	if _, err := os.Stat(file(os.Getppid())); err == nil {
		return ""
	}
	path := file(os.Getpid())
	made, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o666)
	if err != nil {
		return ""
	}
	made.Close()
	const looks = "SYNCWRITE_GOTEST_LOOKS"
	lookedAt = strings.Split(os.Getenv(looks), "\n")
	os.Unsetenv(looks)
	return path
}

// What noTrial of a watch says; NoTrial in side.go has the same.
const (
	kept        = iota
	overlapping // RunParallel was called while another call of it ran
	halfTimed   // the timer was off while operations of RunParallel passed
	withinLoop  // RunParallel was called within b.Loop, where there is no b.N to deal out
	lateReset   // operations of RunParallel passed before the timer was reset, or may have, within it or behind it
	leftOver    // a body ended with operations in hand, which nobody ran, or not to their end
	timeless    // no time passed on the timer
	skipped     // an operation did not come to its end: Skip, or runtime.Goexit
)

// report adds the figures to the result of the last run, where the benchmark
// has not reported the same unit itself, or all that there is, and tells the side file.
func (b *B) report(name string, procs int, r *BenchmarkResult) {
	if b.failed {
		b.tellFailure(name, procs)
		return
	}
	if first := b.syncwrite.first; first != nil && b.syncwrite.broke() {
		*r = *first
	}
	b.syncwrite.reported = reported(r)
	own, timed := b.syncwrite.reported != nil, r.N > 0 && r.T > 0 // else it is a repetition nevertheless
	if timed && !own {
		b.addFigures(r)
	}
	b.tell(name, procs, r)
	if timed || own {
		b.tellWhy(name, procs)
	}
}

func (b *B) addFigures(r *BenchmarkResult) {
	own := r.Extra
	r.Extra = make(map[string]float64, len(own)+9)
	put := func(v float64, unit string) { r.Extra[unit] = v }
	b.figures(r, put)
	for unit, v := range own {
		put(v, unit)
	}
}

// figures puts those of the result: none where they would be of something else.
func (b *B) figures(r *BenchmarkResult, put func(v float64, unit string)) {
	wall := r.T.Nanoseconds()
	t := b.parallel()
	switch {
	case b.noTrial(r) != kept:
	case t != nil:
		t.metrics(r.N, wall, outsideShare(wall-t.insideNS, wall), put)
	case b.syncwrite.untimed != neverTimed && wall > newWindow(1, 1, 0).floor:
		put(float64(r.N)/r.T.Seconds(), "ops/s")
	}
}

// noTrial is why the last run is none. A call of RunParallel that has outlasted it overlaps
// what comes next. One behind which the timer was reset may have been all that there was to
// measure, or setup for something serial: nobody can tell.
func (b *B) noTrial(r *BenchmarkResult) int32 {
	why := b.syncwrite.noTrial.Load()
	switch {
	case !b.syncwrite.returned || r.N <= 0:
		return skipped
	case b.syncwrite.left:
		return leftOver
	case b.syncwrite.reported != nil:
		return kept
	case b.syncwrite.running.Load() > 0:
		return overlapping
	case why != kept:
		return why
	case r.T <= 0:
		return timeless
	case b.syncwrite.discarded && b.parallel() == nil:
		return lateReset
	}
	return kept
}

// parallel is what RunParallel saw while the timer ran; nil if that was nothing.
func (b *B) parallel() *totals {
	if t := b.syncwrite.totals; t != nil && t.goroutines > 0 {
		return t
	}
	return nil
}

// tellFailure tells the side file that this repetition failed: go test goes on
// with the next one, and passes if the first did not fail.
func (b *B) tellFailure(name string, procs int) {
	said, _, _ := strings.Cut(strings.TrimSpace(string(b.output)), "\n")
	tellSide(fmt.Sprintf("syncwrite3-failed %q %q %d %q\n", importPath, name, procs, said))
}

// tellEnd tells the side file that no benchmark ended the process: neither a panic nor
// os.Exit comes by here.
func tellEnd() { tellSide(fmt.Sprintf("syncwrite3-end %q\n", importPath)) }

// tell tells the side file of one repetition.
func (b *B) tell(name string, procs int, r *BenchmarkResult) {
	if side == "" { // sparing it the histogram
		return
	}
	wall, outside, t, own, off := r.T.Nanoseconds(), 0.0, b.parallel(), b.syncwrite.reported, b.syncwrite.untimed
	switch {
	case own != nil: // what passed besides is in none of its figures
		t, wall, off = own, own.insideNS, allTimed
	case t != nil:
		outside = outsideShare(wall-t.insideNS, wall)
	default:
		t = new(totals)
	}
	var started uint64
	if before := b.syncwrite.created; before > 0 {
		started = Created() - before
	}
	now, began := lookAround(), b.syncwrite.began
	histogram := ""
	if t.goroutines > 0 && !t.blind {
		histogram = fmt.Sprintf("%x", t.hist.appendBinary(nil))
	}
	line := fmt.Sprintf("syncwrite3 %q %q %d %d %d %d %d %d %d %d %d %t %q %d %d %d %g %d %d %q %q %d %t\n", importPath, name, procs, r.N,
		wall, t.goroutines, t.goroutineNS, t.recordedNS, t.longestNS, t.ops, t.dropped, t.each, histogram, started, b.parallelism,
		t.floor, outside, off,
		now.at.Sub(began.at), began.texts, now.texts, b.noTrial(r), own != nil)
	tellSide(line)
}

// reported is what a benchmark told itself that measured its goroutines, as parallel.Run does; nil
// of any other, and where it cannot be. None of our figures may be there yet.
func reported(r *BenchmarkResult) *totals {
	n, goroutines := float64(r.N), r.Extra["goroutines"]
	ns, wall := r.Extra["ns/op"]*n, r.Extra["wall-ns/op"]*n
	for _, x := range []float64{goroutines, ns, wall} {
		if !(x >= 1 && x < 1<<62) {
			return nil
		}
	}
	return &totals{goroutines: int(goroutines), goroutineNS: int64(ns), insideNS: int64(wall), ops: uint64(r.N), blind: true}
}

// tellSide appends one line to the side file of this process, if it has one.
func tellSide(line string) {
	if side == "" {
		return
	}
	file, err := os.OpenFile(side, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return // the command misses the trials, and says so
	}
	defer file.Close()
	file.WriteString(line)
}

// A look is what the kernel says at a moment, in files that the command names: their
// texts, those of no interest cut off.
type look struct {
	at    time.Time
	texts string
}

// lookAround looks where somebody will read it.
func lookAround() look {
	if side == "" {
		return look{}
	}
	var texts []string
	for _, path := range lookedAt {
		text, _ := os.ReadFile(path)
		first, _, _ := strings.Cut(string(text), "\nintr ") // of /proc/stat, what is not of processors
		texts = append(texts, first)
	}
	return look{time.Now(), strings.Join(texts, "\x00")}
}
