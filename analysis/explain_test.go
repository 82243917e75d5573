package analysis

import (
	"slices"
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/results"
)

// What a traced window tells of its cell: shares where tracing left the rate alone and all
// time is accounted for, and what is known otherwise.
func TestExplain(t *testing.T) {
	locked := []results.BreakdownPart{
		{Kind: "waiting for a lock", NS: 700, Places: []results.BreakdownPlace{
			{Where: "file.go:88", Call: "sync.(*Mutex).Lock", NS: 700, Woken: "file.go:90", Doing: "in a system call, in os.(*File).Write at file.go:89"}}},
		{Kind: "in a system call", NS: 280, Places: []results.BreakdownPlace{{Where: "file.go:89", Call: "os.(*File).Write", NS: 200}}},
		{Kind: "on a processor", NS: 20},
	}
	twoLocks := []results.BreakdownPart{
		{Kind: "waiting for a lock", NS: 800, Places: []results.BreakdownPlace{{Where: "a.go:1", Call: "sync.(*Mutex).Lock", NS: 450}, {Where: "a.go:2", Call: "sync.(*Mutex).Lock", NS: 350}}},
		{Kind: "asleep", NS: 200},
	}
	hole := append([]results.BreakdownPart{{Kind: "unexplained", NS: 30}}, locked[1:]...)
	for _, c := range []struct {
		name   string
		rate   float64
		parts  []results.BreakdownPart
		reason string
		want   string
		never  string
	}{
		{"sound", 1000, locked, "", "70 % waiting for a lock, in sync.(*Mutex).Lock at file.go:88, which ended at file.go:90; who ended it was mostly in a system call, in os.(*File).Write at file.go:89; " +
			"28 % in a system call, in os.(*File).Write at file.go:89 (71 % of that). Serialised: of the 4 goroutines 1.2 at a time did anything but wait, there or for a processor, and 1 of them got 1.00× as much done.", "perturbed"},
		{"several at a time", 1000, []results.BreakdownPart{{Kind: "waiting for a lock", NS: 600, Places: locked[0].Places[:0:0]}, {Kind: "asleep", NS: 400}}, "", "no single line of which", "Serialised"},
		{"two at a time", 1000, []results.BreakdownPart{{Kind: "waiting for a lock", NS: 600, Places: []results.BreakdownPlace{{Where: "a.go:1", NS: 600}}}, {Kind: "asleep", NS: 400}}, "", "one lock is taken there or several is not told", "Serialised"},
		{"two locks", 1000, twoLocks, "", "no single line of which", "at that line"},
		{"crowded", 1000, []results.BreakdownPart{{Kind: "waiting for a processor", NS: 760}, {Kind: "on a processor", NS: 240}}, "", "whether those on one do work, or spin", "limited"},
		{"slowed", 899, locked, "", "perturbed: tracing changed it, to 0.90× the rate of its trials", "70 %"},
		{"sped up", 1101, locked, "", "perturbed", "70 %"},
		{"within", 901, locked, "", "70 %", "perturbed"},
		{"a hole", 1000, hole, "", "not accounted for: of 70 % of the time nobody knows where it went. Of all of it: 28 % in a system call", "3 % unexplained"},
		{"none", 1000, nil, "panic: oops", "not looked into: panic: oops.", "%"},
		{"empty", 1000, nil, "", "not looked into", "%"},
	} {
		run := &results.Run{Experiments: []results.Experiment{{Name: "e"}}, Envs: []results.Env{{Machine: results.Machine{Cores: 2, GOMAXPROCS: 2}}}}
		for range 3 {
			run.Trials = append(run.Trials, results.Trial{Experiment: "e", Variant: "v", Goroutines: 4, Ops: 1000, WallNS: 1e9},
				results.Trial{Experiment: "e", Variant: "v", Goroutines: 1, Ops: 1000, WallNS: 1e9})
		}
		run.Breakdowns = []results.Breakdown{{Experiment: "e", Variant: "v", Goroutines: 4, TimeNS: 1000, WindowNS: 250, OpsPerS: results.Number(c.rate), Parts: c.parts, Reason: c.reason}}
		all := explained(run, results.Finding{Experiment: run.Experiments[0], Trials: run.Trials})
		if len(all) != 1 || !strings.Contains(all[0].Text, c.want) || strings.Contains(all[0].Text, c.never) {
			t.Errorf("%s: %+v\nwant %s", c.name, all, c.want)
		}
	}
}

