package gotest

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/syncwrite/syncwrite/internal/cause/profiled"
	"github.com/syncwrite/syncwrite/internal/cause/traced"
	"github.com/syncwrite/syncwrite/results"
)

// A repeat is a run of the benchmarks once more, in which each parallel one's last window is
// looked into.
type repeat struct {
	source    string
	variable  string // of the environment, that names the directory
	benchtime string // as long as what is looked into is worth
	// read reads what a window left in files of a name; kept is the name of files to keep it in,
	// empty for none.
	read func(b *results.Breakdown, name, kept string, t trace, of Trial) error

	dir   string // where the windows leave it
	kept  string // directory to keep it in; empty: nowhere
	count int    // repetitions of each benchmark, at each of the levels of -cpu; 0: not known
	told  Told
}

func traces() *repeat {
	return &repeat{source: results.SourceTrace, variable: whyVariable, benchtime: "300ms", read: readTrace}
}

func profiles() *repeat {
	return &repeat{source: results.SourceProfiles, variable: profilesVariable, benchtime: "500ms", read: readProfiles}
}

// why runs the benchmarks once more, with each parallel one's last window traced, and reads
// where the goroutines' time went. Where tracing changed it, they run yet another time, and
// profiles are taken, which costs less and tells less.
func (r *runner) why(ctx context.Context, o Outcome, goes toolchain, args []string) ([]results.Breakdown, error) {
	traced := traces()
	if err := r.repeat(ctx, traced, goes, args); err != nil || ctx.Err() != nil {
		return nil, err
	}
	all := o.breakdowns(traced, nil)
	changed := o.changed(all)
	if len(changed) > 0 {
		profiled := profiles()
		if err := r.repeat(ctx, profiled, goes, args); err != nil || ctx.Err() != nil {
			return nil, err
		}
		all = append(all, o.breakdowns(profiled, changed)...)
	}
	return all, nil
}

// repeat runs the benchmarks once more. What those tests print is nobody's: they are no trials.
func (r *runner) repeat(ctx context.Context, again *repeat, goes toolchain, args []string) error {
	side := filepath.Join(r.work, again.source+"-side")
	again.dir, again.kept = filepath.Join(r.work, again.source), r.WhyFiles
	for _, dir := range []string{side, again.dir} {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return err
		}
	}
	quiet := *r
	quiet.again, quiet.Stdin, quiet.Stderr = true, nil, io.Discard
	env := slices.Concat(goes.env, r.telling(side), []string{again.variable + "=" + again.dir})
	once := r.args.once(goes.goflags, again.benchtime)
	again.count = arguments{rest: once}.count(goes.goflags) // what the test binary gets by itself is behind ours
	if _, err := quiet.test(ctx, goes.command, append(slices.Clone(args), once...), env, io.Discard); err != nil || ctx.Err() != nil {
		return err
	}
	var err error
	again.told, err = ReadTrials(side)
	return err
}

// Writes is the first of the arguments with which go test writes a profile or a trace, which a
// second run would write over; empty without one.
func Writes(args []string) string {
	given, _ := partArguments(args)
	for _, f := range given {
		if flagKinds[f.name] == isFile {
			return f.text()
		}
	}
	return ""
}

// once are the arguments with which each benchmark runs once, and for a time of ours; a number
// of operations that was asked for stays.
func (a arguments) once(goflags, benchtime string) []string {
	ours := []string{"-run=^$", "-count=1"}
	if !strings.HasSuffix(a.asked("benchtime", goflags), "x") {
		ours = append(ours, "-benchtime="+benchtime)
	}
	i := slices.IndexFunc(a.rest, endsFlags)
	if i < 0 {
		i = len(a.rest)
	}
	return slices.Concat(a.rest[:i:i], ours, a.rest[i:])
}

// breakdowns are those of the benchmarks that have trials, one of each cell: of all, or of
// those named.
func (o Outcome) breakdowns(again *repeat, only []results.Cell) (all []results.Breakdown) {
	_, trials := o.Results()
	_, repeated := Outcome{Trials: again.told.Trials, Failures: again.told.Failures, Count: again.count, Procs: o.Procs}.Results()
	seen := map[results.Cell]bool{}
	for _, t := range trials {
		of := o.parallel(t)
		if seen[t.Cell()] || of < 0 || only != nil && !slices.Contains(only, t.Cell()) {
			continue
		}
		seen[t.Cell()] = true
		b := results.NoBreakdown(again.source, t.Cell(), t.Factors)
		if i := slices.IndexFunc(repeated, func(o results.Trial) bool { return o.Cell() == t.Cell() }); i >= 0 {
			b.OpsPerS, b.OpNS = results.Number(repeated[i].OpsPerS()), repeated[i].OpNS()
		}
		if err := again.explain(&b, o.Trials[of]); err != nil {
			b.Reason = results.OneLine(err.Error())
		}
		all = append(all, b)
	}
	return all
}

