package analysis_test

import (
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/results"
)

// Where a factor mixes other operations among those of the experiment, every sentence and the
// finding itself call them what the factor says, also of the cells at its default.
func TestUnitOfMixedOperations(t *testing.T) {
	for name, c := range map[string]struct {
		levels []string
		unit   string
		want   string
	}{
		"at its default":   {[]string{"0"}, "operation", "append"},
		"mixed":            {[]string{"99"}, "operation", "operation"},
		"mixed in a part":  {[]string{"0", "99"}, "operation", "operation"},
		"no unit of its":   {[]string{"99"}, "", "append"},
		"without a factor": {[]string{""}, "operation", "append"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBook(map[string]results.Promise{"weak": fleeting, "strong": crash}, "weak", "strong")
			e := &b.run.Experiments[0]
			e.Factors = []results.Factor{{Name: "payload", Default: "3"}, {Name: "reads", Default: "0", Unit: c.unit}}
			e.Trades = []results.Trade{{Weaker: "weak", Stronger: "strong"}}
			e.Claims = []results.Claim{{By: "somebody", Text: "twice", Of: results.Side{Variant: "weak"}, To: results.Side{Variant: "strong"}, Least: 2}}
			for _, level := range c.levels {
				factors := map[string]string{"payload": "4096", "reads": level}
				if level == "" {
					delete(factors, "reads")
				}
				b.cellWith("weak", 8, factors, six(2e5)...)
				b.cellWith("strong", 8, factors, six(1e5)...)
			}
			f := b.finding(t)
			if f.Experiment.Unit != c.want {
				t.Errorf("the finding is of the unit %q, want %q", f.Experiment.Unit, c.want)
			}
			for what, text := range map[string]string{
				"verdict": f.Verdict.Sentence, "trades": strings.Join(f.Verdict.Trades, " "), "claim": f.Verdict.Claims[0].Sentence,
			} {
				if strings.Count(text, c.want+"s/s") == 0 || strings.Count(text, "s/s") != strings.Count(text, c.want+"s/s") {
					t.Errorf("%s is not of %ss/s: %s", what, c.want, text)
				}
			}
		})
	}
}
