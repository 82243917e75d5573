package locust

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/syncwrite/syncwrite/harness"
)

// works has a user work for so many operations.
func works(u User, operations int, done *int) *tally {
	into := newTally(1)
	b := newBusy(u, time.Now(), 0, into)
	b.work(func() bool { return *done < operations }, func(d time.Duration) bool { time.Sleep(d); return true })
	b.flush()
	return into
}

// Operations that are too fast to be timed one by one are all counted.
func TestFastOperationsAreTimedTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		done := 0
		into := works(User{Operation: func() error {
			if done++; done%100 == 0 {
				time.Sleep(time.Microsecond) // 10 ns each
			}
			return nil
		}}, 100_000, &done)
		c := into.take()[0][0]
		if got := c.answered.Count(); int(got) != done || into.succeeded() != done {
			t.Errorf("%d counted of %d", got, done)
		}
		if sum := c.answered.Sum(); sum < 900_000 || sum > 1_010_000 {
			t.Errorf("%d ns in all, want about 1,000,000", sum)
		}
	})
}

// What operations took together is what they are told to have taken, to the nanosecond.
func TestFastOperationsTakeAllTheirTime(t *testing.T) {
	into := newTally(1)
	b := newBusy(User{}, time.Now(), 0, into)
	b.add(sample{ns: 2, n: 1000}, 679, nil)
	b.add(sample{ns: 5, n: 3}, 2, errors.New("no"))
	b.flush()
	if c := into.take()[0][0]; c.answered.Count() != 1002 || c.answered.Sum() != 2679+12 || c.failed.Count() != 1 || c.failed.Sum() != 5 {
		t.Errorf("%d of %d ns in all, %d failed of %d", c.answered.Count(), c.answered.Sum(), c.failed.Count(), c.failed.Sum())
	}
}

func TestSlowOperationsAreTimedAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		done := 0
		into := works(User{Operation: func() error { done++; time.Sleep(time.Duration(done) * time.Microsecond); return nil }}, 10, &done)
		if h := into.take()[0][0].answered; h.Count() != 10 || h.Min() != 1000 || h.Max() != 10_000 || h.Sum() != 55_000 {
			t.Errorf("%d of %d to %d ns, %d in all", h.Count(), h.Min(), h.Max(), h.Sum())
		}
	})
}

func TestNextSize(t *testing.T) {
	for _, c := range []struct {
		size int
		took time.Duration
		want int
	}{
		{1, 10 * time.Nanosecond, 2},
		{1, time.Microsecond, 1},
		{256, 2 * time.Microsecond, 512},
		{256, 10 * time.Microsecond, 256},
		{mostBatch, 4 * time.Microsecond, mostBatch},
		{256, time.Millisecond, 1},       // 4 µs each by now
		{256, 60 * time.Microsecond, 21}, // 234 ns each
	} {
		if got := nextSize(c.size, c.took); got != c.want {
			t.Errorf("%d in %v: %d next, want %d", c.size, c.took, got, c.want)
		}
	}
}

func TestOperationThatFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		done := 0
		into := works(User{Operation: func() error {
			if done++; done%10 == 0 {
				return errors.New("disk full")
			}
			return nil
		}}, 1000, &done)
		failed := 0
		for _, cells := range into.take() {
			failed += cells[0].failures["disk full"]
		}
		if failed != done/10 || into.succeeded() != done-failed {
			t.Errorf("of %d, %d failed and %d succeeded", done, failed, into.succeeded())
		}
	})
}

// What comes before the first operation, and rests, are in no operation's time.
func TestBeginningAndRestAreNoOperations(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		done, began := 0, 0
		into := works(User{
			Begin:     func() { began++; time.Sleep(time.Hour) },
			Operation: func() error { done++; time.Sleep(time.Millisecond); return nil },
			Pause:     func() time.Duration { return time.Second },
		}, 5, &done)
		var whole cell
		of := into.take()
		for _, cells := range of {
			whole.merge(cells[0])
		}
		if whole.answered.Max() != 1e6 || whole.answered.Count() != 5 || began != 1 || len(of) != 5 {
			t.Errorf("%d of at most %d ns in %d seconds, %d beginnings", whole.answered.Count(), whole.answered.Max(), len(of), began)
		}
	})
}

