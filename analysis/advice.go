package analysis

import (
	"fmt"

	"github.com/syncwrite/syncwrite/results"
)

// advice says what follows: by how many goroutines each promise's leader
// should be used. It is empty where the trials support none.
func (s setting) advice(summaries []results.Summary) string {
	if s.experiment.Apart {
		return ""
	}
	var more, fewer []string
	all := s.trends(summaries)
	for _, c := range classes(s.allSeries, s.highest()) {
		leads := c.leads
		if len(leads.tied) == 0 || !c.stated() && len(c.ranked) > 1 {
			continue
		}
		for _, t := range all {
			if t.series != leads.tied[0].series {
				continue
			}
			switch n := t.enough(); {
			case t.is == above && n == s.highest():
				more = append(more, fmt.Sprintf("%s, which still gains at %d, the most measured", t.variant.Name, n))
			case t.is == above:
				more = append(more, fmt.Sprintf("%s, which gains up to %d", t.variant.Name, n))
			case t.is == below: // near it can be a little more
				fewer = append(fewer, t.variant.Name)
			}
		}
	}
	var text string
	if len(more) > 0 {
		text = "use many goroutines with " + listed(more)
	}
	if len(fewer) > 0 {
		text = joined(text, "one goroutine does at least as much as many with "+listed(fewer))
	}
	if text == "" {
		return ""
	}
	return capital(text) + "."
}

// enough is the fewest goroutines that none of the higher levels is told to be
// faster than.
func (s *series) enough() int {
	for i, l := range s.cells {
		at, enough := runner{s, l, middle(l.trials)}, true
		for _, higher := range s.cells[i+1:] {
			above := runner{s, higher, middle(higher.trials)}
			enough = enough && !above.faster(paired(above, at), at)
		}
		if enough {
			return l.goroutines
		}
	}
	return s.cells[len(s.cells)-1].goroutines
}
