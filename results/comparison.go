package results

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Comparison is what two runs of the same workload say together.
type Comparison struct {
	Changes  []Change     `json:"changes"`           // worst first
	Pooled   []Pooled     `json:"pooled,omitempty"`  // variants with several levels of N, worst first
	Costs    []CostChange `json:"costs,omitempty"`   // what operations take in the cells where both runs know it, the largest growth first
	Geomean  Number       `json:"geomean"`           // of the ratios
	Turns    bool         `json:"turns,omitempty"`   // the trials of the two runs took turns
	Only     []string     `json:"only,omitempty"`    // cells that one run lacks
	Lost     []string     `json:"lost,omitempty"`    // cells that the new run lacks, though it should have them
	Unasked  []string     `json:"unasked,omitempty"` // cells of the old run that the new one was not to measure
	Unlike   []string     `json:"unlike,omitempty"`  // what makes the runs not comparable, overridden
	Gates    []Gate       `json:"gates,omitempty"`
	Warnings []Warning    `json:"warnings,omitempty"`
}

// Alone reports whether there are thresholds of one run, and nothing it is compared with.
func (c *Comparison) Alone() bool {
	return len(c.Changes)+len(c.Only)+len(c.Lost)+len(c.Unlike) == 0 && len(c.Gates) > 0
}

// Change is one cell in both runs.
type Change struct {
	Experiment string            `json:"experiment"`
	Variant    string            `json:"variant"`
	Factors    map[string]string `json:"factors,omitempty"`
	Goroutines int               `json:"goroutines"`
	Old        Interval          `json:"old_ops_per_s"`
	New        Interval          `json:"new_ops_per_s"`
	Ratio      Interval          `json:"ratio"`                    // new ÷ old
	Sure       Interval          `json:"sure"`                     // the same at a level at which in 5 % of all comparisons any cell of it that did not change lies beyond; as near to it as so few trials come
	OldLost    *Interval         `json:"old_lost_share,omitempty"` // of the operations, where losses were counted
	NewLost    *Interval         `json:"new_lost_share,omitempty"`
	P          Number            `json:"p"`               // Mann–Whitney, two-sided
	Margin     Number            `json:"margin"`          // the least difference, as a share, that is called one
	Least      Number            `json:"least"`           // the least drop, as a share, that these trials rule out: 1 - the ratio's lower bound
	Turns      bool              `json:"turns,omitempty"` // the trials of both took turns, and Ratio, Sure and P are of pairs (Wilcoxon)
	Along      bool              `json:"along,omitempty"` // measured along, as a limit of another experiment: held to no threshold
	Doubt      string            `json:"doubt,omitempty"` // why the trials are not to be compared
	Call       string            `json:"call"`
	Cause      string            `json:"cause,omitempty"` // what part of an operation's time changed most, where both runs tell (run --why)
}

// Pooled is what became of one variant over its levels of N together: Old and New are the
// geometric means of its rates at them, block by block, and Goroutines is 0.
type Pooled struct {
	Change
	Levels []int `json:"levels"` // of N, those that are not doubted
}

// Name writes it as log/file over N = 1, 2, 4.
func (p Pooled) Name() string {
	name, _, _ := strings.Cut(p.Cell().Name(), "@")
	levels := make([]string, len(p.Levels))
	for i, n := range p.Levels {
		levels[i] = strconv.Itoa(n)
	}
	return name + " over N = " + strings.Join(levels, ", ")
}

// CostChange is what became of something that an operation takes, in one cell: of a latency in
// nanoseconds, or of allocations.
type CostChange struct {
	Experiment string            `json:"experiment"`
	Variant    string            `json:"variant"`
	Factors    map[string]string `json:"factors,omitempty"`
	Goroutines int               `json:"goroutines"`
	Cost       string            `json:"cost"` // mean, p99 or allocs
	Old        Interval          `json:"old"`
	New        Interval          `json:"new"`
	Ratio      Interval          `json:"ratio"` // new ÷ old; missing where it was nothing before
	Sure       Interval          `json:"sure"`  // as of a Change
	Call       string            `json:"call"`  // more is worse
}

// Cell returns the cell of the change.
func (c CostChange) Cell() Cell {
	return Cell{c.Experiment, c.Variant, FactorKey(c.Factors), c.Goroutines}
}

// What a change can be called.
const (
	Better     = "better"
	Worse      = "worse"
	Same       = "same"
	CannotTell = "cannot tell"
)

// Gate is a threshold and what became of it.
type Gate struct {
	Threshold string `json:"threshold"`
	Status    string `json:"status"`
	Text      string `json:"text"`
}

// What can become of a threshold. Unseen means that the trials show neither
// that it is kept nor that it is broken.
const (
	GatePassed = "passed"
	GateFailed = "failed"
	GateUnseen = "inconclusive"
)

// Cell returns the cell of the change.
func (c Change) Cell() Cell {
	return Cell{c.Experiment, c.Variant, FactorKey(c.Factors), c.Goroutines}
}

// LeastPercent is Least in percent, rounded up to a tenth: what it says is ruled out.
// It is 100 where no drop is, and NaN where Least is missing.
func (c Change) LeastPercent() float64 {
	return max(math.Ceil(float64(c.Least)*1000-1e-9), 0) / 10
}

// LeastText writes LeastPercent.
func (c Change) LeastText() string {
	if !c.Least.Known() {
		return "–"
	}
	return strings.TrimSuffix(fmt.Sprintf("%.1f", c.LeastPercent()), ".0") + " %"
}

// Name writes a cell as log/file/payload=3@8.
func (c Cell) Name() string {
	name := c.Experiment + "/" + c.Variant
	if c.Factors != "" {
		name += "/" + c.Factors
	}
	return name + "@" + strconv.Itoa(c.Goroutines)
}
