package analysis_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/analysis"
	"github.com/syncwrite/syncwrite/hist"
	"github.com/syncwrite/syncwrite/internal/racing"
	"github.com/syncwrite/syncwrite/results"
)

// took is a latency of operations that all took so long.
func took(ns int64) results.Latency {
	h := new(hist.Histogram)
	for range 2000 {
		h.Record(ns)
	}
	return results.NewLatency(h, results.Each)
}

// due is a trial of the open loop: of the rate so much was done, the response took so
// long, and so long of that the generator was late.
func due(t results.Trial, level string, rate, done float64, response, late int64) results.Trial {
	const seconds = 2.0
	t.Factors = map[string]string{results.RateFactor: level}
	n := int(rate * seconds)
	t.Ops, t.WallNS = n, int64(float64(n)/done*1e9)
	t.Latency = took(response)
	t.Open = &results.Open{Due: n, WindowNS: 2e9, LastNS: int64(float64(n-1) / rate * 1e9), BegunNS: t.WallNS, EndNS: t.WallNS, Ended: int(done * 2), EarlyNS: 1000, Serve: took(1000), Lag: took(response), Late: took(late)}
	return t
}

// openBook has six trials of each variant at 1k, 10k and 100k.
func openBook(make func(variant, level string, rate float64, t results.Trial) results.Trial) *book {
	b := one("slow", "fast")
	levels := []struct {
		name string
		rate float64
	}{{"100k", 1e5}, {"1k", 1e3}, {"10k", 1e4}}
	for _, name := range []string{"fast", "slow"} {
		for _, level := range levels {
			for block := range 6 {
				b.run.Trials = append(b.run.Trials, make(name, level.name, level.rate, trial(name, 64, block+1, 1)))
			}
		}
	}
	return b
}

func TestVerdictOfTheOpenLoop(t *testing.T) {
	b := openBook(func(variant, level string, rate float64, t results.Trial) results.Trial {
		switch {
		case variant == "slow" && rate == 1e5:
			return due(t, level, rate, 4e4, 900e6, 20e3)
		case variant == "slow" && rate == 1e4 && t.Block > 4:
			return due(t, level, rate, 8e3, 300e6, 20e3)
		case variant == "fast" && rate == 1e5:
			return due(t, level, rate, rate, 5e6, 4e6)
		}
		return due(t, level, rate, rate, 2e6, 20e3)
	})
	v := b.finding(t).Verdict
	want := "In the open loop: slow keeps up with 1k/s (p99 2.00 ms), falls behind at 100k/s (40.0k/s done), may fall behind at 10k/s (in 2 of 6 trials); " +
		"fast keeps up with 1k/s (p99 2.00 ms) and 10k/s (p99 2.00 ms), is not judged at 100k/s, where the generator itself was late."
	if got := v.Sentence; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if v.Scaling != "" || v.Advice != "" {
		t.Errorf("%q %q", v.Scaling, v.Advice)
	}
}

// A generator that is late by less than a tenth of the response is not at fault, and
// neither is one that is late by less than a millisecond.
func TestTheGeneratorsOwnFault(t *testing.T) {
	for _, c := range []struct {
		response, late int64
		saturated      bool
	}{{20e6, 1500e3, false}, {10e6, 1500e3, true}, {500e3, 400e3, false}} {
		b := openBook(func(_, level string, rate float64, t results.Trial) results.Trial {
			return due(t, level, rate, rate, c.response, c.late)
		})
		s := b.finding(t).Summaries[0]
		if s.Open.Saturated != c.saturated || warned(s, results.WarnSaturated) != c.saturated {
			t.Errorf("%+v: %+v", c, s.Open)
		}
	}
}

// Where so few were answered that p99 of the response is not known, lateness and response are
// held against each other at a quantile that is known of both.
func TestTheGeneratorIsNotBlamedForTooFewAnswers(t *testing.T) {
	for _, c := range []struct {
		answered       int // a trial
		response, late int64
		saturated      bool
	}{{100, 725e6, 2e6, false}, {100, 10e6, 2e6, true}, {1, 725e6, 2e6, false}, {1, 10e6, 2e6, true}} {
		b := openBook(func(_, level string, rate float64, t results.Trial) results.Trial {
			t = due(t, level, rate, rate, c.response, c.late)
			h := new(hist.Histogram)
			h.RecordN(c.response, uint64(c.answered))
			t.Ops, t.Latency = c.answered, results.NewLatency(h, results.Each)
			return t
		})
		s := b.finding(t).Summaries[0]
		if s.P99NS.Known() || !s.Open.LateNS.Known() || s.Open.Saturated != c.saturated {
			t.Errorf("%+v: p99 %v, %+v", c, s.P99NS, s.Open)
		}
	}
}

