package harness

import (
	"math"
	"slices"
	"time"

	"github.com/syncwrite/syncwrite/results"
)

// Cycles are one user's in a window of the closed loop. A cycle is a request and the rest
// behind it. What has begun when a window ends is waited for, and the rest behind that is
// drawn and not waited for: so every cycle that a user begins in the window is whole.
type Cycles struct {
	Window    int64   `json:"window_ns,omitempty" msgpack:"window_ns,omitempty"` // 0: not known
	Late      int     `json:"late,omitempty" msgpack:"late,omitempty"`           // of those behind the first: ended behind the window, all the same
	Begun     int     `json:"begun" msgpack:"begun"`
	Answers   int     `json:"answers" msgpack:"answers"`           // of those behind the first
	FirstNS   int64   `json:"first_ns" msgpack:"first_ns"`         // when the first one ended, from the window's start
	EndNS     int64   `json:"end_ns" msgpack:"end_ns"`             // and the last one
	Squares   float64 `json:"squares" msgpack:"squares"`           // ns²: what those behind the first took, each squared, added up
	Answering int64   `json:"answering_ns" msgpack:"answering_ns"` // for how long the answers behind the first were waited for
}

// Add counts a cycle whose request, of so many ns, ended at a moment, in ns from the window's
// start, well or not: a user who waits for what fails asks for nothing else meanwhile.
func (c *Cycles) Add(at, ns int64, rest time.Duration, answered bool) {
	n := 0
	if answered {
		n = 1
	}
	c.AddSome(at, ns, 1, n, rest)
}

// AddSome counts cycles that were timed together, and of which some were answered. What it
// counts first is one cycle.
func (c *Cycles) AddSome(at, ns int64, n, answered int, rest time.Duration) {
	c.Begun += n
	before := c.EndNS
	c.EndNS = at + int64(rest)
	if c.Begun == n {
		c.FirstNS = c.EndNS
		return
	}
	took := float64(c.EndNS - before)
	c.Squares += took * took / float64(n)
	if c.Window > 0 && at > c.Window {
		c.Late += n
	}
	c.Answers += answered
	c.Answering += ns * int64(answered) / int64(n)
}

// behind is how many cycles were begun behind the first, and what they took.
func (c Cycles) behind() (n, ns float64) {
	return float64(max(c.Begun-1, 0)), float64(c.EndNS - c.FirstNS)
}

// RateOfUsers gives a trial the rate of its users, and what part of their time they waited for
// answers. The window lasted so many ns.
func RateOfUsers(t *results.Trial, users []Cycles, span int64) {
	doubted := false
	if t.Cycles, t.CyclesNS, doubted = rateOf(users, t.Ops, span, max(span, t.WallNS)); doubted {
		t.Warnings = append(t.Warnings, fewCycles())
	}
	t.Answering = answeringShare(users)
	if t.Alone = alone(users) * t.Answering; t.Alone > mostAlone {
		t.Warnings = append(t.Warnings, endedAlone())
	}
}

// mostAlone is how much too high a rate can be without a doubt.
const mostAlone = 0.05

// alone is the part of the cycles that ended behind the window, where nobody asks anew: where a
// server does not answer in turn, each can be shorter there by about what a cycle takes.
func alone(users []Cycles) float64 {
	late, all := 0, 0
	for _, c := range users {
		late, all = late+c.Late, all+max(c.Begun-1, 0)
	}
	return float64(late) / float64(max(all, 1))
}

func endedAlone() results.Warning {
	return results.Warning{Code: results.WarnAlone,
		Text: "users asked so seldom in a window that its last answers, which nobody else waited for, can make the rate too high: a longer window tells more"}
}

// fewUsers is the part of all users that can have begun no second cycle without a doubt.
const fewUsers = 0.02

// ownRate is from how many cycles behind the first on a user has a rate of its own.
const ownRate = 8

// mostUnlike is how many times what chance makes users may differ before each has a rate of
// its own.
const mostUnlike = 4

