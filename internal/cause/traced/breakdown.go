package traced

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/syncwrite/syncwrite/internal/cause/stack"
)

// A Breakdown is where the goroutines' time went.
type Breakdown struct {
	Goroutines int           // that took part
	Window     time.Duration // from the first one's begin to the last one's end
	Time       time.Duration // of all of them, from each one's begin to its end
	Parts      []Part        // the largest first; they sum up to Time
	Cut        bool          // the trace ends before a goroutine did
}

// A Part is the time of one kind.
type Part struct {
	Kind   stack.Kind
	Time   time.Duration
	Places []Loss // where, the largest first
}

// A Loss is the time that went to one place.
type Loss struct {
	stack.Place
	Time time.Duration
	// Woken is where the goroutines were that ended these waits, the most frequent by time first:
	// who unlocked, sent, or signalled. Empty for what is no wait.
	Woken []Wake
}

// A Wake is where others ended a wait, and what they had been doing during it.
type Wake struct {
	stack.Place
	Time  time.Duration // of the waits
	Doing []Doing       // the largest first
}

// Doing is what those who ended waits did meanwhile.
type Doing struct {
	Kind stack.Kind
	stack.Place
	Time time.Duration
}

// Share is the part of all time that went to a kind.
func (b *Breakdown) Share(k stack.Kind) float64 {
	for _, p := range b.Parts {
		if p.Kind == k && b.Time > 0 {
			return float64(p.Time) / float64(b.Time)
		}
	}
	return 0
}

// sums collects times by what they went to.
type sums struct {
	parts map[stack.Kind]map[stack.Place]*loss
}

type loss struct {
	time  time.Duration
	woken map[stack.Place]*wake
}

type wake struct {
	time  time.Duration
	doing sumOf
}

// A sumOf has the time of each deed.
type sumOf map[deed]time.Duration

// A deed is what a goroutine does, and where.
type deed struct {
	kind  stack.Kind
	place stack.Place
}

func (s *sums) add(d deed, time time.Duration) *loss {
	if s.parts == nil {
		s.parts = map[stack.Kind]map[stack.Place]*loss{}
	}
	if s.parts[d.kind] == nil {
		s.parts[d.kind] = map[stack.Place]*loss{}
	}
	l := s.parts[d.kind][d.place]
	if l == nil {
		l = &loss{woken: map[stack.Place]*wake{}}
		s.parts[d.kind][d.place] = l
	}
	l.time += time
	return l
}

func (l *loss) wokenAt(p stack.Place, time time.Duration) *wake {
	w := l.woken[p]
	if w == nil {
		w = &wake{doing: sumOf{}}
		l.woken[p] = w
	}
	w.time += time
	return w
}

// all are the parts, the largest first.
func (s *sums) all() (parts []Part) {
	for kind, places := range s.parts {
		p := Part{Kind: kind}
		for place, l := range places {
			p.Time += l.time
			p.Places = append(p.Places, Loss{Place: place, Time: l.time, Woken: l.all()})
		}
		slices.SortFunc(p.Places, func(a, b Loss) int { return cmp.Or(cmp.Compare(b.Time, a.Time), a.Compare(b.Place)) })
		parts = append(parts, p)
	}
	slices.SortFunc(parts, func(a, b Part) int { return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(a.Kind, b.Kind)) })
	return parts
}

func (l *loss) all() (all []Wake) {
	for place, w := range l.woken {
		one := Wake{Place: place, Time: w.time}
		for _, d := range slices.Collect(maps.Keys(w.doing)) {
			one.Doing = append(one.Doing, Doing{Kind: d.kind, Place: d.place, Time: w.doing[d]})
		}
		slices.SortFunc(one.Doing, func(a, b Doing) int {
			return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(a.Kind, b.Kind), a.Compare(b.Place))
		})
		all = append(all, one)
	}
	slices.SortFunc(all, func(a, b Wake) int { return cmp.Or(cmp.Compare(b.Time, a.Time), a.Compare(b.Place)) })
	return all
}