// The rate of an open loop is what was asked for: that two runs have the same says
// nothing, and passes no threshold.
func TestRatesOfTheOpenLoopAreNotCompared(t *testing.T) {
	run := func(response int64) *results.Run {
		b := openBook(func(_, level string, rate float64, t results.Trial) results.Trial {
			return due(t, level, rate, rate, response, 0)
		})
		return &b.run
	}
	c := analysis.Compare(run(1e6), run(50e6))
	for _, change := range c.Changes {
		if change.Call != results.CannotTell || !strings.Contains(change.Doubt, "open loop") {
			t.Errorf("%+v", change)
		}
	}
	for _, g := range analysis.GateChanges(c, 0.5) {
		if g.Status == results.GatePassed {
			t.Errorf("%+v", g)
		}
	}
}

// evenly are moments at an even rate, in ns.
func evenly(rate, seconds float64) (due []int64) {
	for at := 0.5 / rate; at+0.5/rate <= seconds; at += 1 / rate {
		due = append(due, int64(at*1e9))
	}
	return due
}

// inTurn is a trial of the open loop of what does one operation after another, each for so many ns.
func inTurn(t results.Trial, level string, due []int64, seconds float64, each func() int64) results.Trial {
	t.Factors = map[string]string{results.RateFactor: level}
	response, o := new(hist.Histogram), &results.Open{WindowNS: int64(seconds * 1e9)}
	free, early, quarter := int64(0), int64(0), 0
	for _, moment := range due {
		free = max(free, moment) + each()
		response.Record(free - moment)
		if free <= o.WindowNS {
			o.Ended++
		}
		if moment < o.WindowNS/4 {
			early, quarter = early+free-moment, quarter+1
		}
	}
	o.Due, o.LastNS, o.BegunNS, o.EndNS = len(due), due[len(due)-1], due[len(due)-1], free
	o.EarlyNS, o.Serve, o.Lag, o.Late = results.Number(early)/results.Number(quarter), results.NewLatency(response, results.Each), took(1000), took(1000)
	o.CountUsual(due)
	t.Ops, t.WallNS, t.Latency, t.Open = o.Due, max(free, o.WindowNS), o.Serve, o
	return t
}

// Nothing is said to fall behind by the queue that chance makes of a rate that it can do; what
// cannot do it by far is.
func TestFellBehindByChance(t *testing.T) {
	racing.Simulation(t)
	random := rand.New(rand.NewPCG(1, 2))
	const rate, verdicts = 100.0, 300
	for _, drawn := range []bool{true, false} {
		for _, due := range []float64{22, 100, 333} {
			for _, load := range []float64{0.8, 0.95, 3} {
				behind := 0
				for range verdicts {
					b := one("a")
					for block := range 6 {
						moments, level := evenly(rate, due/rate), "100"
						if drawn {
							moments, level = nil, "poisson:100"
							for at := random.ExpFloat64() / rate; at < due/rate; at += random.ExpFloat64() / rate {
								moments = append(moments, int64(at*1e9))
							}
						}
						b.run.Trials = append(b.run.Trials, inTurn(trial("a", 64, block+1, 1), level, moments, due/rate, func() int64 { return int64(load / rate * 1e9 * random.ExpFloat64()) }))
					}
					if b.finding(t).Summaries[0].Open.Behind {
						behind++
					}
				}
				if load < 1 && behind > verdicts*2/100 || load > 1 && due > 300 && behind < verdicts*95/100 {
					t.Errorf("drawn %v, %v due, %v of what can be done: falls behind %d times of %d", drawn, due, load, behind, verdicts)
				}
			}
		}
	}
}

