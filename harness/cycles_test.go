package harness

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/results"
)

// simulated is a window of users who ask, wait and rest by a clock that is only counted:
// ask returns when an answer to what is asked at a moment comes. The last one comes then, or the
// window ends.
func simulated(users int, span time.Duration, rest func() time.Duration, ask func(g int, at int64) int64) (all []Cycles, answered int, last int64) {
	last, all = int64(span), make([]Cycles, users)
	next := make([]int64, users) // when each asks again
	for g := range all {
		all[g].Window = int64(span)
	}
	for {
		g := 0
		for other := range next {
			if next[other] < next[g] {
				g = other
			}
		}
		if next[g] >= int64(span) {
			return all, answered, last
		}
		end, rested := ask(g, next[g]), rest()
		all[g].Add(end, end-next[g], rested, true)
		answered, last = answered+1, max(last, end)
		next[g] = end + int64(rested)
	}
}

// queue is one lock that is held so long for each, in the order in which they come.
func queue(hold time.Duration) func(int, int64) int64 {
	free := int64(0)
	return func(_ int, at int64) int64 {
		free = max(free, at) + int64(hold)
		return free
	}
}

// outOfTurn is a window of users at one lock that anybody of those who wait gets next.
func outOfTurn(users int, span, hold time.Duration, random *rand.Rand) (all []Cycles, answered int) {
	all = make([]Cycles, users)
	asked, waiting := make([]int64, users), make([]int, users)
	for g := range all {
		all[g].Window, waiting[g] = int64(span), g
	}
	for now := int64(hold); len(waiting) > 0; now += int64(hold) {
		at := random.IntN(len(waiting))
		g := waiting[at]
		all[g].Add(now, now-asked[g], 0, true)
		answered++
		if asked[g] = now; now >= int64(span) { // asks for no more
			waiting = append(waiting[:at], waiting[at+1:]...)
		}
	}
	return all, answered
}

// Where a lock is got in no order, requests under way at a window's end find ever fewer that
// wait: the rate is too high, by no more than is told, and is doubted where that is much.
func TestRateOfUsersOutOfTurn(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	const users, hold, windows = 50, 10 * time.Millisecond, 400
	for each, doubted := range map[float64]bool{3: true, 6: true, 12: true, 30: false} {
		told, least, doubts := 0.0, 0.0, 0
		for range windows {
			span := time.Duration(each * users * float64(hold))
			all, answered := outOfTurn(users, span, hold, random)
			trial := results.Trial{Ops: answered, WallNS: int64(span)}
			RateOfUsers(&trial, all, int64(span))
			told += trial.OpsPerS() / 100 / windows
			least += trial.OpsPerS() / (1 + trial.Alone) / 100 / windows
			if slices.ContainsFunc(trial.Warnings, func(w results.Warning) bool { return w.Code == results.WarnAlone }) {
				doubts++
			}
		}
		if told < 1 || least > 1 || told > 1.2 || doubted != (doubts == windows) || !doubted && doubts > 0 {
			t.Errorf("%v cycles a user: between %.4g and %.4g of what can be, doubted in %d of %d windows", each, least, told, doubts, windows)
		}
	}
}

// unalike answers half of the users in 10 ms, and the others' first and later ones so.
func unalike(first, later time.Duration) func(int, int64) int64 {
	return func(g int, at int64) int64 {
		switch {
		case g%2 == 0:
			return at + 10e6
		case at == 0:
			return int64(first)
		}
		return at + int64(later)
	}
}

func none() time.Duration { return 0 }

