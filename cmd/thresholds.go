package cmd

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/syncwrite/syncwrite/analysis"
	"github.com/syncwrite/syncwrite/cmd/internal/exit"
	"github.com/syncwrite/syncwrite/report"
	"github.com/syncwrite/syncwrite/results"
)

// compareFlags are the thresholds and the way a comparison is written.
type compareFlags struct {
	failAbove  []string
	minSpeedup []string
	holds      []string
	anyway     bool
	format     string
	output     string
}

// thresholds are the flags that run shares with compare.
func (f *compareFlags) thresholds(c *cobra.Command) {
	c.Flags().StringArrayVar(&f.failAbove, "fail-above", nil, "exit 3 if a variant is certainly slower by more than this: 5%; of a latency or of allocations: p99:20%,allocs:1%")
	c.Flags().StringArrayVar(&f.minSpeedup, "min-speedup", nil, "exit 3 if a cell certainly scales less: 'log/file@8>=1.5'")
}

// bounds are the thresholds that need no other run.
func (f *compareFlags) bounds(c *cobra.Command) {
	c.Flags().StringArrayVar(&f.holds, "threshold", nil, "exit 3 if it certainly does not hold: 'p99<50ms', 'rate>1000/s', 'failures<1%' (counted, of what this run asked)")
}

// parsed are the thresholds as numbers.
type parsed struct {
	drop     float64 // 0: none
	costs    []analysis.Cost
	speedups []analysis.Speedup
	holds    []analysis.Threshold
}

func (f compareFlags) parse() (p parsed, err error) {
	if text := f.above(); len(f.failAbove) > 0 {
		if err := p.above(text); err != nil {
			return p, exit.Usage(fmt.Errorf("--fail-above %s: %w", text, err), "for example --fail-above 5%, --fail-above 5%,p99:20%")
		}
	}
	for _, text := range f.minSpeedup {
		s, err := analysis.ParseSpeedup(text)
		if err != nil {
			return p, exit.Usage(fmt.Errorf("--min-speedup: %w", err), "for example --min-speedup 'log/file@8>=1.5'")
		}
		p.speedups = append(p.speedups, s)
	}
	for _, text := range f.holds {
		t, err := analysis.ParseThreshold(text)
		if err != nil {
			return p, exit.Usage(fmt.Errorf("--threshold: %w", err), "")
		}
		p.holds = append(p.holds, t)
	}
	if _, known := comparisonFormats()[f.format]; f.format != "" && !known {
		return p, exit.Unknown("format", f.format, slices.Sorted(maps.Keys(comparisonFormats())))
	}
	return p, nil
}

// above is all that was given with --fail-above, as one would write it once.
func (f compareFlags) above() string { return strings.Join(f.failAbove, ",") }

// above reads "5%,p99:20%,allocs:1%": a share is that of throughput, one behind a name that of a cost.
func (p *parsed) above(text string) error {
	for _, part := range strings.Split(text, ",") {
		name, share, named := strings.Cut(part, ":")
		name = strings.TrimSpace(name)
		most := mostGrowth
		if !named {
			share, most = name, 1
		}
		value, err := parseShare(share, most)
		switch {
		case err != nil:
			return err
		case named && !slices.Contains(analysis.CostNames(), name):
			return fmt.Errorf("%q is none of %s", name, strings.Join(analysis.CostNames(), ", "))
		case slices.ContainsFunc(p.costs, func(c analysis.Cost) bool { return named && c.Name == name }):
			return errors.New("two shares of " + name)
		case named:
			p.costs = append(p.costs, analysis.Cost{Name: name, Share: value})
		case p.drop > 0:
			return errors.New("two shares of throughput")
		default:
			p.drop = value
		}
	}
	return nil
}

// mostGrowth is that of a cost which a threshold may allow.
const mostGrowth = 10.0

// parseShare reads "5%" or "0.05": a share of less than the most, and without a percent sign of less than 1, where
// a 5 would rather be a sign that was left out.
func parseShare(text string, most float64) (float64, error) {
	number, hundredths := strings.CutSuffix(strings.TrimSpace(text), "%")
	share, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if hundredths {
		share /= 100
	} else {
		most = 1
	}
	if err != nil || !(share > 0 && share < most) {
		return 0, fmt.Errorf("not a share between 0%% and %.0f%%", 100*most)
	}
	return share, nil
}