// What can do less than is due keeps up in nobody's words, also where so few are due that one
// trial cannot tell, and is never done more often than it can be; what can do more does.
func TestVerdictOfWhatCanDoLess(t *testing.T) {
	for _, seconds := range []float64{1.67, 3.33, 10} {
		for _, rate := range []float64{10, 20, 30, 40, 60, 200} {
			for _, load := range []float64{0.5, 0.7, 0.9, 1.11, 1.25, 1.5, 3} {
				b := one("a")
				can := rate / load
				for block := range 6 {
					b.run.Trials = append(b.run.Trials, inTurn(trial("a", 64, block+1, 1), "r", evenly(rate, seconds), seconds, func() int64 { return int64(1e9 / can) }))
				}
				f := b.finding(t)
				text, done := f.Verdict.Sentence, float64(f.Summaries[0].Open.DonePerS)
				if keeps := strings.Contains(text, "keeps up"); keeps && load > 1 || strings.Contains(text, "behind") && load < 1 {
					t.Errorf("%v/s due for %vs of what can do %.3g/s: %s", rate, seconds, can, text)
				}
				if strings.Contains(text, "not judged") && seconds > 3 && load < 1 {
					t.Errorf("%v/s due for %vs of what can do %.3g/s is not judged", rate, seconds, can)
				}
				if most := min(rate, can); done > 1.03*most+1/seconds/2 {
					t.Errorf("%v/s due for %vs of what can do %.3g/s: %.3g/s done", rate, seconds, can, done)
				}
			}
		}
	}
}

// What the generator's own lateness makes of a figure fails no threshold, at whichever
// percentile, nor does it on average: one operation in a hundred was handed over 25 ms late.
func TestLatenessFailsNoThreshold(t *testing.T) {
	latency := func(often, seldom int64) results.Latency {
		h := new(hist.Histogram)
		h.RecordN(often, 19_860)
		h.RecordN(seldom, 140)
		return results.NewLatency(h, results.Each)
	}
	b := one("a")
	for block := range 6 {
		one := due(trial("a", 64, block+1, 1), "1k", 1e3, 1e3, 0, 0)
		one.Ops, one.Open.Due, one.Open.Ended, one.WallNS = 20_000, 20_000, 20_000, 20e9
		one.Open.WindowNS, one.Open.LastNS, one.Open.BegunNS = 20e9, 20e9, 20e9
		one.Latency, one.Open.Late, one.Open.Serve = latency(150e3, 25.1e6), latency(50e3, 25e6), latency(100e3, 100e3)
		b.run.Trials = append(b.run.Trials, one)
	}
	report := analysis.Analyze(&b.run)
	for text, want := range map[string]string{
		"p99.9<5ms": results.GateUnseen, "p99.9<50us": results.GateFailed, "p99<5ms": results.GatePassed,
		"mean<200us": results.GateUnseen, "mean<90us": results.GateFailed, "mean<400us": results.GatePassed,
	} {
		if g := judge(t, text, report); g.Status != want {
			t.Errorf("%s is %s: %s", text, g.Status, g.Text)
		}
	}
}

// Latencies that end where an operation is handed over are said to, beside the rates and in a
// threshold.
func TestHandedOverIsNotDone(t *testing.T) {
	for _, handed := range []bool{false, true} {
		b := one("a")
		for block := range 6 {
			one := due(trial("a", 64, block+1, 1), "1k", 1e3, 1e3, 2e6, 20e3)
			one.AcceptedNS, one.Open.FinishNS = one.WallNS-1e4, 1e4 // to look that all is done
			if handed {
				one.AcceptedNS, one.Open.FinishNS = one.WallNS-40e6, 40e6
			}
			b.run.Trials = append(b.run.Trials, one)
		}
		report := analysis.Analyze(&b.run)
		gate, details := judge(t, "p99<5ms", report), strings.Join(report.Findings[0].Verdict.Details, " ")
		if strings.Contains(gate.Text, "handed over") != handed || gate.Status != results.GatePassed || strings.Contains(details, "a hands operations over") != handed {
			t.Errorf("handed over %v: %s: %s; %s", handed, gate.Status, gate.Text, details)
		}
	}
}

// Where a backlog grows, a response is as long as the window makes it: nothing that is short
// enough in one is said to hold there. What is too long already does not.
func TestThresholdOfABacklog(t *testing.T) {
	b := one("a")
	for block := range 6 {
		b.run.Trials = append(b.run.Trials, inTurn(trial("a", 64, block+1, 1), "220", evenly(220, 4), 4, func() int64 { return 5e6 }))
	}
	report := analysis.Analyze(&b.run)
	for text, want := range map[string]string{"p90<2s": results.GateUnseen, "mean<2s": results.GateUnseen, "p90<100ms": results.GateFailed, "p50>10ms": results.GatePassed} {
		if g := judge(t, text, report); g.Status != want {
			t.Errorf("%s is %s: %s", text, g.Status, g.Text)
		}
	}
}

