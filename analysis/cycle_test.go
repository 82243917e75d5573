package analysis_test

import (
	"math"
	"testing"

	"github.com/syncwrite/syncwrite/results"
)

// askedBy is a trial of users that ask a server: the mean answer in ms, and processors that
// are busy, on a machine of four; what asks can use most of them.
func askedBy(variant string, users, block int, perS, answer, server, generator float64, most int) results.Trial {
	t := trial(variant, users, block, perS)
	t.Latency.MeanNS = results.Number(answer * 1e6)
	used := func(name string, processors float64, most int) results.Process {
		return results.Process{Name: name, CPUNS: results.Number(processors * float64(t.WallNS)), Most: most}
	}
	t.Processes = []results.Process{used(results.Server, server, 4), used(results.Generator, generator, most)}
	t.Usage.UserNS, t.Usage.OthersNS, t.Usage.StealNS = 1, t.Processes[0].CPUNS, 0 // nobody else
	return t
}

func fourProcessors(variants ...string) *book {
	b := one(variants...)
	b.run.Envs[0].Machine.Cores, b.run.Envs[0].Machine.GOMAXPROCS = 4, 4
	return b
}

// Cells whose limit is known by how they were made.
func TestCycleNamesWhatLimits(t *testing.T) {
	for _, c := range []struct {
		name                         string
		users                        int
		perS, answer, server, asking float64
		most                         int
		cycle, between               float64 // ms
		bound                        string
	}{
		{"users rest half a second", 50, 100, 5, 0.02, 0.1, 4, 500, 495, results.BoundByUsers},
		{"one user, two processors idle", 1, 1000, 1, 0.5, 0.5, 4, 1, 0, results.BoundByUsers},
		{"one process asks, and has no more to give", 50, 1000, 40, 0.7, 0.98, 1, 50, 10, results.BoundByGenerator},
		{"the server has all that it can use", 50, 5000, 10, 3.7, 0.2, 4, 10, 0, results.BoundByProcessors},
		{"both use all there is", 50, 5000, 9.5, 2, 1.8, 4, 10, 0.5, results.BoundByProcessors},
		{"they wait at a lock", 50, 2000, 25, 1.1, 0.3, 4, 25, 0, results.BoundByWaiting},
		{"two users for four processors: perhaps too few", 2, 1000, 2, 0.5, 0.3, 4, 2, 0, ""},
		{"nobody knows", 50, 2000, 18, 1.1, 0.3, 4, 25, 7, ""},
	} {
		b := fourProcessors("a")
		for block := range 6 {
			b.run.Trials = append(b.run.Trials, askedBy("a", c.users, block+1, c.perS, c.answer, c.server, c.asking, c.most))
		}
		got := b.finding(t).Summaries[0].Cycle
		near := func(x results.Number, want float64) bool { return math.Abs(float64(x)/1e6-want) < 0.01*want+0.02 }
		if got == nil || got.Bound != c.bound || !near(got.WholeNS, c.cycle) || !near(got.BetweenNS, c.between) {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
	b := fourProcessors("a")
	for block := range 6 { // others: 3.5 processors, of which the server is one and a half
		x := askedBy("a", 50, block+1, 2000, 25, 1.5, 0.3, 4)
		x.Usage.UserNS, x.Usage.OthersNS = 1, 3.5*results.Number(x.WallNS)
		b.run.Trials = append(b.run.Trials, x)
	}
	if c := b.finding(t).Summaries[0].Cycle; c == nil || c.Bound != results.BoundByOthers || math.Abs(float64(c.Others)-2) > 0.01 {
		t.Errorf("beside others: %+v", c)
	}
	b = fourProcessors("a")
	for block := range 6 { // and where another program asked, under a master: those are no others
		x := askedBy("a", 50, block+1, 2000, 25, 1, 0.3, 4)
		x.Processes = append(x.Processes, results.Process{Name: results.Master, CPUNS: 0.2 * results.Number(x.WallNS)})
		x.Usage = results.MissingUsage()
		x.Usage.StealNS, x.Usage.OthersNS = 0, 2.5*results.Number(x.WallNS)
		b.run.Trials = append(b.run.Trials, x)
	}
	if c := b.finding(t).Summaries[0].Cycle; c == nil || math.Abs(float64(c.Others)-1) > 0.01 {
		t.Errorf("beside others and a master: %+v", c)
	}
	b = fourProcessors("a")
	for block := range 6 { // others: more than there is
		x := askedBy("a", 50, block+1, 2000, 25, 1.5, 0.3, 4)
		x.Usage.UserNS, x.Usage.OthersNS = 1, 50*results.Number(x.WallNS)
		b.run.Trials = append(b.run.Trials, x)
	}
	if c := b.finding(t).Summaries[0].Cycle; c == nil || c.Bound == results.BoundByOthers || c.Others.Known() {
		t.Errorf("beside more than all processors: %+v", c)
	}
	b = fourProcessors("a")
	for block := range 6 {
		x := askedBy("a", 50, block+1, 1000, 5, 0.2, 0.3, 4)
		x.Failed = 9 * x.Ops // by a timeout: nobody rests
		b.run.Trials = append(b.run.Trials, x)
	}
	if c := b.finding(t).Summaries[0].Cycle; c == nil || c.AnswerNS.Known() || c.BetweenNS.Known() || c.Bound != "" {
		t.Errorf("what failed: %+v", c)
	}
	for name, c := range map[string]struct {
		failedNS int64
		known    bool
	}{
		"by a time-out of 2 s: nobody rests":       {2e9, false},
		"and nobody knows after what time":         {0, false},
		"at once: it is no part of users' time":    {1e6, true},
		"after no longer than it takes to succeed": {5e6, true},
	} {
		b = fourProcessors("a")
		for block := range 6 {
			x := askedBy("a", 50, block+1, 2000, 5, 0.2, 0.3, 4)
			x.Ops, x.Failed, x.FailedNS = 199, 1, c.failedNS
			b.run.Trials = append(b.run.Trials, x)
		}
		got := b.finding(t).Summaries[0].Cycle
		if got == nil || got.AnswerNS.Known() != c.known || got.BetweenNS.Known() != c.known || (got.Bound == results.BoundByUsers) != c.known {
			t.Errorf("one in 200 fails, %s: %+v", name, got)
		}
	}
	for _, users := range []int{1, 50} { // who sends on waits for no answer
		b = fourProcessors("a")
		for block := range 6 {
			x := askedBy("a", users, block+1, 2000, float64(users)/2, 1.1, 0.3, 4)
			x.AcceptedNS = x.WallNS * 95 / 100
			b.run.Trials = append(b.run.Trials, x)
		}
		if c := b.finding(t).Summaries[0].Cycle; c == nil || c.Bound != "" || c.AnswerNS.Known() || c.BetweenNS.Known() {
			t.Errorf("%d who send on: %+v", users, c)
		}
	}
	b = fourProcessors("a")
	for block := range 6 { // the hypervisor has what others could use
		x := askedBy("a", 50, block+1, 2000, 25, 1.1, 0.3, 4)
		x.Usage.StealNS = 2.4 * results.Number(x.WallNS)
		b.run.Trials = append(b.run.Trials, x)
	}
	if c := b.finding(t).Summaries[0].Cycle; c == nil || c.Bound != results.BoundByOthers {
		t.Errorf("a hypervisor that takes what is left: %+v", c)
	}
	b = fourProcessors("a")
	for block := range 6 { // in one trial more than there is was counted of others: nobody knows what they used
		x := askedBy("a", 50, block+1, 2000, 25, 1.1, 0.3, 4)
		if block == 3 {
			x.Usage.OthersNS = 9 * results.Number(x.WallNS)
		}
		b.run.Trials = append(b.run.Trials, x)
	}
	if c := b.finding(t).Summaries[0].Cycle; c == nil || c.Bound != "" || c.Others.Known() {
		t.Errorf("others of whom nobody knows: %+v", c)
	}
	b = fourProcessors("a")
	for block := range 6 { // a queue, of which each user's first answer was short
		x := askedBy("a", 50, block+1, 2000, 20, 0.2, 0.3, 4)
		x.Answering = 1
		b.run.Trials = append(b.run.Trials, x)
	}
	if c := b.finding(t).Summaries[0].Cycle; c == nil || c.BetweenNS > 1 || c.AnswerNS != c.WholeNS || c.Bound != results.BoundByWaiting {
		t.Errorf("a queue that is empty at first: %+v", c)
	}
	for name, c := range map[string]struct {
		cores, quota   int
		server, others float64
		held           []int // the server
		bound          string
	}{
		"others fill the server's processor":                   {4, 0, 0.4, 0.6, []int{3}, ""},
		"others use another one, perhaps":                      {4, 0, 0.4, 0.2, []int{3}, results.BoundByWaiting},
		"this process may use one, and the server another":     {1, 0, 0.5, 0, []int{0, 1}, results.BoundByWaiting},
		"others beyond the quota take nothing from what is in": {4, 2, 0.5, 1.5, nil, results.BoundByWaiting},
	} {
		b = fourProcessors("a")
		b.run.Envs[0].Machine.Cores, b.run.Envs[0].Machine.CPUQuota = c.cores, results.Number(c.quota)
		for block := range 6 {
			x := askedBy("a", 50, block+1, 2000, 25, c.server, 0.4, 4)
			x.Processes[0].Processors = c.held
			x.Usage.UserNS, x.Usage.OthersNS = 1, results.Number((c.others+c.server)*float64(x.WallNS))
			b.run.Trials = append(b.run.Trials, x)
		}
		if got := b.finding(t).Summaries[0].Cycle; got == nil || got.Bound != c.bound {
			t.Errorf("%s: %+v", name, got)
		}
	}
	b = one("a")
	b.cell("a", 8, six(1e5)...)
	if f := b.finding(t); f.Summaries[0].Cycle != nil || f.Verdict.Scaled != nil || f.Summaries[0].Timeline != nil {
		t.Error("a cycle of one process")
	}
}

// Four workers for one, with a server that does a fifth of the work: Amdahl's bound is
// 1 ÷ (0.2 + 0.8 ÷ 4), that of four processors 4 ÷ (0.25 + 1). Fewer users than workers
// cannot occupy them.
func TestSpeedupsStandBesideTheirBounds(t *testing.T) {
	b := fourProcessors("one", "four")
	b.run.Experiments[0].Scales = []results.Scale{{Of: "four", To: "one", Workers: 4}}
	for block := range 6 {
		for _, users := range []int{1, 50} {
			b.run.Trials = append(b.run.Trials, askedBy("one", users, block+1, 1000, 50, 0.25, 1, 1), askedBy("four", users, block+1, 2000+float64(block), 25, 0.5, 2, 4))
		}
	}
	all := b.finding(t).Verdict.Scaled
	if len(all) != 1 {
		t.Fatalf("%d speed-ups, want that of 50 users alone", len(all))
	}
	s := all[0]
	if s.Users != 50 || math.Abs(float64(s.Amdahl)-2.5) > 0.01 || math.Abs(float64(s.Machine)-3.2) > 0.01 || math.Abs(float64(s.Ratio.Median)-2) > 0.01 || !s.Ratio.Bounded() {
		t.Errorf("%+v", s)
	}
}

// What went on by the second is a median over trials. The last stretch is none: the window
// ends in it, and what was still under way is counted there.
func TestTimelineIsOfWholeSeconds(t *testing.T) {
	b := one("a")
	for block := range 3 {
		x := trial("a", 2, block+1, 1e5)
		x.WallNS = 2.75e9
		for i, ops := range []int{100, 200 + block, 0, 75} {
			x.Moments = append(x.Moments, results.Moment{AtNS: int64(i) * 1e9, Users: 2, Ops: ops, Bytes: 10, MeanNS: 1, P50NS: 5, P95NS: results.Missing()})
		}
		b.run.Trials = append(b.run.Trials, x)
	}
	ticks := b.finding(t).Summaries[0].Timeline
	if len(ticks) != 3 || ticks[0].OpsPerS != 100 || ticks[1].OpsPerS != 201 || ticks[2].OpsPerS != 0 || ticks[1].AtNS != 1e9 || ticks[0].P50NS != 5 || ticks[0].P95NS.Known() || ticks[0].Users != 2 {
		t.Errorf("%+v", ticks)
	}
}

// A list that stays as it is does not seem to grow where few requests are of another mix.
func TestSizesOfTheSameListDoNotDiffer(t *testing.T) {
	for _, c := range []struct {
		ops         int
		first, last int64 // bytes an answer
		grows       bool
	}{{88, 14_700, 16_600, false}, {5000, 15_000, 15_300, false}, {5000, 14_700, 16_600, true}, {88, 1000, 20_000, true}} {
		b := fourProcessors("a")
		for block := range 6 {
			x := askedBy("a", 2, block+1, 1000, 1, 0.1, 0.1, 4)
			for i, bytes := range []int64{c.first, c.last, 0} {
				x.Moments = append(x.Moments, results.Moment{AtNS: int64(i) * 1e9, Users: 2, Ops: c.ops, Bytes: bytes * int64(c.ops)})
			}
			b.run.Trials = append(b.run.Trials, x)
		}
		got := b.finding(t).Summaries[0].Cycle
		if grows := got.FirstBytes != got.LastBytes; grows != c.grows || grows && float64(got.LastBytes) != float64(c.last) {
			t.Errorf("%+v: from %v to %v", c, got.FirstBytes, got.LastBytes)
		}
	}
}
