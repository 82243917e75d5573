package results

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
}

// Variant is one design, what it promises and what it is.
type Variant struct {
	Name    string  `json:"name"`
	About   string  `json:"about"`
	Promise Promise `json:"promise"`
}

// Factor is something swept besides the number of goroutines.
type Factor struct {
	Name    string `json:"name"`
	About   string `json:"about"`
	Default string `json:"default"`
}

// Limit is a variant of another experiment, measured in the same run at N = 1,
// that bounds what this one can reach.
type Limit struct {
	Experiment string `json:"experiment"`
	Variant    string `json:"variant"`
	About      string `json:"about"` // what it is to this experiment: "one write(2) per append"
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