// The rate is that of a window without an end: the least rate that a server can be told to
// have is what it can do.
func TestRateOfUsers(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	fixed := func(d time.Duration) func(int, int64) int64 {
		return func(_ int, at int64) int64 { return at + int64(d) }
	}
	mixed := func(short, long time.Duration, oneIn int) func(int, int64) int64 {
		return func(_ int, at int64) int64 {
			if random.IntN(oneIn) == 0 {
				return at + int64(long)
			}
			return at + int64(short)
		}
	}
	ms := time.Millisecond
	bimodal := mixed(ms, 300*ms, 10) // 30.9 ms on average
	drawn := func(from, to time.Duration) func() time.Duration {
		return func() time.Duration { return from + time.Duration(random.Int64N(int64(to-from))) }
	}
	for _, c := range []struct {
		name  string
		users int
		span  time.Duration
		rest  func() time.Duration
		ask   func() func(int, int64) int64
		want  float64
	}{
		{"a queue", 50, 3333 * ms, none, func() func(int, int64) int64 { return queue(20 * ms) }, 50},
		{"a long queue", 400, 3333 * ms, none, func() func(int, int64) int64 { return queue(5 * ms) }, 200},
		{"a queue that begins its second round", 400, 2100 * ms, none, func() func(int, int64) int64 { return queue(5 * ms) }, 200},
		{"a queue of those who rest", 50, 5000 * ms, drawn(100*ms, 300*ms), func() func(int, int64) int64 { return queue(20 * ms) }, 50},
		{"a fixed time", 10, 1000 * ms, none, func() func(int, int64) int64 { return fixed(70 * ms) }, 10 / 0.07},
		{"a time that is much of the window", 10, 1000 * ms, none, func() func(int, int64) int64 { return fixed(450 * ms) }, 10 / 0.45},
		{"two times", 50, 1000 * ms, none, func() func(int, int64) int64 { return bimodal }, 50 / 0.0309},
		{"rests", 50, 3333 * ms, drawn(1000*ms, 2000*ms), func() func(int, int64) int64 { return fixed(5 * ms) }, 50 / 1.505},
		{"rests of one length", 50, 3333 * ms, func() time.Duration { return 900 * ms }, func() func(int, int64) int64 { return fixed(100 * ms) }, 50},
		{"half of the users are slow", 10, 3333 * ms, none, func() func(int, int64) int64 { return unalike(2000*ms, 2000*ms) }, 5/0.01 + 5/2.0},
		{"half of them are, from their second on", 10, 3333 * ms, none, func() func(int, int64) int64 { return unalike(10*ms, 3000*ms) }, 5/0.01 + 5/3.0},
		{"a tenth takes most of a short window", 50, 500 * ms, none, func() func(int, int64) int64 { return mixed(11*ms, 401*ms, 10) }, 50 / 0.05},
		{"a fiftieth takes most of the window", 50, 3333 * ms, none, func() func(int, int64) int64 { return mixed(5900*time.Microsecond, 3000*ms, 50) }, 50 / 0.065782},
		{"the same of many users", 200, 3333 * ms, none, func() func(int, int64) int64 { return mixed(5900*time.Microsecond, 3000*ms, 50) }, 200 / 0.065782},
		{"two times, and rests", 50, 1000 * ms, drawn(50*ms, 150*ms), func() func(int, int64) int64 { return bimodal }, 50 / 0.1309},
	} {
		const windows = 400 // so many that chance plays no part
		mean := 0.0
		for range windows {
			all, answered, last := simulated(c.users, c.span, c.rest, c.ask())
			n, took, doubted := rateOf(all, answered, int64(c.span), last)
			if doubted {
				t.Fatalf("%s: doubted", c.name)
			}
			mean += float64(n) / float64(took) * 1e9 / windows
		}
		if math.Abs(mean-c.want) > 0.02*c.want {
			t.Errorf("%s: %.4g/s, want %.4g", c.name, mean, c.want)
		}
	}
}

