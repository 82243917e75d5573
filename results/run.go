package results

import (
	"fmt"
	"slices"
)

// Run is everything one or more results files hold.
type Run struct {
	Envs        []Env
	Experiments []Experiment
	Trials      []Trial
	Outcomes    []Outcome
	Breakdowns  []Breakdown
	Ends        []End
	Problems    []Problem // lines that could not be read
}

// Add adds one record: an Env, an Experiment, or a Trial, an Outcome, a Breakdown or an End of the
// last Env. Any other is left out.
func (r *Run) Add(record any) {
	switch record := record.(type) {
	case Env:
		r.Envs = append(r.Envs, record)
	case Experiment:
		r.Experiments = append(r.Experiments, record)
	case Trial:
		record.Env = len(r.Envs) - 1
		r.Trials = append(r.Trials, record)
	case Outcome:
		record.Env = len(r.Envs) - 1
		r.Outcomes = append(r.Outcomes, record)
	case Breakdown:
		record.Env = len(r.Envs) - 1
		r.Breakdowns = append(r.Breakdowns, record)
	case End:
		record.Env = len(r.Envs) - 1
		r.addEnd(record)
	}
}

// Problem is a line of a results file that was skipped, or read with a doubt.
type Problem struct {
	File string
	Line int // 0: not of one line
	Text string
}

// Skipped says where and what, and of a line that it was skipped.
func (p Problem) Skipped() string {
	if p.Line > 0 {
		p.Text = "skipped: " + p.Text
	}
	return p.String()
}

// String says where and what.
func (p Problem) String() string {
	switch {
	case p.File == "":
		return p.Text
	case p.Line == 0:
		return p.File + ": " + p.Text
	}
	return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.Text)
}

// EnvOf returns the env a trial was measured in, one without details where the
// run holds none.
func (r *Run) EnvOf(t Trial) Env {
	if t.Env < 0 || t.Env >= len(r.Envs) {
		return missingEnv()
	}
	return r.Envs[t.Env]
}

// Experiment returns the description of an experiment; where the file holds
// none, one with its name alone.
func (r *Run) Experiment(name string) Experiment {
	for _, e := range r.Experiments {
		if e.Name == name {
			return e
		}
	}
	return Experiment{Name: name}
}

// Errors are the outcomes that are failures of the run.
func (r *Run) Errors() []Outcome { return errorsAmong(r.Outcomes) }

// Errors are the outcomes of the experiment that are failures of the run.
func (f Finding) Errors() []Outcome { return errorsAmong(f.Outcomes) }

func errorsAmong(all []Outcome) []Outcome {
	return slices.DeleteFunc(slices.Clone(all), func(o Outcome) bool {
		return o.Kind == OutcomeEnded || o.Kind == OutcomeFinished
	})
}

// Merge adds what another run holds. Trials and outcomes keep pointing at their own Env. What
// is already there is a Problem and counts once: the same trials twice would look
// like more certainty.
func (r *Run) Merge(other *Run) {
	if r.Repeats(other) {
		r.Problems = append(r.Problems, Problem{Text: "a run is given twice: it counts once"})
		return
	}
	known := len(r.Envs)
	at := make([]int, len(other.Envs))
	for i, e := range other.Envs {
		at[i] = r.addEnv(e)
	}
	here := func(env int) int {
		if env < 0 || env >= len(at) {
			return -1
		}
		return at[env]
	}
	for _, t := range other.Trials {
		t.Env = here(t.Env)
		r.Trials = append(r.Trials, t)
	}
	for _, e := range other.Experiments {
		if err := r.describe(e); err != nil {
			r.Problems = append(r.Problems, Problem{Text: err.Error()})
		}
	}
	for _, o := range other.Outcomes {
		o.Env = here(o.Env)
		r.addOutcome(o, o.Env >= 0 && o.Env < known)
	}
	for _, b := range other.Breakdowns {
		if b.Env = here(b.Env); b.Env >= known {
			r.Breakdowns = append(r.Breakdowns, b)
		}
	}
	for _, end := range other.Ends {
		if end.Env = here(end.Env); end.Env >= 0 {
			r.addEnd(end)
		}
	}
	r.Problems = append(r.Problems, other.Problems...)
	r.dropRepeated("")
}

// addEnd adds the end of a part that has none yet.
func (r *Run) addEnd(end End) {
	if _, ended := EndOf(r.Ends, end.Env); !ended {
		r.Ends = append(r.Ends, end)
	}
}

// EndOf finds the end of an Env, by its place; a run that was cut off has none.
func EndOf(ends []End, env int) (End, bool) {
	i := slices.IndexFunc(ends, func(e End) bool { return e.Env == env })
	if i < 0 {
		return End{LoadAfter: Missing()}, false
	}
	return ends[i], true
}

// addOutcome adds an outcome. One of a run that is there already counts once.
func (r *Run) addOutcome(o Outcome, again bool) {
	same := func(have Outcome) bool {
		return have.Env == o.Env && have.Cell() == o.Cell() && have.Block == o.Block && have.Kind == o.Kind && have.Text == o.Text
	}
	if !again || !slices.ContainsFunc(r.Outcomes, same) {
		r.Outcomes = append(r.Outcomes, o)
	}
}

