package results

import "slices"

// Run is everything one or more results files hold.
type Run struct {
	Envs        []Env
	Experiments []Experiment
	Trials      []Trial
	Outcomes    []Outcome
	Ends        []End
	Problems    []Problem // lines that could not be read
}

// Problem is a line of a results file that was skipped.
type Problem struct {
	File string
	Line int
	Text string
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

// Merge adds what another run holds. Trials keep pointing at their own Env.
func (r *Run) Merge(other *Run) {
	base := len(r.Envs)
	r.Envs = append(r.Envs, other.Envs...)
	for _, t := range other.Trials {
		t.Env += base
		r.Trials = append(r.Trials, t)
	}
	for _, e := range other.Experiments {
		r.describe(e)
	}
	r.Outcomes = append(r.Outcomes, other.Outcomes...)
	r.Ends = append(r.Ends, other.Ends...)
	r.Problems = append(r.Problems, other.Problems...)
}

// describe adds an experiment, or the variants and factors of it that are new.
func (r *Run) describe(e Experiment) {
	at := slices.IndexFunc(r.Experiments, func(have Experiment) bool { return have.Name == e.Name })
	if at < 0 {
		e.Variants = slices.Clone(e.Variants)
		e.Factors = slices.Clone(e.Factors)
		r.Experiments = append(r.Experiments, e)
		return
	}
	have := &r.Experiments[at]
	for _, v := range e.Variants {
		if !slices.ContainsFunc(have.Variants, func(h Variant) bool { return h.Name == v.Name }) {
			have.Variants = append(have.Variants, v)
		}
	}
	for _, f := range e.Factors {
		if !slices.ContainsFunc(have.Factors, func(h Factor) bool { return h.Name == f.Name }) {
			have.Factors = append(have.Factors, f)
		}
	}
}

// Report is what renderers receive: the findings, and what is known of the
// machine they come from.
type Report struct {
	Envs     []Env
	Ends     []End
	Findings []Finding
	Warnings []Warning // doubts about the run as a whole
	Problems []Problem
}

// Finding is the answer to one experiment's question.
type Finding struct {
	Experiment Experiment
	Verdict    Verdict
	Summaries  []Summary
	Outcomes   []Outcome
	Trials     []Trial
}