// Of many trials a few can have stalled that the interval of the median leaves out: what then
// does not hold of all that was asked together does not pass.
func TestThresholdOfAFewStalls(t *testing.T) {
	for mode, wants := range map[string]map[string]string{
		results.Each:    {"p99<50ms": results.GateUnseen, "mean<5ms": results.GateUnseen, "p90<50ms": results.GatePassed, "p50>2ms": results.GatePassed, "p50<2ms": results.GateFailed},
		results.Sampled: {"mean<5ms": results.GateUnseen, "mean<1s": results.GatePassed}, // which is exact there, too
	} {
		b := one("a")
		for block := range 12 {
			one := trial("a", 64, block+1, 1)
			h := new(hist.Histogram)
			h.RecordN(3e6, 1200)
			if block%6 == 0 {
				h.RecordN(300e6, 200)
			}
			one.Ops, one.WallNS, one.Latency = int(h.Count()), 2e9, results.NewLatency(h, mode)
			one.Latency.MeanNS = results.Number(h.Mean())
			b.run.Trials = append(b.run.Trials, one)
		}
		report := analysis.Analyze(&b.run)
		for text, want := range wants {
			if g := judge(t, text, report); g.Status != want {
				t.Errorf("%s: %s is %s: %s", mode, text, g.Status, g.Text)
			}
		}
	}
}

// So it is where operations of a few trials failed: these are longer than any bound.
func TestThresholdOfAFewTrialsThatFailed(t *testing.T) {
	for _, trials := range []int{9, 12, 24} {
		b := one("a")
		for block := range trials {
			one := trial("a", 64, block+1, 1)
			h := new(hist.Histogram)
			h.RecordN(3e6, 1400)
			if one.Failed = 0; block%6 == 0 {
				one.Failed = 600
			}
			one.Ops, one.WallNS, one.Latency = int(h.Count()), 2e9, results.NewLatency(h, results.Each)
			b.run.Trials = append(b.run.Trials, one)
		}
		report := analysis.Analyze(&b.run)
		for text, want := range map[string]string{"p99<50ms": results.GateUnseen, "p99>50ms": results.GateUnseen, "p50<50ms": results.GatePassed} {
			if g := judge(t, text, report); g.Status != want {
				t.Errorf("%d trials: %s is %s: %s", trials, text, g.Status, g.Text)
			}
		}
	}
}

// Nor does a rate hold that all of them together did not have.
func TestThresholdOfARateOfAFewStalls(t *testing.T) {
	b := one("a")
	for block := range 30 {
		one := trial("a", 64, block+1, 1)
		one.Ops, one.WallNS = 1800+block, 1e9
		if block%5 == 0 {
			one.Ops = 500
		}
		b.run.Trials = append(b.run.Trials, one)
	}
	report := analysis.Analyze(&b.run)
	for text, want := range map[string]string{"rate>1700/s": results.GateUnseen, "rate>1200/s": results.GatePassed, "rate>2000/s": results.GateFailed, "rate<1700/s": results.GateUnseen} {
		if g := judge(t, text, report); g.Status != want {
			t.Errorf("%s is %s: %s", text, g.Status, g.Text)
		}
	}
}

// What tells whether a trial kept up, with its rate.
func TestKeptUp(t *testing.T) {
	open := func(due int, unsent int, begun float64, service int64) *results.Open {
		return &results.Open{Due: due, Unsent: unsent, WindowNS: 1e9, LastNS: 0.99e9, BegunNS: int64(begun * 1e9),
			EndNS: int64(begun*1e9) + service, Ended: due - unsent - int(float64(service)/1e9*float64(due)), EarlyNS: results.Number(service), Serve: took(service)}
	}
	inside := func(ended int, early, service int64) *results.Open {
		o := open(100, 0, 0.99, service)
		o.Ended, o.EarlyNS = ended, results.Number(early)
		return o
	}
	for _, c := range []struct {
		name         string
		open         *results.Open
		kept, judged bool
	}{
		{"all begun in time", open(100, 0, 0.99, 1e6), true, true},
		{"one that takes 100 ms, begun in time", open(100, 0, 0.99, 100e6), true, true},
		{"begun in time, but what takes 300 ms tells nothing in a second", open(100, 0, 0.99, 300e6), true, false},
		{"what takes 300 ms, begun late", open(100, 0, 1.5, 300e6), false, true},
		{"4 % behind", open(100, 0, 1.03, 1e6), true, true},
		{"6 % behind", open(100, 0, 1.05, 1e6), false, true},
		{"one was not sent", open(100, 1, 0.99, 1e6), false, true},
		{"what waits inside grows", inside(80, 10e6, 100e6), false, true},
		{"a slow first one hides nothing of it", inside(80, 200e6, 50e6), false, true},
		{"as many under way as always", inside(80, 200e6, 200e6), true, true},
		{"one was due", open(1, 0, 0.5, 1e6), true, false},
	} {
		if kept, judged := c.open.KeptUp(); kept != c.kept && judged || judged != c.judged {
			t.Errorf("%s: kept up %v, judged %v", c.name, kept, judged)
		}
	}
	if o := open(100, 0, 0.99, 1e6); o.DuePerS() != 100 || o.DonePerS(100) != 100 {
		t.Errorf("%v a second due, %v done", o.DuePerS(), o.DonePerS(100))
	}
}

