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
	LockedNS       results.Number // at mutexes, of all goroutines of the process
	Besides        int            // goroutines that are none of those, and were there before
	Begun          results.Number // goroutines that are none of those, and began meanwhile; missing where nobody knows
}

// Parts puts what several sources tell of a window together: waits of the profile of
// blocking, unless the runtime counts fewer for mutexes; time on processors of the system, divided as
// that profile's samples are; and the wait for a processor as the scheduler counts it, of which other goroutines have no more
// than their time, and these no more than the others leave; of goroutines that began meanwhile
// nobody knows how long they were there, so that where there are any nothing is told of that wait.
// What is left then is unexplained.
func (w Window) Parts(s *Samples) ([]results.BreakdownPart, error) {
	all, err := w.locked(s.Blocked)
	if err != nil {
		return nil, err
	}
	if w.UsedNS.Known() && s.All > 0 {
		for _, l := range s.Ran {
			l.Time = scaled(l, float64(w.UsedNS)/float64(s.All))
			all = append(all, l)
		}
	}
	whole := float64(w.TimeNS)
	wait := 0.0
	if w.Begun <= 0 { // false where it is missing
		wait = max(0, float64(w.WaitedNS)-float64(w.Besides)*float64(w.WallNS)) // missing: not a number
	}
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
	return byKind(all, unlocking(s)), nil
}

// overLocked is the part of the whole by which waits for mutexes may pass what the runtime counts of them.
const overLocked = 0.05

// locked refuses waits for mutexes of which the runtime counts fewer: the profile of blocking goes on
// while one that was woken waits for a processor, finds the mutex taken by another, and waits again. But
// that counter takes one wait in 8 of each goroutine in turn, and where its operations have a beat of their own
// it may take none of them, or all. So neither is believed. What a file has inside is not counted.
func (w Window) locked(blocked Losses) (Losses, error) {
	sum := 0.0
	for _, l := range blocked {
		if l.Kind == stack.Lock && l.Call != results.FileLock {
			sum += float64(l.Time)
		}
	}
	whole, locked := float64(w.TimeNS), float64(w.LockedNS)
	if sum > locked+overLocked*whole { // false where nobody counted
		return nil, fmt.Errorf("the profile of blocking has %.0f %% of the time at mutexes, and the runtime counts %.0f %%", 100*sum/whole, 100*locked/whole)
	}
	return slices.Clone(blocked), nil
}

func nanoseconds(n float64) time.Duration { return time.Duration(n) }

func scaled(l Loss, by float64) time.Duration { return time.Duration(float64(l.Time) * by) }

// most is the part of waits of which one place is told to be theirs.
const most = 0.8

// unlocking is where who held up waits for mutexes unlocked, if that was one of those goroutines for nearly all of
// the time, and they waited at one place: a profile of mutexes does not tell which of the waits, or of whom. It charges
// an unlock with the waits of all that still queue, whoever ends them later.
func unlocking(s *Samples) string {
	locks := slices.DeleteFunc(slices.Clone(s.Blocked), func(l Loss) bool { return l.Kind != stack.Lock })
	if !mostOf(locks, locks.Total()) || !mostOf(s.Unlocked, s.UnlockedAll) {
		return ""
	}
	return s.Unlocked[0].Place.String()
}

// mostOf reports whether the first of some losses has the most part of all.
func mostOf(some Losses, all time.Duration) bool {
	return len(some) > 0 && float64(some[0].Time) >= most*float64(all)
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
		if l.Kind == stack.Lock && len(p.Places) == 0 {
			place.Woken = unlocked
		}
		p.Places = append(p.Places, place)
	}
	slices.SortFunc(parts, func(a, b results.BreakdownPart) int { return cmp.Compare(b.NS, a.NS) })
	return parts
}
