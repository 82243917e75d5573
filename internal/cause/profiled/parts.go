package profiled

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/syncwrite/syncwrite/internal/cause/stack"
	"github.com/syncwrite/syncwrite/results"
)

const (
	mostOver  = 1.05 // of the whole: parts are estimates of several sources
	mostNoise = 0.25 // of the whole, that the scheduler's counter may have too much: of its waits one in 8 is counted, eightfold
)

// A Window is what else is known of one that profiles were taken of.
type Window struct {
	WallNS, TimeNS int64          // TimeNS is of all goroutines that Samples are of, together
	UsedNS         results.Number // on processors, of the whole process
	WaitedNS       results.Number // for a processor, of all goroutines of the process
	Besides        int            // goroutines that are none of those
}

// Parts puts what several sources tell of a window together: waits of the profile of
// blocking; time on processors of the system, divided as that profile's samples are; and
// the wait for a processor as the scheduler counts it, of which other goroutines have no more
// than their time, and these no more than the others leave. What is left then is unexplained.
func (w Window) Parts(s *Samples) ([]results.BreakdownPart, error) {
	all := slices.Clone(s.Blocked)
	if w.UsedNS.Known() && s.All > 0 {
		for _, l := range s.Ran {
			l.Time = scaled(l, float64(w.UsedNS)/float64(s.All))
			all = append(all, l)
		}
	}
	whole := float64(w.TimeNS)
	wait := max(0, float64(w.WaitedNS)-float64(w.Besides)*float64(w.WallNS)) // missing: not a number
	known := float64(all.Total())
	if sum := known + max(0, wait-mostNoise*whole); known > mostOver*whole || sum > mostOver*whole {
		return nil, fmt.Errorf("profiles and counters account for %.0f %% of the time, and cannot be believed", 100*max(known, sum)/max(whole, 1))
	}
	for i := range all {
		all[i].Time = scaled(all[i], min(1, whole/known))
	}
	if wait = min(wait, whole-known); wait > 0 {
		all = append(all, Loss{Kind: stack.Runnable, Time: nanoseconds(wait)})
	}
	if left := whole - float64(all.Total()); left > 0 {
		all = append(all, Loss{Kind: stack.Unknown, Time: nanoseconds(left)})
	}
	return byKind(all, unlocking(s.Unlocked)), nil
}

func nanoseconds(n float64) time.Duration { return time.Duration(n) }

func scaled(l Loss, by float64) time.Duration { return time.Duration(float64(l.Time) * by) }

// unlocking is where most of the waits for mutexes ended, if nearly all did: a profile of
// mutexes does not tell which of the waits.
func unlocking(all Losses) string {
	const most = 0.8
	if len(all) == 0 || float64(all[0].Time) < most*float64(all.Total()) {
		return ""
	}
	return all[0].Place.String()
}

// byKind puts losses into parts, the largest first.
func byKind(all Losses, unlocked string) (parts []results.BreakdownPart) {
	slices.SortFunc(all, func(a, b Loss) int { return cmp.Compare(b.Time, a.Time) })
	for _, l := range all {
		i := slices.IndexFunc(parts, func(p results.BreakdownPart) bool { return p.Kind == string(l.Kind) })
		if i < 0 {
			i, parts = len(parts), append(parts, results.BreakdownPart{Kind: string(l.Kind)})
		}
		p := &parts[i]
		if p.NS += l.Time.Nanoseconds(); l.Place == (stack.Place{}) || len(p.Places) == stack.MostPlaces {
			continue
		}
		place := results.BreakdownPlace{Where: l.String(), Func: l.Func, Call: l.Call, NS: l.Time.Nanoseconds()}
		if l.Kind == stack.Lock {
			place.Woken = unlocked
		}
		p.Places = append(p.Places, place)
	}
	slices.SortFunc(parts, func(a, b results.BreakdownPart) int { return cmp.Compare(b.NS, a.NS) })
	return parts
}
