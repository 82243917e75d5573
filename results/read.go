package results

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
)

// ErrForeign says that a file holds no results.
var ErrForeign = errors.New("not a syncwrite results file")

// longestLine is the longest line that is read, in bytes: a record takes a few
// thousand, and a foreign file may have no line ends at all.
const longestLine = 16 << 20

var errLongLine = fmt.Errorf("line of more than %d MiB", longestLine>>20)

// Read reads JSON Lines. A line that cannot be read becomes a Problem naming
// file and line; the rest is kept. What is absent from a line reads as
// missing, and strings as Printable makes them. A file without a readable env is foreign: ErrForeign, with the
// first problem.
func Read(r io.Reader, file string) (*Run, error) {
	file = Printable(file)
	in := reader{run: &Run{}, file: file, open: map[Cell]bool{}}
	lines := bufio.NewReaderSize(r, 64<<10)
	for number := 1; ; number++ {
		line, err := nextLine(lines)
		if problem := in.take(bytes.TrimSpace(line), err); problem != nil {
			in.run.Problems = append(in.run.Problems, Problem{file, number, Printable(problem.Error())})
		}
		if err == io.EOF {
			break
		}
		if err != nil && err != errLongLine {
			return nil, fmt.Errorf("read %s: %w", file, err)
		}
	}
	if len(in.run.Envs) == 0 {
		return nil, foreign(file, in.run.Problems)
	}
	in.run.dropRepeated(file)
	return in.run, nil
}

// foreign is ErrForeign with what is wrong with the first bad line: a newer
// format is foreign too, and its reader should know.
func foreign(file string, problems []Problem) error {
	if len(problems) == 0 {
		return fmt.Errorf("read %s: %w", file, ErrForeign)
	}
	return fmt.Errorf("read %s: %w: line %d: %s", file, ErrForeign, problems[0].Line, problems[0].Text)
}

// nextLine reads up to the next line end. Of a line that is too long it
// remembers the end.
func nextLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	long := false
	for {
		part, err := r.ReadSlice('\n')
		if long = long || len(line)+len(part) > longestLine; long {
			line = line[max(0, len(line)-64<<10):]
		}
		line = append(line, part...)
		switch {
		case err == bufio.ErrBufferFull:
		case err == nil && long:
			return line, errLongLine
		default:
			return line, err
		}
	}
}

// A reader takes lines into a run.
type reader struct {
	run  *Run
	file string
	// env is that of the trials that follow, and again is set if it was there before:
	// the file holds a run twice.
	env   int
	again bool
	// lost is set while the last env could not be read: the trials behind it
	// are of an unknown machine, not of the env before.
	lost bool
	// open says of each cell whether its first trial was of the open loop.
	open map[Cell]bool
}

func (in *reader) take(line []byte, end error) error {
	switch {
	case end == errLongLine:
		in.lost = in.lost || holdsEnv(line)
		return end
	case len(line) == 0:
		return nil
	}
	var head struct {
		Record string `json:"record"`
	}
	if err := json.Unmarshal(line, &head); err != nil {
		in.lost = in.lost || holdsEnv(line)
		if end == io.EOF {
			return fmt.Errorf("line ends early: %w", err)
		}
		return err
	}
	return in.add(head.Record, line)
}

// holdsEnv reports whether a line that cannot be read has an env in it: it may be
// glued to one that was cut off.
func holdsEnv(line []byte) bool { return anEnv.Match(line) }

var anEnv = regexp.MustCompile(`"record"\s*:\s*"env"`)

// add takes a record into the run. Summaries and verdicts are made again from
// the trials, so a reader need not trust them.
func (in *reader) add(kind string, line []byte) error {
	run := in.run
	record, err := decodeKind(kind, line)
	if kind == "env" {
		in.lost = err != nil
	}
	if err != nil {
		return err
	}
	switch record := record.(type) {
	case Env:
		known := len(run.Envs)
		in.env = run.addEnv(record)
		in.again = in.env < known
	case Experiment:
		if err := run.describe(record); err != nil { // it was read, and is doubted
			run.Problems = append(run.Problems, Problem{File: in.file, Text: Printable(err.Error())})
		}
	case Trial:
		return in.addTrial(record)
	case Outcome:
		if record.Env = in.env; in.lost {
			record.Env = -1
		}
		run.addOutcome(record, in.again && !in.lost)
	case Breakdown:
		if record.Env = in.env; !in.lost && !in.again {
			run.Breakdowns = append(run.Breakdowns, record)
		}
	case End:
		if !in.lost {
			record.Env = in.env
			run.addEnd(record)
		}
		in.lost = true // what follows, up to the next env, is of a run whose env was lost
	}
	return nil
}

// Decode reads one line that [Encode] wrote: an Env, Experiment, Trial, Outcome,
// Breakdown or End. Summaries and verdicts are made from trials, and read as nil.
func Decode(line []byte) (record any, err error) {
	var head struct {
		Record string `json:"record"`
	}
	if err := json.Unmarshal(line, &head); err != nil {
		return nil, err
	}
	return decodeKind(head.Record, line)
}

func decodeKind(kind string, line []byte) (any, error) {
	switch kind {
	case "env":
		return decode(line, missingEnv(), Env.check)
	case "experiment":
		return decode(line, Experiment{}, nil)
	case "trial":
		return decode(line, missingTrial(), Trial.check)
	case "outcome":
		return decode(line, Outcome{}, nil)
	case "breakdown":
		return decode(line, Breakdown{OpsPerS: Missing()}, Breakdown.check)
	case "end":
		return decode(line, missingEnd(), nil)
	case "summary", "verdict":
		return nil, nil
	}
	return nil, fmt.Errorf("unknown record %q", kind)
}

