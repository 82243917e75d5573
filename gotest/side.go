package gotest

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/syncwrite/syncwrite/hist"
	"github.com/syncwrite/syncwrite/internal/cause"
	"github.com/syncwrite/syncwrite/results"
)

// A Trial is one repetition of a benchmark that did not fail, as the test binary told it.
type Trial struct {
	Package    string
	Name       string // with the GOMAXPROCS suffix, as it was printed
	Procs      int    // GOMAXPROCS
	N          int    // operations, as the benchmark has it: b.N
	Dealt      int64  // operations that RunParallel dealt: more than N where it was called several times
	Dropped    int64  // of these, those that no latency tells of
	WallNS     int64
	Goroutines int // 0: not a parallel benchmark
	// GoroutineNS is goroutine time, and RecordedNS what single operations and
	// the stretches between them add up to.
	GoroutineNS, RecordedNS int64
	LongestNS               int64 // longest stretch between two samples
	Each                    bool  // every operation was timed
	Hist                    *hist.Histogram
	Started                 int // goroutines the process started meanwhile, without RunParallel; 0 where the runtime does not say
	FloorNS                 int64
	// OutsideShare is the part of the timed wall time that lay outside
	// RunParallel: work that GoroutineNS and Hist do not hold.
	OutsideShare float64
	// Untimed says that the timer was off while RunParallel ran, and Empty that
	// it did not run afterwards either: WallNS is then no time of N operations.
	Untimed, Empty bool
	// BetweenNS lies between when the timer was reset and the trial's end, and Usage
	// says what others took meanwhile.
	BetweenNS  int64
	UsedNS     results.Number // processor time of the process, counted in ticks
	Usage      results.Usage
	Processors int // that it might use
	NoTrial    NoTrial
	Own        bool // the benchmark measured its goroutines itself: what it reported is what is known
	// FailedBefore is how many repetitions of the same benchmark, at the same
	// GOMAXPROCS, had failed before this one.
	FailedBefore int
}

// NoTrial says why a repetition that did not fail is no trial: it has no figures, or they would
// be of something else.
type NoTrial int

// What it can be is what noTrial in insidetell.go says.
const (
	Kept        NoTrial = iota // it is a trial
	Overlapping                // RunParallel was called while another call of it ran
	HalfTimed                  // the timer was off while operations of RunParallel passed
	WithinLoop                 // RunParallel was called within b.Loop, where there is no b.N to deal out
	LateReset                  // operations of RunParallel passed before the timer was reset, or may have, within it or behind it
	LeftOver                   // a body ended with operations in hand, which nobody ran, or not to their end
	Timeless                   // no time passed on the timer
	Skipped                    // an operation did not come to its end: Skip, or runtime.Goexit
)

// A Failure is a repetition of a benchmark that failed.
type Failure struct {
	Package    string
	Name       string // with the GOMAXPROCS suffix, as it was printed
	Procs      int    // GOMAXPROCS
	Repetition int    // from 1
	Text       string // the first line that it said; may be empty
}

// failedLine is what tellFailure in insidetell.go starts a line with.
const failedLine = "syncwrite3-failed "

// endLine is what tellEnd starts a line with.
const endLine = "syncwrite3-end "

func parseFailure(line string) (f Failure, err error) {
	_, err = fmt.Sscanf(line, failedLine+"%q %q %d %q", &f.Package, &f.Name, &f.Procs, &f.Text)
	return f, err
}

// A Told is what test binaries told.
type Told struct {
	Trials   []Trial
	Failures []Failure
	Ended    []string // packages whose benchmarks came to their end
	Unread   []error  // one of each line that cannot be read: what it told is missing
	traces   []trace
}

// ReadTrials reads what test binaries left in the directory that their
// environment's SYNCWRITE_GOTEST_DIR named, a file each. A line that a binary could
// not finish is dropped, and one that cannot be read costs no other.
func ReadTrials(dir string) (Told, error) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return Told{}, fmt.Errorf("read trials: %w", err)
	}
	var all sideLines
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join(dir, file.Name()))
		if err != nil {
			return Told{}, fmt.Errorf("read trials: %w", err)
		}
		for len(text) > 0 {
			line, rest, whole := bytes.Cut(text, []byte("\n"))
			text = rest
			if !whole {
				break
			}
			if err := all.add(string(line)); err != nil {
				all.told.Unread = append(all.told.Unread, err)
			}
		}
	}
	return all.told, nil
}

// sideLines are what the lines of side files say, in their order.
type sideLines struct {
	told Told
	of   map[repeated]repetitions
}

// add takes one line, and counts the repetitions of its benchmark.
func (s *sideLines) add(line string) error {
	if s.of == nil {
		s.of = map[repeated]repetitions{}
	}
	if quoted, is := strings.CutPrefix(line, endLine); is {
		ended, err := strconv.Unquote(quoted)
		if err == nil {
			s.told.Ended = append(s.told.Ended, ended)
		}
		return err
	}
	if strings.HasPrefix(line, tracedLine) {
		t, err := parseTrace(line)
		if err == nil {
			s.told.traces = append(s.told.traces, t)
		}
		return err
	}
	if strings.HasPrefix(line, failedLine) {
		f, err := parseFailure(line)
		if err != nil {
			return err
		}
		at := f.repetitionOf()
		r := s.of[at]
		f.Repetition = r.passed + r.failed + 1
		r.failed++
		s.of[at] = r
		s.told.Failures = append(s.told.Failures, f)
		return nil
	}
	t, err := parseTrial(line)
	if err != nil {
		return err
	}
	at := t.repetitionOf()
	r := s.of[at]
	t.FailedBefore = r.failed
	r.passed++
	s.of[at] = r
	s.told.Trials = append(s.told.Trials, t)
	return nil
}

