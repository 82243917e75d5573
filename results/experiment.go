package results

import "slices"

// Experiment describes a question and the variants that answer it, so that a
// results file can be read without the program that wrote it.
type Experiment struct {
	Name     string    `json:"name"`
	Question string    `json:"question"`
	Unit     string    `json:"unit"`            // what one operation is, in the singular: "append"
	Apart    bool      `json:"apart,omitempty"` // every variant is an operation of its own: none is ranked
	Variants []Variant `json:"variants"`
	Factors  []Factor  `json:"factors,omitempty"`
	Limits   []Limit   `json:"limits,omitempty"`
	Trades   []Trade   `json:"trades,omitempty"`
	Claims   []Claim   `json:"claims,omitempty"`
	Scales   []Scale   `json:"scales,omitempty"`
	Over     string    `json:"over,omitempty"`   // the factor, of whole numbers, over which throughput is drawn
	Tabled   bool      `json:"tabled,omitempty"` // every trial is tabled, run by run
	Along    bool      `json:"along,omitempty"`  // measured along with others, whose limits its variants are: nobody asked for it
}

// Trade is a pair of variants of different promise. No verdict ranks them, but
// what the weaker promise buys can be told.
type Trade struct {
	Weaker   string `json:"weaker"` // variants
	Stronger string `json:"stronger"`
}

// Claim is what somebody concluded: that the throughput of one cell, divided
// by that of another in the same block, lies between Least and Most.
type Claim struct {
	By         string  `json:"by"`
	Text       string  `json:"text"`
	Of         Side    `json:"of"`
	To         Side    `json:"to"`
	Least      float64 `json:"least,omitempty"`      // 0: no bound
	Most       float64 `json:"most,omitempty"`       // 0: no bound
	Goroutines int     `json:"goroutines,omitempty"` // 0: the most that were measured
}

// Side is one of the two cells of a claim. Factors that are not named stand at
// any level, the same on both sides.
type Side struct {
	Variant string            `json:"variant"`
	Factors map[string]string `json:"factors,omitempty"`
}

// Scale is a pair of variants that differ in how many workers do the asking.
type Scale struct {
	Of      string `json:"of"` // variants
	To      string `json:"to"`
	Workers int    `json:"workers"` // of Of, for one of To
}

// Suite describes a named group of experiments.
type Suite struct {
	Name        string   `json:"name"`
	About       string   `json:"about"`
	Experiments []string `json:"experiments"` // names
}

// Variant is one design, what it promises and what it is.
type Variant struct {
	Name    string  `json:"name"`
	About   string  `json:"about"`
	Promise Promise `json:"promise"`
}

// Factor is something swept besides the number of goroutines.
type Factor struct {
	Name    string   `json:"name"`
	About   string   `json:"about"`
	Default string   `json:"default"`
	Levels  []string `json:"levels,omitempty"` // measured where none is named, if not the default alone
	Unit    string   `json:"unit,omitempty"`   // what an operation is where it does not stand at its default, if not that of the experiment
}

// Limit is a variant of another experiment, measured in the same run at N = 1,
// that bounds what this one can reach.
type Limit struct {
	Experiment string `json:"experiment"`
	Variant    string `json:"variant"`
	About      string `json:"about"` // what it is to this experiment: "one write(2) per append"
}

// On describes the experiment with the promises that are kept on a file system.
func (e Experiment) On(disk string) Experiment {
	e.Variants = slices.Clone(e.Variants)
	for i := range e.Variants {
		e.Variants[i].Promise = e.Variants[i].Promise.On(disk)
	}
	return e
}

// Variant returns the description of a variant, the zero value if unknown.
func (e Experiment) Variant(name string) Variant {
	for _, v := range e.Variants {
		if v.Name == name {
			return v
		}
	}
	return Variant{Name: name}
}