// Rates of the closed loop and of the open one, put into one report, are not set against
// each other, and no threshold is held to the open ones.
func TestOpenBesideClosed(t *testing.T) {
	b := openBook(func(_, level string, rate float64, t results.Trial) results.Trial {
		return due(t, level, rate, rate, 2e6, 20e3)
	})
	b.cell("slow", 64, six(1e6)...)
	b.cell("fast", 64, six(2e6)...)
	f := b.finding(t)
	if text := f.Verdict.Sentence; !strings.Contains(text, "fast, 2.00M") || !strings.Contains(text, "2.00× slow") || strings.Contains(text, "rate") {
		t.Error(text)
	}
	if all := strings.Join(f.Verdict.Details, "\n"); strings.Count(all, "keeps up with 1k/s") != 2 || strings.Contains(all, "with rate=") {
		t.Error(all)
	}
	for _, s := range f.Summaries {
		if s.Open != nil && s.PercentSerial.Median.Known() {
			t.Errorf("%+v", s.PercentSerial)
		}
	}
}

// Losses stand beside the rate that was kept up with.
func TestLossesOfTheOpenLoop(t *testing.T) {
	b := openBook(func(_, level string, rate float64, t results.Trial) results.Trial {
		lost := int(rate)
		t = due(t, level, rate, rate, 2e6, 20e3)
		t.Lost = &lost
		return t
	})
	if text := b.finding(t).Verdict.Sentence; !strings.Contains(text, "1k/s (p99 2.00 ms, 50.0 % of it lost)") {
		t.Error(text)
	}
}

// A rate at which a part of what was asked fails is none that is kept up with.
func TestRateThatFails(t *testing.T) {
	b := openBook(func(variant, level string, rate float64, t results.Trial) results.Trial {
		x := due(t, level, rate, rate, 2e6, 20e3)
		x.Kinds = []results.Kind{{Name: "GET /", Ops: x.Ops}}
		if variant == "slow" && rate == 1e4 {
			x.Failed = x.Ops
		}
		return x
	})
	if got := b.finding(t).Verdict.Sentence; !strings.Contains(got, "slow keeps up with 1k/s (p99 2.00 ms) and 100k/s (p99 2.00 ms), fails at 10k/s (50.0 % of all)") {
		t.Error(got)
	}
}