// A window without trials has nothing to be held to.
func TestExplainWithoutTrials(t *testing.T) {
	run := &results.Run{Breakdowns: []results.Breakdown{{Experiment: "e", Variant: "v", Goroutines: 1, TimeNS: 9, OpsPerS: 5, Parts: []results.BreakdownPart{{Kind: "asleep", NS: 9}}}}}
	all := explained(run, results.Finding{Experiment: results.Experiment{Name: "e"}})
	if len(all) != 1 || !strings.Contains(all[0].Text, "nobody knows how much") || strings.Contains(all[0].Text, "%") {
		t.Errorf("%+v", all)
	}
}

// The counters of the trials and the trace have to tell the same.
func TestDisagreement(t *testing.T) {
	parts := []results.BreakdownPart{{Kind: results.TimeLock, NS: 600}, {Kind: results.TimeRunnable, NS: 300}, {Kind: results.TimeRunning, NS: 100}}
	ofFile := []results.BreakdownPart{{Kind: results.TimeLock, NS: 600, Places: []results.BreakdownPlace{{Where: "a.go:1", Call: results.FileLock, NS: 600}}}, {Kind: results.TimeRunnable, NS: 300}, {Kind: results.TimeRunning, NS: 100}}
	for _, c := range []struct {
		name              string
		parts             []results.BreakdownPart
		lock, sched, used results.Number
		besides           int
		want              string
	}{
		{"alike", parts, .62, .28, .12, 0, ""},
		{"locks", parts, .54, .30, .10, 0, "the counters of its trials have 54 % waiting for a lock, the trace 60 %"},
		{"processors", parts, .56, .36, .05, 0, "have 36 % waiting for a processor"},
		{"used", parts, .56, .26, .16, 0, "used processors for 16 % of the time, the trace has 10 %"},
		{"others run, too", parts, .10, .10, .90, 2, ""},
		{"the counter lacks locks of files", ofFile, 0, .30, .10, 0, ""},
		{"not counted", parts, results.Missing(), results.Missing(), .10, 0, ""},
	} {
		var trials []results.Trial
		for range 3 {
			u := results.MissingUsage()
			u.MutexWaitNS, u.SchedWaitNS, u.UserNS, u.SystemNS, u.GCCPUNS = c.lock*1000, c.sched*1000, c.used*1000, 0, 0
			trials = append(trials, results.Trial{Experiment: "e", Variant: "v", Goroutines: 4, Ops: 1000, WallNS: 250, GoroutineNS: 1000, Usage: u, Besides: c.besides})
		}
		e := results.Explanation{Breakdown: results.Breakdown{Goroutines: 4, TimeNS: 1000, Parts: c.parts}}
		if got := disagreement(e, trials); got != c.want && (c.want == "" || !strings.Contains(got, c.want)) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// Where tracing changed a cell, profiles speak: of shares where they changed it less, and with
// what is left.
func TestProfilesSpeak(t *testing.T) {
	run := &results.Run{Experiments: []results.Experiment{{Name: "e"}}}
	for range 3 {
		run.Trials = append(run.Trials, results.Trial{Experiment: "e", Variant: "v", Goroutines: 4, Ops: 1000, WallNS: 1e9})
	}
	cell := func(source string, rate results.Number, parts ...results.BreakdownPart) results.Breakdown {
		return results.Breakdown{Experiment: "e", Variant: "v", Goroutines: 4, Source: source, TimeNS: 1000, WindowNS: 250, OpsPerS: rate, Parts: parts}
	}
	lock := results.BreakdownPart{Kind: results.TimeLock, NS: 1000, Places: []results.BreakdownPlace{{Where: "a.go:88", NS: 1000, Woken: "a.go:90"}}}
	spin, rest := results.BreakdownPart{Kind: results.TimeRunning, NS: 900}, results.BreakdownPart{Kind: results.TimeUnknown, NS: 100}
	for name, c := range map[string]struct {
		second results.Breakdown
		want   string
	}{
		"sound":     {cell(results.SourceProfiles, 1000, spin, rest), "Tracing changed it, to 0.50× the rate of its trials; by profiles: not accounted for: of 10 % of the time nobody knows where it went. Of all of it: 90 % on a processor."},
		"held up":   {cell(results.SourceProfiles, 1000, lock), "by profiles: 100 % waiting for a lock, at a.go:88, held up mostly by who unlocks at a.go:90."},
		"flushed":   {cell(results.SourceProfiles, 1000, results.BreakdownPart{Kind: results.TimeFlush, NS: 100}, results.BreakdownPart{Kind: results.TimeUnknown, NS: 900}), "Of all of it: at least 10 % flushing to the disk."},
		"too":       {cell(results.SourceProfiles, 1200, spin, rest), "by profiles: perturbed: profiling changed it, to 1.20× the rate"},
		"not taken": {results.Breakdown{Experiment: "e", Variant: "v", Goroutines: 4, Source: results.SourceProfiles, Reason: "oops"}, "; by profiles: not looked into: oops."},
	} {
		run.Breakdowns = []results.Breakdown{cell(results.SourceTrace, 500, spin), c.second}
		all := explained(run, results.Finding{Experiment: run.Experiments[0], Trials: run.Trials})
		if len(all) != 1 || !strings.HasPrefix(all[0].Text, c.want) && !strings.Contains(all[0].Text, c.want) {
			t.Errorf("%s: %+v\nwant %s", name, all, c.want)
		}
	}
	lock.Places[0].Call = "sync.(*Mutex).Lock"
	for doing, want := range map[string]bool{results.TimeRunnable: false, results.TimeRunning: true} {
		lock.Places[0].Doing = doing
		run.Breakdowns = []results.Breakdown{cell(results.SourceTrace, 1000, lock)}
		if all := explained(run, results.Finding{Experiment: run.Experiments[0], Trials: run.Trials}); strings.Contains(all[0].Text, "who ended it was mostly "+doing) != want {
			t.Errorf("whoever is woken has no mutex yet: %+v", all)
		}
	}
	outside := slices.Clone(run.Trials)
	for i := range outside {
		outside[i].Warnings = []results.Warning{{Code: results.WarnOutside}}
	}
	run.Breakdowns = []results.Breakdown{cell(results.SourceTrace, 500, spin), cell(results.SourceProfiles, 1000, spin, rest)}
	if all := explained(run, results.Finding{Experiment: run.Experiments[0], Trials: outside}); !strings.HasPrefix(all[0].Text, "Tracing, or timed work outside RunParallel, of which a window of another length has another part, changed it, to 0.50×") {
		t.Errorf("%+v", all)
	}
	run.Breakdowns = []results.Breakdown{cell(results.SourceTrace, 500, spin), cell(results.SourceTrace, 1000, spin, rest)}
	if all := explained(run, results.Finding{Experiment: run.Experiments[0], Trials: run.Trials}); len(all) != 1 || strings.Contains(all[0].Text, "profiles") {
		t.Errorf("a second trace is no profile: %+v", all)
	}
	first := cell(results.SourceTrace, 500, spin)
	first.Warnings = []results.Warning{{Code: results.WarnDisturbed, Text: "others took all"}}
	for rate, want := range map[results.Number]string{
		1000: "Its traced window was disturbed: others took all; by profiles: not accounted for: of 10 %",
		2000: "disturbed: others took all in the window that was looked into. There, 10 % of the time is not accounted for, and most of the rest went, in this order: on a processor; by profiles: perturbed", // which knows less
	} {
		run.Breakdowns = []results.Breakdown{first, cell(results.SourceProfiles, rate, spin, rest)}
		if rate == 2000 {
			run.Breakdowns[1].Parts = []results.BreakdownPart{rest}
		}
		if all := explained(run, results.Finding{Experiment: run.Experiments[0], Trials: run.Trials}); len(all) != 1 || !strings.Contains(all[0].Text, want) {
			t.Errorf("%+v\nwant %s", all, want)
		}
	}
	first = cell(results.SourceTrace, 0)
	first.Reason = "oops"
	run.Breakdowns = []results.Breakdown{first, cell(results.SourceProfiles, 1000, spin, rest)}
	if all := explained(run, results.Finding{Experiment: run.Experiments[0], Trials: run.Trials}); !strings.HasPrefix(all[0].Text, "Not traced: oops; by profiles: not acc") {
		t.Errorf("%+v", all)
	}
	run.Breakdowns[1] = cell(results.SourceProfiles, 0)
	run.Breakdowns[1].Reason = "neither"
	if all := explained(run, results.Finding{Experiment: run.Experiments[0], Trials: run.Trials}); all[0].Text != "not looked into: oops; by profiles: neither." {
		t.Errorf("%+v", all)
	}
}

// What fewer goroutines get done is that of their trials that nobody disturbed, too.
func TestSerialisedByCalmTrials(t *testing.T) {
	run := &results.Run{Experiments: []results.Experiment{{Name: "e"}}, Envs: []results.Env{{Machine: results.Machine{Cores: 2, GOMAXPROCS: 2}}}}
	trial := func(n, ops int, warnings ...results.Warning) {
		run.Trials = append(run.Trials, results.Trial{Experiment: "e", Variant: "v", Goroutines: n, Ops: ops, WallNS: 1e9, Usage: results.MissingUsage(), Warnings: warnings})
	}
	for range 3 {
		trial(4, 1000)
		trial(1, 1000, results.Warning{Code: results.WarnDisturbed})
	}
	trial(1, 500)
	run.Breakdowns = []results.Breakdown{{Experiment: "e", Variant: "v", Goroutines: 4, Source: results.SourceProfiles, TimeNS: 1000, OpsPerS: 1000, Parts: []results.BreakdownPart{
		{Kind: results.TimeLock, NS: 800, Places: []results.BreakdownPlace{{Where: "a.go:1", NS: 800}}}, {Kind: results.TimeRunning, NS: 200}}}}
	all := explained(run, results.Finding{Experiment: run.Experiments[0], Trials: run.Trials})
	if len(all) != 1 || !strings.Contains(all[0].Text, "whether one lock is taken there or several is not told") {
		t.Errorf("%+v", all)
	}
}

// Serialised is what fewer goroutines get done as fast, and more no faster; on one processor
// one goroutine at a time does something, however many locks there are.
func TestSerialised(t *testing.T) {
	top := results.BreakdownPart{Kind: results.TimeLock, NS: 700, Places: []results.BreakdownPlace{{Where: "a.go:1", NS: 700}}}
	e := results.Explanation{Breakdown: results.Breakdown{Goroutines: 4, TimeNS: 1000, Parts: []results.BreakdownPart{top, {Kind: results.TimeRunnable, NS: 100}}}}
	trials := []results.Trial{{Goroutines: 4, Ops: 1000, WallNS: 1e9}}
	const serialised, not = "of the 4 goroutines 0.8 at a time did anything but wait, there or for a processor, and 1 of them got 1.05× as much done", "not told"
	for name, c := range map[string]struct {
		processors int
		others     map[int]float64
		want       string
	}{
		"a lock":                 {2, map[int]float64{1: 1050, 2: 900}, serialised},
		"and no faster with 16":  {2, map[int]float64{1: 1050, 16: 1050}, serialised},
		"a commit for all":       {2, map[int]float64{1: 1050, 16: 5000}, not},
		"slower with fewer":      {2, map[int]float64{1: 500, 2: 700}, not},
		"nothing else measured":  {2, nil, not},
		"one processor":          {1, map[int]float64{1: 1050}, not},
		"processors not counted": {0, map[int]float64{1: 1050}, not},
	} {
		if got := meaning(e, top, measured{trials, c.processors, c.others}); !strings.Contains(got, c.want) {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// What no part has is not accounted for either.
func TestUnexplained(t *testing.T) {
	e := results.Explanation{Breakdown: results.Breakdown{Goroutines: 4, TimeNS: 1000, OpsPerS: 1, Parts: []results.BreakdownPart{{Kind: results.TimeLock, NS: 400}, {Kind: results.TimeUnknown, NS: 100}}}, RateShare: 1}
	of := measured{trials: []results.Trial{{Ops: 1, WallNS: 1e9}}}
	if text, _ := explain(e, of); !strings.HasPrefix(text, "not accounted for: of 60 % of the time nobody knows where it went. Of all of it: 40 % waiting for a lock") {
		t.Error(text)
	}
}

// Of what is not accounted for any may be the largest part's, too: that no cause has half is told only where
// none can have it.
func TestNoCauseWithWhatIsNotAccountedFor(t *testing.T) {
	for lock, want := range map[int64]string{440: "", 300: " No single cause has half of it.", 510: " It is held up at locks."} {
		top := results.BreakdownPart{Kind: results.TimeLock, NS: lock, Places: []results.BreakdownPlace{{Where: "a.go:1", NS: lock * 9 / 10}}}
		e := results.Explanation{Breakdown: results.Breakdown{Goroutines: 4, TimeNS: 1000, Parts: []results.BreakdownPart{top, {Kind: results.TimeRunning, NS: 890 - lock}}}}
		if got := meaning(e, top, measured{}); got != want {
			t.Errorf("%d: %q", lock, got)
		}
	}
}

// A window that is off the median of its trials, but no farther than some of them, tells shares,
// and says so.
func TestWindowAmongItsTrials(t *testing.T) {
	rates := func(all ...int) (of measured) {
		for _, n := range all {
			of.trials = append(of.trials, results.Trial{Ops: n, WallNS: 1e9})
		}
		return of
	}
	parts := []results.BreakdownPart{{Kind: results.TimeSleep, NS: 1000}}
	e := results.Explanation{Breakdown: results.Breakdown{Goroutines: 4, TimeNS: 1000, OpsPerS: 80, Parts: parts}, RateShare: 0.8}
	for of, want := range map[*measured]string{
		new(rates(70, 100, 101)): "This window had 0.80× the rate of most trials, of which some are as far off.",
		new(rates(90, 100, 101)): "perturbed: tracing changed it, to 0.80× the rate of its trials",
		new(rates(79, 80, 81)):   "100 % asleep",
	} {
		text, shares := explain(e, *of)
		if !strings.Contains(text, want) || shares != !strings.Contains(want, "perturbed") || strings.Contains(text, "most trials") != strings.Contains(want, "most trials") {
			t.Errorf("%v: %q, %v", of.rates(), text, shares)
		}
	}
}

// Under one lock a few operations have the rate of many, and fewer wait for it: what an operation takes
// its goroutines tells, and no share is told then.
func TestWindowOfFewerOperations(t *testing.T) {
	of := measured{trials: []results.Trial{{Ops: 3, WallNS: 3e9, GoroutineNS: 6e9}}}
	parts := []results.BreakdownPart{{Kind: results.TimeSleep, NS: 1000}}
	for opNS, want := range map[results.Number]string{
		1e9:   "not of its trials: in the window that was looked into an operation took its goroutines 0.5× as long as in those",
		2.1e9: "100 % asleep", 0: "100 % asleep",
	} {
		e := results.Explanation{Breakdown: results.Breakdown{Goroutines: 8, TimeNS: 1000, OpsPerS: 1, OpNS: opNS, Parts: parts}, RateShare: 1}
		if text, shares := explain(e, of); !strings.HasPrefix(text, want) || shares != (want == "100 % asleep") {
			t.Errorf("%v: %q, %v", float64(opNS), text, shares)
		}
	}
}

// A window that others disturbed tells no share, nor does one whose goroutines ran for longer than
// the process used processors; and a trial that others disturbed is not what a window is held to.
func TestWindowsThatAreNotTheirsAlone(t *testing.T) {
	trial := func(ops int, codes ...string) results.Trial {
		t := results.Trial{Ops: ops, WallNS: 1e9, GoroutineNS: int64(ops) * 1e6, Usage: results.MissingUsage()}
		for _, code := range codes {
			t.Warnings = append(t.Warnings, results.Warning{Code: code})
		}
		return t
	}
	of := measured{trials: calm([]results.Trial{trial(100), trial(100), trial(101), trial(50, results.WarnDisturbed)})}
	breakdown := func(change func(*results.Breakdown)) results.Explanation {
		e := results.Explanation{Breakdown: results.Breakdown{Goroutines: 1, TimeNS: 1000, OpsPerS: 100, OpNS: 1e6, UsedNS: 560, Parts: []results.BreakdownPart{
			{Kind: results.TimeRunning, NS: 600}, {Kind: results.TimeSystem, NS: 400},
		}}, RateShare: 1}
		change(&e.Breakdown)
		return e
	}
	for name, c := range map[string]struct {
		e    results.Explanation
		want string
	}{
		"sound":                        {breakdown(func(*results.Breakdown) {}), "60 % on a processor; 40 % in a system call"},
		"disturbed":                    {breakdown(func(b *results.Breakdown) { b.Warnings = []results.Warning{{Text: "others took 30 %"}} }), "disturbed: others took 30 % in the window that was looked into. There, most of the time went, in this order: on a processor; in a system call."},
		"asleep in the kernel":         {breakdown(func(b *results.Breakdown) { b.UsedNS = 40 }), "not to be believed: by the trace its goroutines were on a processor for 60 % of the time, and the whole process used 4 %"},
		"profiles count samples":       {breakdown(func(b *results.Breakdown) { b.UsedNS, b.Source = 40, results.SourceProfiles }), "60 % on a processor"},
		"nobody counted":               {breakdown(func(b *results.Breakdown) { b.UsedNS = results.Missing() }), "60 % on a processor"},
		"a file of before":             {breakdown(func(b *results.Breakdown) { b.UsedNS = 0 }), "60 % on a processor"},
		"as slow as a disturbed trial": {breakdown(func(b *results.Breakdown) { b.OpsPerS = 60 }), "perturbed: "},
	} {
		if text, shares := explain(c.e, of); !strings.HasPrefix(text, c.want) || shares != strings.HasPrefix(c.want, "60 %") {
			t.Errorf("%s: %q, %v", name, text, shares)
		}
	}
}

// The verdict names the line at which a design that does not gain loses most of its time, where
// a window tells shares.
func TestByLine(t *testing.T) {
	window := func(variant string, shares bool, lock int64) results.Explanation {
		parts := []results.BreakdownPart{
			{Kind: results.TimeLock, NS: lock, Places: []results.BreakdownPlace{{Where: "a.go:1", NS: lock}}},
			{Kind: results.TimeRunning, NS: 1000 - lock, Places: []results.BreakdownPlace{{Where: "b.go:2", NS: 1000 - lock}}},
		}
		return results.Explanation{Breakdown: results.Breakdown{Experiment: "e", Variant: variant, Goroutines: 16, TimeNS: 1000, Parts: parts}, Shares: shares}
	}
	of := func(variant, is string) trend {
		return trend{&series{variant: results.Variant{Name: variant}, key: results.FactorKey(nil)}, results.Summary{Variant: variant, Goroutines: 16}, is}
	}
	all := []trend{of("gains", above), of("locked", below), of("works", below), of("perturbed", near), of("unknown", below)}
	windows := []results.Explanation{window("gains", true, 900), window("locked", true, 820), window("works", true, 100), window("perturbed", false, 900)}
	const want = " Of those that do not gain, locked was waiting for a lock for 82 % of the time, at a.go:1."
	if got := byLine(all, windows); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := byLine(all[:1], windows) + byLine(all, nil); got != "" {
		t.Errorf("%q", got)
	}
}

// Where shares are not told, and next to nothing is known of the time, no kind of it is said to
// have had most.
func TestOrderOfNextToNothing(t *testing.T) {
	for kind, share := range map[string]float64{"nobody knows where most of the time went": 0.005, "40 % of the time is not accounted for, and most of the rest went, in this order: waiting for a processor": 0.6, "most of the time went, in this order: waiting for a processor": 0.99} {
		e := results.Explanation{RateShare: 0.5}
		e.TimeNS, e.Source = 1000, results.SourceProfiles
		e.Parts = []results.BreakdownPart{{Kind: results.TimeRunnable, NS: int64(share * 1000)}, {Kind: results.TimeRunning, NS: 4}, {Kind: results.TimeUnknown, NS: int64((1-share)*1000) - 4}}
		text, shares := explain(e, measured{})
		if shares || !strings.HasSuffix(text, "With it, "+kind+".") {
			t.Errorf("%q", text)
		}
	}
}

// Of no more goroutines than processors nobody says that they are too many.
func TestWaitingForProcessors(t *testing.T) {
	for _, c := range []struct {
		goroutines, processors int
		want                   string
	}{{4, 2, "more goroutines than processors"}, {4, 0, "more goroutines than processors"}, {2, 2, "processors enough"}, {1, 2, "processors enough"}} {
		e := results.Explanation{Breakdown: results.Breakdown{Goroutines: c.goroutines, TimeNS: 1000}}
		if got := meaning(e, results.BreakdownPart{Kind: results.TimeRunnable, NS: 900}, measured{processors: c.processors}); !strings.Contains(got, c.want) {
			t.Errorf("%d goroutines, %d processors: %q", c.goroutines, c.processors, got)
		}
	}
}