// areAlike reports whether users differ no more than by chance. Of n cycles of mean μ and
// variance σ², of which the last is the one under way when the window ends, the time is off
// n·μ by the square root of σ² times the mean of n (Wald's second equation, ibid.), however
// unlike cycles are to one another. The variance is that within users.
func areAlike(users []Cycles) bool {
	var all, time, within, free float64
	for _, c := range users {
		if n, ns := c.behind(); n > 0 {
			all, time = all+n, time+ns
			within, free = within+c.Squares-ns*ns/n, free+n-1
		}
	}
	off := 0.0
	for _, c := range users {
		n, ns := c.behind()
		off += math.Pow(ns-n*time/all, 2)
	}
	return off <= mostUnlike*all*within/free
}

// rateOf is the rate of users, as a number of answers and the time in which so many users
// gave them. The first cycle of each is left out: where users wait for one another it is
// short, since they all find an empty queue. Of those behind it, which begin in the
// window, the mean number ÷ the mean time is the rate of a user (Wald's equation: Ross,
// Stochastic Processes, 1996, section 3.3): users have one rate together. Where they are not
// alike each has its own, and the sum is told, which is too high where each one's cycles are
// unlike, too; those who have begun few cycles have one together then. A user who has begun
// none behind the first is one whom nobody answered all the window long: with such users the
// rate is a bound from below, and so is what all of them were answered until the last one had
// ended; the higher one is told.
func rateOf(users []Cycles, answered int, span, last int64) (answers int, ns int64, doubted bool) {
	own, together := parted(users)
	var rate float64 // answers a ns
	none := 0
	for _, c := range users {
		last, answers = max(last, c.EndNS), answers+c.Answers
	}
	for _, c := range own {
		rate += float64(c.Answers) / float64(c.EndNS-c.FirstNS)
	}
	var seldomAnswers, seldomNS int64
	for _, c := range together {
		if c.Begun < 2 {
			none++
			seldomNS += span
		}
		seldomAnswers += int64(c.Answers)
		seldomNS += c.EndNS - c.FirstNS
	}
	if seldomNS > 0 {
		rate += float64(len(together)) * float64(seldomAnswers) / float64(seldomNS)
	}
	if rate > 0 {
		ns = int64(math.Round(float64(answers) / rate))
	}
	if (none > 0 || answers == 0) && float64(answered)*float64(ns) >= float64(answers)*float64(last) {
		answers, ns = answered, last
	}
	return answers, ns, float64(none) > fewUsers*float64(len(users))
}

// parted are the users who have a rate of their own, and those who have one together.
func parted(users []Cycles) (own, together []Cycles) {
	alike := areAlike(users)
	for _, c := range users {
		if !alike && c.Begun-1 >= ownRate && c.EndNS > c.FirstNS {
			own = append(own, c)
		} else {
			together = append(together, c)
		}
	}
	return own, together
}

// answeringShare is the part of users' time behind their first cycles in which they waited for
// answers that came, of each who has a rate of its own, and of the others together; 0 where
// there is none.
func answeringShare(users []Cycles) float64 {
	own, together := parted(users)
	share, n := 0.0, len(own)
	for _, c := range own {
		share += float64(c.Answering) / float64(c.EndNS-c.FirstNS)
	}
	var answering, all int64
	for _, c := range together {
		answering, all = answering+c.Answering, all+c.EndNS-c.FirstNS
	}
	if all > 0 {
		share, n = share+float64(len(together))*float64(answering)/float64(all), n+len(together)
	}
	if n == 0 {
		return 0
	}
	return share / float64(n)
}

// fewest is how many cycles that user began who began fewest.
func fewest(users []Cycles) int {
	return slices.MinFunc(users, func(a, b Cycles) int { return a.Begun - b.Begun }).Begun
}

// fewCycles is the doubt of a rate of users who asked too seldom.
func fewCycles() results.Warning {
	return results.Warning{Code: results.WarnFewCycles,
		Text: "the rate is a lower bound and a longer window tells more: users asked once in a window and no second time"}
}