// compare refuses runs that are not alike, unless told to go on anyway. Of a run that
// was just measured it is known what was chosen; of others nil.
func (f compareFlags) compare(older, newer *results.Run, chosen []results.Cell) (*results.Comparison, error) {
	unlike := analysis.Unlike(older, newer)
	if len(unlike) > 0 && !f.anyway {
		return nil, notComparable(strings.Join(unlike, "; "), "--anyway compares them all the same")
	}
	c := analysis.Compare(older, newer)
	c.Unlike = unlike
	if chosen != nil {
		analysis.Chosen(c, chosen)
	}
	return c, f.judge(c, older, newer)
}

// notComparable is a refusal. The hint says how to compare all the same.
func notComparable(why, hint string) error {
	return exit.With(exit.Incomparable, fmt.Errorf("not comparable: %s", why), hint)
}

// judge holds a comparison to the thresholds. The newer run is held to those that need no
// other run also where there is nothing to compare.
func (f compareFlags) judge(c *results.Comparison, older, newer *results.Run) error {
	p, err := f.parse()
	if err != nil {
		return err
	}
	if c.Gates, err = p.gates(newer); err != nil {
		return err
	}
	if len(c.Changes) == 0 {
		return notComparable("the runs have no cell in common", "")
	}
	var changes []results.Gate
	if p.drop > 0 {
		changes = analysis.GateChanges(c, p.drop)
	}
	for _, cost := range p.costs {
		changes = append(changes, analysis.GateCosts(c, older, newer, cost)...)
	}
	if len(f.failAbove) > 0 && len(changes) == 0 {
		return notComparable("the runs share only what was measured along, and --fail-above holds nothing of that", "")
	}
	if !f.anyway {
		analysis.DoubtOrder(c, changes)
	}
	c.Gates = append(changes, c.Gates...)
	return nil
}

// alone holds a run to the thresholds that need no other one; nil if there are none.
func (f compareFlags) alone(run *results.Run) (*results.Comparison, error) {
	p, err := f.parse()
	if err != nil || len(p.speedups)+len(p.holds) == 0 {
		return nil, err
	}
	gates, err := p.gates(run)
	return &results.Comparison{Gates: gates, Geomean: results.Missing()}, err
}

// gates are the thresholds that one run is held to.
func (p parsed) gates(run *results.Run) ([]results.Gate, error) {
	if len(p.holds)+len(p.speedups) == 0 {
		return nil, nil
	}
	var all []results.Gate
	findings := analysis.Analyze(run)
	for _, t := range p.holds {
		all = append(all, analysis.GateThreshold(findings, t)...)
	}
	for _, s := range p.speedups {
		gates, err := analysis.GateSpeedup(findings, s)
		if err != nil {
			return nil, exit.Usage(fmt.Errorf("--min-speedup: %w", err), "")
		}
		all = append(all, gates...)
	}
	return all, nil
}

func comparisonFormats() map[string]func(io.Writer, *results.Comparison) error {
	return map[string]func(io.Writer, *results.Comparison) error{
		"text": func(w io.Writer, c *results.Comparison) error {
			return report.ComparisonText(w, c, textOptions(w, true))
		},
		"markdown": report.ComparisonMarkdown,
		"junit":    report.ComparisonJUnit,
		"html":     nil, // a part of the new run's page: write makes it
	}
}

// write writes the comparison; as HTML it is the page of the new run with the
// comparison behind its verdict.
func (f compareFlags) write(w io.Writer, newer *results.Run, c *results.Comparison) error {
	if f.format == "html" {
		page := analysis.Analyze(newer)
		page.Comparison = c
		return report.HTML(w, page)
	}
	return comparisonFormats()[f.format](w, c)
}

// verdictOf turns the thresholds into the exit code: a certain failure goes
// before one that cannot be told.
func verdictOf(gates []results.Gate) error {
	for _, status := range []struct {
		name string
		code int
	}{{results.GateFailed, exit.Threshold}, {results.GateUnseen, exit.Inconclusive}} {
		var hit []string
		for _, g := range gates {
			if g.Status == status.name {
				hit = append(hit, g.Threshold+": "+g.Text)
			}
		}
		if len(hit) > 0 {
			return exit.With(status.code, fmt.Errorf("%d of %d thresholds %s; the first: %s", len(hit), len(gates), status.name, hit[0]), "")
		}
	}
	return nil
}
