package locust

import (
	"strings"
	"sync"
	"time"

	"github.com/syncwrite/syncwrite/hist"
	"github.com/syncwrite/syncwrite/results"
)

// A sample is an operation, or several that the clock was read for once.
type sample struct {
	at      time.Duration // when it had ended, from the run's beginning
	ns      int64         // how long one took
	n       int           // how many
	kind    int
	bytes   int
	failure string // empty if it succeeded
}

// A tally is what users of a run did since it was last taken.
type tally struct {
	mu    sync.Mutex
	kinds int
	since seconds
	done  int // operations that succeeded, since the run's beginning
}

// seconds are what was done in each second of the run: a cell a kind.
type seconds map[int64][]cell

// A cell is what was done of one kind in one second.
type cell struct {
	answered *hist.Histogram // nil: nothing was
	failed   *hist.Histogram
	bytes    int64
	failures map[string]int
	last     time.Duration // when the last one had ended, from the run's beginning
}

func newTally(kinds int) *tally { return &tally{kinds: kinds, since: seconds{}} }

// add counts samples.
func (t *tally) add(samples []sample) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, s := range samples {
		second := int64(s.at / time.Second)
		cells := t.since[second]
		if cells == nil {
			cells = make([]cell, t.kinds)
			t.since[second] = cells
		}
		cells[s.kind].add(s)
		if s.failure == "" {
			t.done += s.n
		}
	}
}

// take returns what was counted since, and begins anew.
func (t *tally) take() seconds {
	t.mu.Lock()
	defer t.mu.Unlock()
	since := t.since
	t.since = seconds{}
	return since
}

// succeeded is how many operations did, since the run's beginning.
func (t *tally) succeeded() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.done
}

func (c *cell) add(s sample) {
	c.last = max(c.last, s.at)
	if s.failure == "" {
		record(&c.answered, s)
		c.bytes += int64(s.bytes)
		return
	}
	record(&c.failed, s)
	if c.failures == nil {
		c.failures = map[string]int{}
	}
	c.failures[reason(s.failure, c.failures)] += s.n
}

func record(h **hist.Histogram, s sample) {
	if *h == nil {
		*h = new(hist.Histogram)
	}
	(*h).RecordN(s.ns, uint64(s.n))
}

const (
	mostReasons = 100 // of one kind in one second: texts that are never the same twice would fill the memory
	mostReason  = 200 // bytes
	otherReason = "other reasons"
)

// reason is a failure's, fit for a table.
func reason(failure string, known map[string]int) string {
	text := results.OneLine(failure)
	if len(text) > mostReason {
		text = strings.ToValidUTF8(text[:mostReason], "") + "…"
	}
	if _, is := known[text]; !is && len(known) >= mostReasons {
		return otherReason
	}
	return text
}

// merge adds what another cell holds.
func (c *cell) merge(o cell) {
	mergeHist(&c.answered, o.answered)
	mergeHist(&c.failed, o.failed)
	c.bytes, c.last = c.bytes+o.bytes, max(c.last, o.last)
	for text, n := range o.failures {
		if c.failures == nil {
			c.failures = map[string]int{}
		}
		c.failures[text] += n
	}
}

func mergeHist(h **hist.Histogram, o *hist.Histogram) {
	if o == nil {
		return
	}
	if *h == nil {
		*h = new(hist.Histogram)
	}
	(*h).Merge(o)
}

// all is what was done of everything.
func (c cell) all() *hist.Histogram {
	all := new(hist.Histogram)
	for _, h := range []*hist.Histogram{c.answered, c.failed} {
		if h != nil {
			all.Merge(h)
		}
	}
	return all
}

func (c cell) failedCount() uint64 {
	if c.failed == nil {
		return 0
	}
	return c.failed.Count()
}