func TestReasonsAreFew(t *testing.T) {
	var c cell
	for i := range 1000 {
		c.add(sample{n: 1, failure: fmt.Sprintf("request %d failed", i)})
	}
	if len(c.failures) != mostReasons+1 || c.failures[otherReason] != 1000-mostReasons {
		t.Errorf("%d reasons, %d others", len(c.failures), c.failures[otherReason])
	}
	if got := reason(strings.Repeat("ä", 150)+"\x1b[2J", nil); got != strings.Repeat("ä", 100)+"…" {
		t.Errorf("%q", got)
	}
	if got := reason("a\x1b[2J\nb", nil); strings.ContainsAny(got, "\x1b\n") {
		t.Errorf("%q", got)
	}
}

func TestRowsAndTotal(t *testing.T) {
	into := newTally(2)
	into.add([]sample{
		{at: 500 * time.Millisecond, ns: 1_234_567, n: 1, kind: 0, bytes: 7},
		{at: 1500 * time.Millisecond, ns: 2_000_000, n: 3, kind: 1, bytes: 9},
		{at: 1600 * time.Millisecond, ns: 4_000_000, n: 1, kind: 1, failure: "timeout"},
	})
	began := time.Unix(100, 0)
	stats, total, errs := rows([]Kind{{"GET", "/a"}, {"POST", "/a"}}, began, began, into.take())
	if len(stats) != 2 || total["num_requests"] != uint64(5) || total["num_failures"] != uint64(1) || total["total_response_time"] != 11.234567 {
		t.Errorf("rows %v, total %v", stats, total)
	}
	if times := stats[0]["response_times"].(map[float64]uint64); times[1.23] != 1 {
		t.Errorf("response times %v, want 1.23 ms", times)
	}
	if at := total["num_reqs_per_sec"].(map[int64]uint64); at[100] != 1 || at[101] != 4 {
		t.Errorf("by second %v", at)
	}
	if len(errs) != 1 {
		t.Errorf("errors %v", errs)
	}
}

// The same error of a worker in Python is in the same row: this is the key that Locust 2.47
// makes.
func TestErrorKeyIsLocusts(t *testing.T) {
	const want = "b002c439f726a4f64f38393f6fb60b05925cd46daca6a0e56d9ded2618311ff5"
	if got := errorKey(Kind{"GET", "/albums"}, "timeout"); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// The master's rate is requests ÷ the time from the first report's start to the last request:
// moments keep their fractions, and where its statistics are reset, the next report begins where
// the last one ended.
func TestMomentsOfARate(t *testing.T) {
	c := &crew{kinds: []Kind{{"GET", "/a"}}, began: time.Unix(100, 7e8), taken: time.Unix(100, 7e8), tally: newTally(1)}
	c.tally.add([]sample{{at: 900 * time.Millisecond, ns: 1, n: 1}, {at: 800 * time.Millisecond, ns: 1, n: 1}})
	of, from, _ := c.take()
	_, total, _ := rows(c.kinds, c.began, from, of)
	if first, last, by := total["start_time"], total["last_request_timestamp"], total["num_reqs_per_sec"].(map[int64]uint64); first != 100.7 || last != 101.6 || by[101] != 2 {
		t.Errorf("from %v to %v, by second %v; want 100.7 to 101.6, and 2 in second 101", first, last, by)
	}
	before := c.taken
	c.tally.add([]sample{{at: 9 * time.Second, ns: 1, n: 1}})
	if _, from, _ = c.take(); from != before || before == c.began {
		t.Errorf("the second report begins at %v, the first one ended at %v", from, before)
	}
}

// What ends behind a run whose length is known is told apart, but for the first.
func TestCyclesBehindARun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for lasts, want := range map[time.Duration]int{0: 0, 25 * time.Millisecond: 2, 5 * time.Millisecond: 3, time.Second: 0} {
			done := 0
			b := newBusy(User{Request: func() harness.Answer {
				time.Sleep(10 * time.Millisecond)
				done++
				return harness.Answer{}
			}}, time.Now(), lasts, newTally(1))
			seen := b.work(func() bool { return done < 4 }, func(time.Duration) bool { return true })
			if seen.Begun != 4 || seen.Late != want {
				t.Errorf("a run of %v: %d of %d are late, want %d", lasts, seen.Late, seen.Begun, want)
			}
		}
	})
}
