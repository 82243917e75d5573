package harness

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/syncwrite/syncwrite/hist"
	"github.com/syncwrite/syncwrite/results"
)

// An Answer is how one operation of several kinds went.
type Answer struct {
	Kind    int    // its place in Instance.Kinds
	Bytes   int    // what the answer held
	Failure string // why it failed, in few words that are the same each time; empty if it did not
}

// A Request is an operation that can fail without ending its variant.
type Request func() Answer

// A sorting is what one goroutine saw of its requests.
type sorting struct {
	ask      Request
	pause    func() time.Duration // nil: none
	until    int64                // when the window ends, if it ends by time
	answer   Answer               // the last one
	kinds    []kindSeen
	timeline *timeline
	shared   []hist.Shared // of the timeline, a stretch each; shared with others
	moments  []momentSeen  // a stretch each, this goroutine's alone
	failed   int
	failedNS int64 // of latencies
	last     int64 // when the last success ended, from the window's start
	cycles   Cycles
	paused   int64
	sleeping *time.Timer
}

type kindSeen struct {
	response hist.Histogram
	failures map[string]int
	bytes    int64
}

type momentSeen struct {
	ops, failed int
	ns, bytes   int64 // summed
}

// newSorting makes what one goroutine needs, before the barrier; nil for an instance
// whose operations are of one kind.
func (w window) newSorting(instance Instance, line *timeline, g int) *sorting {
	if instance.Request == nil {
		return nil
	}
	s := &sorting{ask: instance.Request(g), kinds: make([]kindSeen, len(instance.Kinds)),
		timeline: line, shared: line.of(g), moments: make([]momentSeen, line.stretches())}
	if instance.Pause != nil {
		s.pause = instance.Pause(g)
		s.sleeping = time.NewTimer(time.Hour)
	}
	for i := range s.kinds {
		s.kinds[i].failures = map[string]int{}
	}
	return s
}

// one is the operation of which the harness knows nothing else.
func (s *sorting) one() error {
	s.answer = s.ask()
	return nil
}

// sort counts the answer that came last, ns after its request was due and at a moment
// of the window, and reports whether it was a success.
func (s *sorting) sort(ns, at int64) bool {
	if s == nil {
		return true
	}
	k := &s.kinds[s.answer.Kind]
	stretch := s.timeline.at(at)
	m := &s.moments[stretch]
	if s.answer.Failure != "" {
		k.failures[s.answer.Failure]++
		m.failed++
		s.failed++
		s.failedNS += ns
		return false
	}
	k.response.Record(ns)
	k.bytes += int64(s.answer.Bytes)
	m.ops++
	m.ns += ns
	m.bytes += int64(s.answer.Bytes)
	s.shared[stretch].Record(ns)
	s.last = max(s.last, at)
	return true
}

// begins tells a worker when the window opens, and when it ends.
func (w *worker) begins(start int64, span time.Duration, ending <-chan struct{}) {
	if w.sorting != nil {
		w.opens, w.ending, w.sorting.until, w.sorting.cycles.Window = start, ending, start+int64(span), int64(span)
	}
}

// untilEnd is the closed loop over a length of time: what has begun when the window
// ends is waited for, and counts.
func (w *worker) untilEnd() {
	s := w.sorting
	for last := w.start; last < s.until && !w.stop.Load(); {
		if err := w.op(); err != nil {
			w.fail(err)
			return
		}
		now := nanotime()
		answered := s.sort(now-last, now-w.opens)
		if answered {
			w.hist.Record(now - last)
			if w.done == 0 {
				w.first = now - last
			}
			w.done++
		}
		rest := s.drawRest()
		s.cycles.Add(now-w.opens, now-last, rest, answered)
		last = s.rest(now, rest, w.ending)
	}
}

// drawRest is how long a user waits between two requests.
func (s *sorting) drawRest() time.Duration {
	if s.pause == nil {
		return 0
	}
	return s.pause()
}

// rest waits so long, but not beyond the window's end, and returns what time it is then.
func (s *sorting) rest(now int64, rest time.Duration, ending <-chan struct{}) int64 {
	if s.pause == nil {
		return now
	}
	s.sleeping.Reset(min(rest, time.Duration(s.until-now)))
	select {
	case <-s.sleeping.C:
	case <-ending:
	}
	after := nanotime()
	s.paused += after - now
	return after
}

// errNoSuccess is that of a window in which every request failed.
var errNoSuccess = errors.New("no request succeeded")

// collectKinds adds up what the workers saw of their requests.
func (w window) collectKinds(t results.Trial, kinds []string, workers []*worker) (results.Trial, error) {
	if kinds == nil {
		return t, nil
	}
	t.Kinds = make([]results.Kind, len(kinds))
	for i, name := range kinds {
		t.Kinds[i] = results.Kind{Name: name, Failures: map[string]int{}, Latency: results.Latency{Hist: new(hist.Histogram)}}
	}
	last, users := int64(0), []Cycles(nil)
	for _, worker := range workers {
		last = max(last, worker.sorting.last)
		users = append(users, worker.sorting.cycles)
		t.PausedNS, t.FailedNS = t.PausedNS+worker.sorting.paused, t.FailedNS+worker.sorting.failedNS
		for i := range t.Kinds {
			worker.sorting.kinds[i].into(&t.Kinds[i])
		}
	}
	for i := range t.Kinds {
		t.Kinds[i].Latency = results.NewLatency(t.Kinds[i].Latency.Hist, results.Each).Above(w.floor)
	}
	line := workers[0].sorting.timeline
	t.Moments = line.moments(workers, w.cell.goroutines)
	if w.byTime {
		t.WallNS = max(int64(w.span), last) // what waits for a failure after that is in no rate
	}
	if t.Open != nil {
		t.Open.EndNS = last
	} else if w.byTime {
		RateOfUsers(&t, users, int64(w.span))
		if float64(t.WallNS) <= mostTail*float64(w.span) {
			t.HalfNS, t.HalfOps = half(t.Moments, line.stretch, fewest(users))
		}
	}
	if t.Ops == 0 && t.Failed > 0 {
		return t, noSuccess(t.Kinds)
	}
	return t, nil
}

// failures is how many requests failed.
func (s *sorting) failures() int {
	if s == nil {
		return 0
	}
	return s.failed
}

func (s *kindSeen) into(k *results.Kind) {
	k.Ops += int(s.response.Count())
	k.Bytes += s.bytes
	k.Latency.Hist.Merge(&s.response)
	for reason, n := range s.failures {
		k.Failures[reason] += n
	}
}

// noSuccess names the most frequent reason.
func noSuccess(kinds []results.Kind) error {
	all := map[string]int{}
	for _, k := range kinds {
		for reason, n := range k.Failures {
			all[reason] += n
		}
	}
	most := slices.MaxFunc(slices.Collect(maps.Keys(all)), func(a, b string) int { return cmp.Compare(all[a], all[b]) })
	return &told{errNoSuccess.Error() + ": " + most, errNoSuccess}
}