// dropRepeated keeps one of trials that are there twice: the same trials twice
// would look like more certainty. Trials of runs that do not say when they started
// cannot be told.
func (r *Run) dropRepeated(file string) {
	type key struct {
		start           int64
		seed            uint64
		cell            Cell
		block, position int
		ops             int
		wall, goroutine int64
	}
	seen := map[key]bool{}
	all := len(r.Trials)
	r.Trials = slices.DeleteFunc(r.Trials, func(t Trial) bool {
		env := r.EnvOf(t)
		if env.Start.IsZero() {
			return false
		}
		k := key{env.Start.UnixNano(), env.Settings.Seed, t.Cell(), t.Block, t.Position, t.Ops, t.WallNS, t.GoroutineNS}
		defer func() { seen[k] = true }()
		return seen[k]
	})
	if twice := all - len(r.Trials); twice > 0 {
		r.Problems = append(r.Problems, Problem{File: file, Text: fmt.Sprintf("%d trials are given twice: they count once", twice)})
	}
}

// Repeats reports whether the trials of another run, one that does not say when it
// started, as of the benchmark format, are all there.
func (r *Run) Repeats(other *Run) bool {
	return len(other.Envs) > 0 && other.Envs[0].Start.IsZero() && len(other.Trials) > 1 && sameFigures(r.Trials, other.Trials)
}

// sameFigures reports whether the second trials stand in a row among the first.
func sameFigures(all, some []Trial) bool {
	same := func(a, b Trial) bool { return a.Cell() == b.Cell() && a.Ops == b.Ops && a.WallNS == b.WallNS }
	for at := 0; at+len(some) <= len(all); at++ {
		if slices.EqualFunc(all[at:at+len(some)], some, same) {
			return true
		}
	}
	return false
}

// addEnv adds an env, unless it is there, and returns its place. A variant may have
// trials on several disks: it promises what all of them keep.
func (r *Run) addEnv(e Env) (at int) {
	if !e.Start.IsZero() {
		at = slices.IndexFunc(r.Envs, func(have Env) bool { return have.Start.Equal(e.Start) && have.Settings.Seed == e.Settings.Seed })
		if at >= 0 {
			return at
		}
	}
	r.Envs = append(r.Envs, e)
	for i := range r.Experiments {
		r.Experiments[i] = r.Experiments[i].On(e.Disk.FileSystem)
	}
	return len(r.Envs) - 1
}

// describe adds an experiment, or the variants and factors of it that are new,
// with the promises that the disks of the run keep.
// A variant that promised something else before is an error; what it promised
// first stays.
func (r *Run) describe(e Experiment) (err error) {
	for _, env := range r.Envs {
		e = e.On(env.Disk.FileSystem)
	}
	at := slices.IndexFunc(r.Experiments, func(have Experiment) bool { return have.Name == e.Name })
	if at < 0 {
		e.Variants = slices.Clone(e.Variants)
		e.Factors = slices.Clone(e.Factors)
		r.Experiments = append(r.Experiments, e)
		return nil
	}
	have := &r.Experiments[at]
	have.Along = have.Along && e.Along
	for _, v := range e.Variants {
		same := slices.IndexFunc(have.Variants, func(h Variant) bool { return h.Name == v.Name })
		if same < 0 {
			have.Variants = append(have.Variants, v)
		} else if first := have.Variants[same].Promise; first != v.Promise && err == nil {
			err = fmt.Errorf("experiment %s: variant %s promises %s, but %s before: its trials are taken under the first promise",
				e.Name, v.Name, v.Promise, first)
		}
	}
	for _, f := range e.Factors {
		if !slices.ContainsFunc(have.Factors, func(h Factor) bool { return h.Name == f.Name }) {
			have.Factors = append(have.Factors, f)
		}
	}
	return err
}

// Report is what renderers receive: the findings, and what is known of the
// machine they come from.
type Report struct {
	Envs     []Env
	Ends     []End
	Findings []Finding
	Warnings []Warning // doubts about the run as a whole
	Problems []Problem
	// Comparison holds the run against an older one or against thresholds; nil
	// without either.
	Comparison *Comparison
	// Live says how much of a run that goes on is still to come; empty of one
	// that is over.
	Live string
}

// Finding is the answer to one experiment's question.
type Finding struct {
	Experiment Experiment
	Verdict    Verdict
	Summaries  []Summary
	Outcomes   []Outcome
	Explained  []Explanation
	Fits       []Fit // how each series scales
	Crossovers []Crossover
	Trials     []Trial
	Tallies    []Tally // of the trials without a rate
	Limits     []Bound // measured in the same run
}

// Shown are the findings that answer a question of their own: not those measured
// along as limits of others.
func (r *Report) Shown() []Finding {
	return slices.DeleteFunc(slices.Clone(r.Findings), func(f Finding) bool {
		return slices.ContainsFunc(r.Findings, func(of Finding) bool {
			return of.Experiment.Name != f.Experiment.Name && slices.ContainsFunc(of.Experiment.Limits, func(l Limit) bool { return l.Experiment == f.Experiment.Name })
		})
	})
}

// Along are the findings that were measured along, as limits of others.
func (r *Report) Along() []Finding {
	shown := r.Shown()
	return slices.DeleteFunc(slices.Clone(r.Findings), func(f Finding) bool {
		return slices.ContainsFunc(shown, func(s Finding) bool { return s.Experiment.Name == f.Experiment.Name })
	})
}

// Along reports whether an experiment is there as a limit of others alone.
func (r *Run) Along(experiment string) bool { return r.Experiment(experiment).Along }

// Bound is a limit with its throughput.
type Bound struct {
	Limit
	OpsPerS Interval
}