// What asks a service and uses the processors that it may blames no service: that is not
// judged where it falls behind, fails no threshold, and is a doubt in the closed loop.
// Whoever keeps up all the same does; and what one operates in its own process is its own.
func TestSpentGeneratorBlamesNoService(t *testing.T) {
	for name, c := range map[string]struct {
		cpu                float64 // of the two processors
		kinds, open, keeps bool
		warned             bool
		verdict, gate      string
	}{
		"behind, spent":      {1.9, true, true, false, true, "is not judged at 1k/s, where the generator had no processors left", results.GateUnseen},
		"behind, not spent":  {1.7, true, true, false, false, "falls behind at 1k/s", results.GateFailed},
		"keeps up, spent":    {1.9, true, true, true, true, "keeps up with 1k/s", results.GateUnseen},
		"its own processors": {1.9, false, true, false, false, "falls behind at 1k/s", results.GateFailed},
		"closed, spent":      {1.9, true, false, true, true, "", results.GateUnseen},
		"closed, not spent":  {1.7, true, false, true, false, "", results.GateFailed},
	} {
		b := one("a")
		b.run.Envs[0].Machine.Cores, b.run.Envs[0].Machine.GOMAXPROCS = 2, 2
		for block := range 6 {
			one := trial("a", 64, block+1, 1)
			switch {
			case c.open && c.keeps:
				one = due(one, "1k", 1e3, 1e3, 80e6, 20e3)
			case c.open:
				one = due(one, "1k", 1e3, 400, 80e6, 20e3)
			default:
				one.Ops, one.WallNS, one.Latency = 2000, 2e9, took(80e6)
			}
			if c.kinds {
				one.Kinds = []results.Kind{{Name: "GET /", Ops: one.Ops, Latency: took(80e6)}}
			}
			one.Usage.UserNS, one.Usage.SystemNS = results.Number(c.cpu*float64(one.WallNS)), 0
			b.run.Trials = append(b.run.Trials, one)
		}
		f := b.finding(t)
		if got := warned(f.Summaries[0], results.WarnSpent); got != c.warned {
			t.Errorf("%s: warned %v, %+v", name, got, f.Summaries[0].Warnings)
		}
		if !strings.Contains(f.Verdict.Sentence, c.verdict) {
			t.Errorf("%s: %s", name, f.Verdict.Sentence)
		}
		if !c.open { // nor does it hide a service that became slower
			change := analysis.Compare(&b.run, &b.run).Changes[0]
			if doubted := strings.Contains(change.Doubt, "what asked used the processors"); doubted != c.warned {
				t.Errorf("%s: compared: %q", name, change.Doubt)
			}
		}
		threshold, _ := analysis.ParseThreshold("p50<50ms")
		for _, g := range analysis.GateThreshold(analysis.Analyze(&b.run), threshold) {
			if g.Status != c.gate {
				t.Errorf("%s: %s: %s", name, g.Status, g.Text)
			}
		}
	}
}

// The rate of an open loop is one everywhere: what was done a second, not what the slowest
// answer makes of it.
func TestRateOfTheOpenLoopIsWhatWasDone(t *testing.T) {
	b := one("a")
	for block := range 6 {
		x := due(trial("a", 64, block+1, 1), "1k", 1e3, 1e3, 2e6, 20e3)
		x.WallNS, x.Open.EndNS, x.Open.Ended = 9e9, 9e9, x.Ops-1 // the last one takes 7 s
		b.run.Trials = append(b.run.Trials, x)
	}
	s := b.finding(t).Summaries[0]
	x := b.run.Trials[0]
	if s.OpsPerS.Median != s.Open.DonePerS || s.OpsPerS.Median < 999 || x.RateNS() < 1.999e9 || x.RateNS() > 2.003e9 {
		t.Errorf("%v/s, %v/s done, in %d ns", s.OpsPerS.Median, s.Open.DonePerS, x.RateNS())
	}
}

// A few slow ones at the end make the rate no lower, and a failed one is not done.
func TestRateDoneOfAFewSlowOnes(t *testing.T) {
	for name, c := range map[string]struct {
		of   results.Open
		ops  int
		want float64
	}{
		"3 of 1000 end late": {results.Open{Due: 1000, WindowNS: 2e9, EndNS: 4.8e9, Ended: 997, EarlyNS: 2e6, Serve: took(2e6)}, 1000, 499},
		"behind":             {results.Open{Due: 1000, WindowNS: 2e9, EndNS: 5e9, Ended: 400, EarlyNS: 2e6, Serve: took(2e6)}, 1000, 200.08},
		"each takes long":    {results.Open{Due: 1000, WindowNS: 2e9, EndNS: 3e9, Ended: 500, EarlyNS: 1e9, Serve: took(1e9)}, 1000, 500},
		"half of them fail":  {results.Open{Due: 1000, WindowNS: 2e9, EndNS: 2e9, Ended: 1000, EarlyNS: 2e6, Serve: took(2e6)}, 500, 250},
		"half never sent":    {results.Open{Due: 1000, Unsent: 500, WindowNS: 2e9, EndNS: 2e9, Ended: 500, EarlyNS: 2e6, Serve: took(2e6)}, 500, 250},
	} {
		if got := float64(c.of.DonePerS(c.ops)); got < c.want*0.999 || got > c.want*1.001 {
			t.Errorf("%s: %g, want %g", name, got, c.want)
		}
	}
}