// changed are the cells of which a trace does not speak: tracing changed them, or they are
// traced already.
func (o Outcome) changed(all []results.Breakdown) (changed []results.Cell) {
	_, trials := o.Results()
	for _, b := range all {
		var rates []float64
		for _, t := range trials {
			if t.Cell() == b.Cell() {
				rates = append(rates, t.OpsPerS())
			}
		}
		if b.Reason == errNoTrace.Error() || b.Changed(rates) {
			changed = append(changed, b.Cell())
		}
	}
	return changed
}

// parallel is the index of a trial, of a benchmark that called RunParallel, that a result is of; -1 for none.
func (o Outcome) parallel(t results.Trial) int {
	return slices.IndexFunc(o.Trials, func(of Trial) bool {
		return of.Goroutines > 0 && !of.Own && of.Package == t.Experiment && of.variant() == t.Variant && of.Procs == t.GOMAXPROCS
	})
}

// explain reads what a benchmark left.
func (a *repeat) explain(b *results.Breakdown, t Trial) error {
	same := func(pkg, name string, procs int) bool { return repeated{pkg, name, procs} == t.repetitionOf() }
	i := slices.IndexFunc(a.told.traces, func(o trace) bool { return same(o.pkg, o.name, o.procs) })
	j := slices.IndexFunc(a.told.Trials, func(o Trial) bool {
		return same(o.Package, o.Name, o.Procs) && o.NoTrial != Skipped && o.NoTrial != Timeless // those leave nothing
	})
	switch {
	case i < 0 || j < 0:
		return errors.New("its second run, which is looked into, failed or did not come to it")
	case a.told.Trials[j].Goroutines == 0:
		return errors.New("it did not call RunParallel in its second run, which is looked into")
	case t.repeated():
		return errors.New("it called RunParallel more than once, and only the last call is looked into")
	case a.told.Trials[j].NoTrial == Overlapping:
		return errors.New("its calls of RunParallel overlapped in its second run, which is looked into")
	case a.told.traces[i].toggled:
		return errors.New("its timer was started, stopped or reset amid RunParallel, or off in its last call, and what is looked into is all that was done")
	}
	b.UsedNS = a.told.Trials[j].UsedNS
	if doubt, is := a.told.Trials[j].disturbed(); is {
		b.Warnings = []results.Warning{doubt}
	}
	kept := ""
	if a.kept != "" {
		kept = filepath.Join(a.kept, b.Cell().FileName())
	}
	return a.read(b, filepath.Join(a.dir, filepath.Base(a.told.traces[i].file)), kept, a.told.traces[i], a.told.Trials[j])
}

var errNoTrace = errors.New("no trace was written: it may be traced already")

func readTrace(b *results.Breakdown, name, kept string, _ trace, _ Trial) error {
	file, err := os.Open(name)
	if err != nil {
		return errNoTrace
	}
	defer file.Close()
	found, err := traced.Read(file)
	if err == nil && kept != "" {
		err = copyTo(kept+".trace", file)
	}
	if err != nil {
		return err
	}
	b.WindowNS, b.TimeNS, b.Parts = found.Window.Nanoseconds(), found.Time.Nanoseconds(), found.Told()
	return nil
}

// copyTo copies a file that was read to another one.
func copyTo(name string, from *os.File) error {
	if _, err := from.Seek(0, io.SeekStart); err != nil {
		return err
	}
	to, err := os.Create(name)
	if err != nil {
		return err
	}
	_, err = io.Copy(to, from)
	return errors.Join(err, to.Close())
}

// ofRunParallel is the call that each goroutine of RunParallel is in.
const ofRunParallel = "testing.(*B).RunParallel.func1"

func readProfiles(b *results.Breakdown, name, kept string, t trace, of Trial) error {
	if !t.profiled {
		return errors.New("no profiles were taken: the processors may be profiled already")
	}
	var texts [profiled.Texts][]byte
	for i := range texts {
		var err error
		if texts[i], err = os.ReadFile(name + "." + strconv.Itoa(i)); err != nil {
			return errors.New("profiles were not written")
		}
	}
	samples, err := profiled.Read(func(i int) []byte { return texts[i] }, ofRunParallel)
	if err == nil && kept != "" {
		err = samples.Keep(kept)
	}
	if err != nil {
		return err
	}
	b.WindowNS, b.TimeNS = of.GoroutineNS/int64(of.Goroutines), of.GoroutineNS
	b.Parts, err = profiled.Window{WallNS: b.WindowNS, TimeNS: b.TimeNS, UsedNS: t.used, WaitedNS: t.waited, LockedNS: t.locked, Besides: t.besides, Begun: t.others(of.Goroutines)}.Parts(samples)
	return err
}