// Users who find an empty queue at first wait for their answers all the time behind that.
func TestAnsweringShare(t *testing.T) {
	half := func() time.Duration { return 20 * time.Millisecond }
	for _, c := range []struct {
		name string
		rest func() time.Duration
		ask  func(int, int64) int64
		want float64
	}{
		{"a queue", none, queue(20 * time.Millisecond), 1},
		{"as much rest", half, func(_ int, at int64) int64 { return at + 20e6 }, 0.5},
	} {
		all, _, _ := simulated(50, 3333*time.Millisecond, c.rest, c.ask)
		if got := answeringShare(all); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// Where users have rates of their own, each one's share of its time counts alike.
func TestAnsweringShareOfUnlikeUsers(t *testing.T) {
	fast := Cycles{Begun: 50, Answers: 49, FirstNS: 100e6, EndNS: 5000e6, Squares: 49 * 1e16, Answering: 245e6}
	slow := Cycles{Begun: 2, Answers: 1, FirstNS: 2600e6, EndNS: 5200e6, Squares: 2.6e9 * 2.6e9, Answering: 2600e6}
	if got := answeringShare([]Cycles{fast, fast, slow, slow}); math.Abs(got-0.525) > 0.001 {
		t.Errorf("%v, want %v", got, 0.525)
	}
}

// Of users who are asked for no second time in the window no cycle is known: the rate is
// what a server can do at most, and doubted where they are more than a few.
func TestRateOfUsersWhoAskedOnce(t *testing.T) {
	second := time.Second
	for _, c := range []struct {
		name     string
		users    int
		ask      func(int, int64) int64
		from, to float64
		doubted  bool
	}{
		{"a queue longer than the window", 400, queue(5 * time.Millisecond), 180, 200, true},
		{"one answer each", 10, func(_ int, at int64) int64 { return at + 4e9 }, 2.5, 2.5, true},
		{"one of a hundred whom nobody answers", 100, func(g int, at int64) int64 {
			if g == 7 {
				return at + 9e9
			}
			return at + 10e6
		}, 9800, 9901, false},
		{"some who push in", 500, func() func(int, int64) int64 {
			free := int64(0)
			return func(g int, at int64) int64 {
				if g >= 100 { // they come last
					return at + 2e9
				}
				free = max(free, at) + 1e6
				return free
			}
		}(), 850, 1001, true},
	} {
		all, answered, last := simulated(c.users, second, none, c.ask)
		n, ns, doubted := rateOf(all, answered, int64(second), last)
		if rate := float64(n) / float64(ns) * 1e9; rate < c.from || rate > c.to || doubted != c.doubted {
			t.Errorf("%s: %.4g/s, doubted %v", c.name, rate, doubted)
		}
	}
}

// A terminal shows a doubt up to its colon: what it means for the rate stands before that.
func TestDoubtOfUsersWhoAskedOnceIsShort(t *testing.T) {
	short, _, _ := strings.Cut(fewCycles().Text, ": ")
	if want := "the rate is a lower bound and a longer window tells more"; short != want {
		t.Errorf("%q, want %q", short, want)
	}
}

// A request that fails takes its user's time and is no answer, whenever it ends.
func TestFailuresInACycle(t *testing.T) {
	var c Cycles
	for _, end := range []int64{100, 300, 500} {
		c.Add(end, 100, 50, end != 300)
	}
	c.Add(9000, 8450, 50, false)
	if c.Squares = 0; c != (Cycles{Begun: 4, Answers: 1, FirstNS: 150, EndNS: 9050, Answering: 100}) {
		t.Errorf("%+v", c)
	}
}

// Of requests of which one in 150 fails by a time-out longer than the window, the answers are
// told that users have in the long run.
func TestRateBesideTimeouts(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	const users, span, windows = 50, int64(time.Second), 400
	mean := 0.0
	for range windows {
		all, answered := make([]Cycles, users), 0
		for g := range all {
			for at := int64(0); at < span; {
				timedOut := random.IntN(150) == 0
				if at += 10e6; timedOut {
					at += 3e9 - 10e6
				} else {
					answered++
				}
				all[g].Add(at, 0, 0, !timedOut)
			}
		}
		n, took, _ := rateOf(all, answered, span, span)
		mean += float64(n) / float64(took) * 1e9 / windows
	}
	const want = users * 149 / (149*0.01 + 3)
	if math.Abs(mean-want) > 0.02*want {
		t.Errorf("%.4g/s, want %.4g", mean, want)
	}
}