// A repeated benchmark is one at one GOMAXPROCS.
type repeated struct {
	pkg, name string
	procs     int
}

// repetitions are how many passed and how many failed.
type repetitions struct{ passed, failed int }

// parseTrial is the way back from tell in insidetell.go.
func parseTrial(line string) (t Trial, err error) {
	var parallelism, untimed int64
	var histogram string
	var before, after string
	_, err = fmt.Sscanf(line, "syncwrite3 %q %q %d %d %d %d %d %d %d %d %d %t %q %d %d %d %g %d %d %q %q %d %t", &t.Package, &t.Name, &t.Procs, &t.N,
		&t.WallNS, &t.Goroutines, &t.GoroutineNS, &t.RecordedNS, &t.LongestNS, &t.Dealt, &t.Dropped, &t.Each, &histogram, &t.Started, &parallelism,
		&t.FloorNS, &t.OutsideShare, &untimed, &t.BetweenNS, &before, &after, &t.NoTrial, &t.Own)
	if err != nil {
		return t, err
	}
	t.Untimed, t.Empty = t.Goroutines == 0 && untimed > 0, t.Goroutines == 0 && untimed == 1
	looks := strings.Split(after, "\x00")
	t.Usage, t.UsedNS = cause.Between(strings.Split(before, "\x00"), looks), cause.UsedBetween(strings.Split(before, "\x00"), looks)
	t.Processors = cmp.Or(cause.ProcessorsIn(looks), runtime.NumCPU())
	if histogram == "" {
		return t, nil
	}
	raw, err := hex.DecodeString(histogram)
	if err != nil {
		return t, err
	}
	t.Hist = new(hist.Histogram)
	return t, t.Hist.UnmarshalBinary(raw)
}

// Blind names the benchmarks that started goroutines themselves, or by RunParallel of another
// benchmark's b: what those did and how long it took is not in their figures.
func (o Outcome) Blind() []string {
	return o.doubted(func(t Trial) bool { return t.Goroutines == 0 && t.Started > 1 })
}

// Untimed names the benchmarks whose timer was off while RunParallel ran: what it
// did is in no figure of theirs.
func (o Outcome) Untimed() []string { return o.doubted(func(t Trial) bool { return t.Untimed }) }

// Outside names the benchmarks that did timed work outside RunParallel.
func (o Outcome) Outside() []string {
	return o.doubted(func(t Trial) bool { return t.OutsideShare > 0 })
}

// Repeated names the benchmarks that called RunParallel several times.
func (o Outcome) Repeated() []string { return o.doubted(Trial.repeated) }

// Coarse names the benchmarks of which quantiles were left out that the clock
// cannot tell.
func (o Outcome) Coarse() []string { return o.doubted(Trial.coarse) }

// NotKept names the benchmarks of which there is no trial for that reason, and where only some
// repetitions are none, says how many.
func (o Outcome) NotKept(why NoTrial) []string {
	is := func(t Trial) bool { return t.NoTrial == why }
	dropped, ran := map[string]int{}, map[string]int{}
	for _, f := range o.Failures {
		ran[f.benchmark()]++
	}
	for _, t := range o.Trials {
		ran[t.benchmark()]++
		if is(t) {
			dropped[t.benchmark()]++
		}
	}
	var names []string
	for _, t := range o.firsts(is) {
		name := "Benchmark" + t.bare()
		if n, of := dropped[t.benchmark()], ran[t.benchmark()]; n < of {
			name += fmt.Sprintf(" (in %d of %d repetitions)", n, of)
		}
		names = append(names, name)
	}
	return names
}

// doubted names the benchmarks some trial of which is so, each once.
func (o Outcome) doubted(is func(Trial) bool) []string {
	var names []string
	for _, t := range o.firsts(func(t Trial) bool { return t.NoTrial == Kept && is(t) }) {
		names = append(names, "Benchmark"+t.bare())
	}
	return names
}

// firsts are the first run that is so of each benchmark.
func (o Outcome) firsts(is func(Trial) bool) []Trial {
	var firsts []Trial
	seen := map[string]bool{}
	for _, t := range o.Trials {
		if is(t) && !seen[t.benchmark()] {
			seen[t.benchmark()] = true
			firsts = append(firsts, t)
		}
	}
	return firsts
}

// unseen reports whether it is no trial, and not known for what goroutines it would have been.
func (t Trial) unseen() bool { return t.NoTrial != Kept && t.Goroutines == 0 }

// benchmark is the trial's, or the failure's, whatever its GOMAXPROCS.
func (t Trial) benchmark() string   { return t.Package + " " + t.bare() }
func (f Failure) benchmark() string { return f.Package + " " + bare(f.Name, f.Procs) }

// bare is the benchmark's name without Benchmark and GOMAXPROCS.
func (t Trial) bare() string { return bare(t.Name, t.Procs) }

func bare(name string, procs int) string {
	name = strings.TrimPrefix(name, "Benchmark")
	if procs > 1 {
		name = strings.TrimSuffix(name, fmt.Sprintf("-%d", procs))
	}
	return name
}
