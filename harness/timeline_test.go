package harness

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/hist"
	"github.com/syncwrite/syncwrite/results"
)

// A window is cut into seconds, a long one into no more stretches than can be drawn; each
// answer falls into its own, the late ones behind the last.
func TestTimelineStretches(t *testing.T) {
	for _, c := range []struct {
		span    time.Duration
		stretch int64
		n       int
	}{{300 * time.Millisecond, 1e9, 1}, {10 * time.Second, 1e9, 11}, {2 * time.Minute, 1e9, 121}, {2*time.Minute + time.Second, 2e9, 61}, {time.Hour, 32e9, 113}} {
		l := newTimeline(c.span)
		if l.stretch != c.stretch || l.stretches() != c.n || l.at(-1) != 0 || l.at(c.stretch-1) != 0 || l.at(1<<62) != c.n-1 {
			t.Errorf("%v: %d stretches of %v", c.span, l.stretches(), time.Duration(l.stretch))
		}
	}
}

// Two goroutines' answers are added up, and their percentiles are those of all.
func TestTimelineMoments(t *testing.T) {
	l := newTimeline(2 * time.Second)
	var workers []*worker
	for g := range 2 {
		s := &sorting{timeline: l, shared: l.of(g), moments: make([]momentSeen, l.stretches()), kinds: make([]kindSeen, 1), answer: Answer{Bytes: 10}}
		for i := range int64(100) {
			s.sort(1000*(i+1), 5e8)
		}
		s.kinds[0].failures = map[string]int{}
		s.answer.Failure = "no"
		s.sort(1, 15e8)
		workers = append(workers, &worker{sorting: s, hist: new(hist.Histogram)})
	}
	all := l.moments(workers, 2)
	if m := all[0]; len(all) != 3 || m.Ops != 200 || m.Bytes != 2000 || m.MeanNS != 50500 || m.P50NS < 49500 || m.P50NS > 50500 || m.P95NS < 94500 || m.P95NS > 95900 {
		t.Errorf("%+v", all[0])
	}
	if m := all[1]; m.Ops != 0 || m.Failed != 2 || m.AtNS != 1e9 || m.P50NS.Known() {
		t.Errorf("%+v", m)
	}
}

// What other processes used is that of the window, and what a variant lacks ends the run
// before it begins.
func TestProcessesAndPreparation(t *testing.T) {
	looks := 0
	v := Variant{Name: "a", Promise: results.Promise{Order: "none", Result: results.Unstated, Survives: "nothing"}, Open: func(Setup) (Instance, error) {
		return Instance{Kinds: []string{"x"}, Request: func(int) Request {
			return func() Answer { time.Sleep(time.Millisecond); return Answer{} }
		}, Processes: func() []results.Process {
			looks++
			return []results.Process{{Name: results.Server, CPUNS: results.Number(looks * looks * 1000), Most: 1}}
		}}, nil
	}}
	e := Experiment{Name: "apart", Unit: "request", ByTime: true, Goroutines: []int{1}, Variants: []Variant{v}}
	config := Config{Trials: 1, Window: 20 * time.Millisecond, Dir: t.TempDir()}
	run, err := Run(context.Background(), config, e)
	if err != nil {
		t.Fatal(err)
	}
	last := looks // two for each window: one more of these where others disturbed the first
	if p := run.Trials[0].Processes; last > 4 || last%2 != 0 || len(p) != 1 || p[0].CPUNS != results.Number(2*last-1)*1000 {
		t.Errorf("%d looks: %+v", looks, p)
	}
	lacking := errors.New("no snake")
	e.Variants[0].Prepare = func(_ context.Context, say func(string)) error { say("looking"); return lacking }
	said := ""
	config.Say = func(text string) { said = text }
	if run, err := Run(context.Background(), config, e); !errors.Is(err, lacking) || run != nil || said != "looking" || looks != last {
		t.Errorf("%v, after %q", err, said)
	}
	e.Variants[0].Besides = 3 * time.Second
	if whole, err := Estimate(config, e); err != nil || whole < 3*time.Second {
		t.Errorf("%v, %v", whole, err)
	}
	for _, wrong := range []Config{{Ops: 5}, {Rates: []string{"5/s"}}} {
		e := e
		e.Variants = []Variant{{Name: "b", Promise: v.Promise, Elsewhere: func(Setup) (results.Trial, error) { return results.Trial{}, nil }}}
		if _, err := Estimate(wrong, e); err == nil {
			t.Errorf("%+v: no error", wrong)
		}
	}
}

// Who watches a run is told the rate of a cell as soon as it has had a trial.
func TestProgressTellsTheRateSoFar(t *testing.T) {
	e := Experiment{Name: "so-far", ByTime: true, Goroutines: []int{1}, Variants: []Variant{{Name: "a",
		Promise: results.Promise{Order: "none", Result: results.Unstated, Survives: "nothing"},
		Open: func(Setup) (Instance, error) {
			return Instance{Kinds: []string{"x"}, Request: func(int) Request {
				return func() Answer { time.Sleep(time.Millisecond); return Answer{} }
			}}, nil
		}}}}
	var rates []results.Number
	config := Config{Trials: 3, Window: 20 * time.Millisecond, Dir: t.TempDir(), Progress: func(p Progress) {
		if !p.Calibrating && p.Done == len(rates) { // or it is measured again
			rates = append(rates, p.OpsPerS)
		}
	}}
	run, err := Run(context.Background(), config, e)
	if err != nil {
		t.Fatal(err)
	}
	one, two := run.Trials[0], run.Trials[1]
	both := results.Number(one.Ops+two.Ops) / results.Number(one.RateNS()+two.RateNS()) * 1e9
	if len(rates) != 3 || rates[0].Known() || rates[1] != results.Number(one.Ops)/results.Number(one.RateNS())*1e9 || rates[2] != both {
		t.Errorf("%v", rates)
	}
}

// Who waits for a slow answer behind the window's end does not make the others idle: the
// rate divides by what each took. What they would have rested counts, though nobody waits
// for it.
func TestSlowAnswerAtTheEndIsItsUsersAlone(t *testing.T) {
	const users, window, rest = 10, 100 * time.Millisecond, 50 * time.Millisecond
	e := Experiment{Name: "slow-end", ByTime: true, Goroutines: []int{users}, Variants: []Variant{{Name: "a",
		Promise: results.Promise{Order: "none", Result: results.Unstated, Survives: "nothing"},
		Open: func(Setup) (Instance, error) {
			return Instance{Kinds: []string{"x"},
				Pause: func(int) func() time.Duration { return func() time.Duration { return rest } },
				Request: func(g int) Request {
					asked := 0
					return func() Answer {
						if asked++; g == 0 && asked == 2 {
							time.Sleep(3 * window)
						}
						return Answer{}
					}
				}}, nil
		}}}}
	run, err := Run(context.Background(), Config{Trials: 1, Window: window, Dir: t.TempDir()}, e)
	if err != nil {
		t.Fatal(err)
	}
	trial := run.Trials[0]
	least := (users*rest + 3*window).Nanoseconds() / users
	if trial.WallNS < 3*window.Nanoseconds() || trial.Cycles != trial.Ops-users || trial.CyclesNS < least || trial.CyclesNS >= trial.WallNS {
		t.Errorf("%d of %d answers in %v of %v", trial.Cycles, trial.Ops, trial.CyclesNS, trial.WallNS)
	}
}