// decode fills in what the line holds, made printable, and leaves the rest of
// the record as it was given.
func decode[T any](line []byte, record T, check func(T) error) (any, error) {
	if err := json.Unmarshal(line, &record); err != nil {
		return nil, err
	}
	if check != nil {
		if err := check(record); err != nil {
			return nil, err
		}
	}
	return PrintableRecord(record), nil
}

// check refuses what another version of the format says.
func (e Env) check() error {
	if e.Format != Format {
		return fmt.Errorf("format %d: this program reads format %d", e.Format, Format)
	}
	return nil
}

func (in *reader) addTrial(t Trial) error {
	if in.lost || len(in.run.Envs) == 0 {
		return errors.New("trial without its env")
	}
	open, known := in.open[t.Cell()]
	if !known {
		open, in.open[t.Cell()] = t.Open != nil, t.Open != nil
	}
	if open != (t.Open != nil) {
		return errors.New("trial of another loop than those before of its cell")
	}
	t.Env = in.env
	in.run.Trials = append(in.run.Trials, t)
	return nil
}

// mostOps is how many operations of a trial a Number can tell apart.
const mostOps = 1 << 53

// check refuses a trial that no arithmetic could use.
func (t Trial) check() error {
	switch {
	case t.Experiment == "" || t.Variant == "":
		return errors.New("trial without experiment or variant")
	case t.Goroutines < 1:
		return fmt.Errorf("trial with %d goroutines", t.Goroutines)
	case t.Block < 1:
		return fmt.Errorf("trial of block %d", t.Block)
	case t.WallNS <= 0 || t.Ops < 0:
		return fmt.Errorf("trial of %d operations in %d ns", t.Ops, t.WallNS)
	case int64(t.Ops) > mostOps || int64(t.Failed) > mostOps:
		return fmt.Errorf("trial of %d operations, of which %d failed", t.Ops, t.Failed)
	case t.EndsNS < 0 || t.EndsNS > t.WallNS:
		return fmt.Errorf("trial of %d ns whose goroutines end after %d", t.WallNS, t.EndsNS)
	case !(t.Alone >= 0):
		return fmt.Errorf("trial of whose cycles %v ended alone", t.Alone)
	case t.Answering < 0:
		return fmt.Errorf("trial whose users wait for answers for %v of their time", t.Answering)
	case t.Cycles < 0 || t.Cycles > t.Ops || t.CyclesNS < 0 || (t.Cycles == 0) != (t.CyclesNS == 0):
		return fmt.Errorf("trial of %d operations of which %d tell of the rate, in %d ns", t.Ops, t.Cycles, t.CyclesNS)
	}
	for _, count := range []struct {
		name  string
		value int64
	}{
		{"started", int64(t.Started)}, {"besides", int64(t.Besides)}, {"position", int64(t.Position)}, {"failed", int64(t.Failed)},
		{"goroutine_ns", t.GoroutineNS}, {"start_wait_ns", t.StartWaitNS}, {"accepted_ns", t.AcceptedNS},
		{"half_ns", t.HalfNS}, {"half_ops", int64(t.HalfOps)}, {"first_ns", t.FirstNS}, {"later_ns", t.LaterNS}, {"paused_ns", t.PausedNS}, {"failed_ns", t.FailedNS}, {"usage_ns", t.UsageNS},
	} {
		if count.value < 0 {
			return fmt.Errorf("trial with %s of %d", count.name, count.value)
		}
	}
	if t.Lost != nil && (*t.Lost < 0 || *t.Lost > t.Ops) {
		return fmt.Errorf("trial with %d of %d operations lost", *t.Lost, t.Ops)
	}
	for _, ns := range []Number{t.Latency.MeanNS, t.Latency.P50NS, t.Latency.P90NS, t.Latency.P99NS, t.Latency.P999NS, t.Latency.MaxNS} {
		if ns < 0 { // false of what is missing
			return fmt.Errorf("trial with a latency of %v ns", float64(ns))
		}
	}
	for name := range t.Factors {
		if name == "" {
			return errors.New("trial with a factor without a name")
		}
	}
	if err := t.Usage.check(); err != nil {
		return err
	}
	return t.checkParts()
}

// checkParts refuses counts of a trial's parts that cannot be.
func (t Trial) checkParts() error {
	if g := t.Guard; g != nil {
		err := checkNumbers("guard", []named{
			{"acquisitions", Number(g.Acquisitions)}, {"busy_ns", g.BusyNS}, {"span_ns", Number(g.SpanNS)}, {"busy_share", g.BusyShare},
		})
		if err != nil {
			return err
		}
	}
	if o := t.Open; o != nil && o.Usual != nil && *o.Usual < 0 {
		return fmt.Errorf("trial with %d operations under way as usual", *o.Usual)
	}
	for _, k := range t.Kinds {
		for reason, n := range k.Failures {
			if n < 0 {
				return fmt.Errorf("trial with %d failures of %s: %s", n, k.Name, reason)
			}
		}
		if k.Ops < 0 || k.Bytes < 0 {
			return fmt.Errorf("trial with %d operations of %s, %d bytes", k.Ops, k.Name, k.Bytes)
		}
	}
	for _, p := range t.Processes {
		if p.CPUNS < 0 || p.Most < 0 {
			return fmt.Errorf("trial whose %s used %v ns of %d processors", p.Name, float64(p.CPUNS), p.Most)
		}
	}
	for i, m := range t.Moments {
		if m.Ops < 0 || m.Failed < 0 || m.Users < 0 || m.Bytes < 0 || i > 0 && m.AtNS <= t.Moments[i-1].AtNS {
			return fmt.Errorf("trial with %d operations, %d that failed, of %d users, %d bytes at %d ns", m.Ops, m.Failed, m.Users, m.Bytes, m.AtNS)
		}
	}
	return nil
}
