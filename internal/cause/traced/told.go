package traced

import (
	"fmt"
	"time"

	"github.com/syncwrite/syncwrite/internal/cause/stack"
	"github.com/syncwrite/syncwrite/results"
)

// Told is what results have of a breakdown.
func (b *Breakdown) Told() (all []results.BreakdownPart) {
	for _, p := range b.Parts {
		part := results.BreakdownPart{Kind: string(p.Kind), NS: p.Time.Nanoseconds()}
		for _, l := range p.Places[:min(len(p.Places), stack.MostPlaces)] {
			if l.Place == (stack.Place{}) {
				continue
			}
			place := results.BreakdownPlace{Where: l.String(), Func: l.Func, Call: l.Call, NS: l.Time.Nanoseconds()}
			if len(l.Woken) > 0 && 2*l.Woken[0].Time > l.Time { // of most of the waits, or of none
				place.Woken = l.Woken[0].String()
				place.Doing = doing(l.Woken[0], b.Goroutines)
			}
			part.Places = append(part.Places, place)
		}
		all = append(all, part)
	}
	return all
}

// doing is what those who ended waits did most of the time, of which they have been seen for long
// enough: where n goroutines hand a lock around, each holds it for one wait's n-1st part.
// Whoever ended waits in which others held it nearly all the time tells nothing of these.
func doing(w Wake, n int) string {
	var seen time.Duration
	for _, d := range w.Doing {
		seen += d.Time
	}
	if len(w.Doing) == 0 || 2*w.Doing[0].Time <= seen || 2*seen*time.Duration(max(1, n-1)) < w.Time {
		return ""
	}
	d := w.Doing[0]
	switch {
	case d.Place == (stack.Place{}):
		return string(d.Kind)
	case d.Call != "" && d.File != "":
		return fmt.Sprintf("%s, in %s at %s", d.Kind, d.Call, d.Place)
	}
	return fmt.Sprintf("%s at %s", d.Kind, d.Place)
}
