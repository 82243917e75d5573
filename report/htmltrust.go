package report

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/syncwrite/syncwrite/report/internal/sheet"
	"github.com/syncwrite/syncwrite/results"
)

// A trust is what a reader needs to believe the trials of one run, and to
// repeat them.
type trust struct {
	Title   string
	Facts   []fact
	Command string
}

type fact struct{ Name, Value string }

func trustOf(r *results.Report) []trust {
	var all []trust
	for i, e := range r.Envs {
		t := trust{Command: commandLine(e.Command)}
		if len(r.Envs) > 1 {
			t.Title = fmt.Sprintf("Run %d of %d", i+1, len(r.Envs))
		}
		trials := trialsOfEnv(r, i)
		end, _ := results.EndOf(r.Ends, i)
		for _, facts := range [][]fact{methodFacts(e, trials), loadFacts(e, end, trials), machineFacts(e)} {
			t.Facts = append(t.Facts, facts...)
		}
		all = append(all, t)
	}
	return all
}

func trialsOfEnv(r *results.Report, env int) []results.Trial {
	var all []results.Trial
	for _, f := range r.Findings {
		for _, t := range f.Trials {
			if t.Env == env {
				all = append(all, t)
			}
		}
	}
	return all
}

func methodFacts(e results.Env, trials []results.Trial) []fact {
	s := e.Settings
	facts := []fact{{"Trials", fmt.Sprintf("%d finished", len(trials))}}
	if s.Loop == results.GoTest {
		facts = append(facts, fact{"Order", "that of go test, repetitions in a row: drift of the machine is not cancelled"})
	} else if s.Trials > 0 {
		facts[0].Value += fmt.Sprintf(", %s%d blocks planned", orLess(s), s.Trials)
		facts = append(facts,
			fact{"Order", fmt.Sprintf("random within each block, seed %d", s.Seed)},
			fact{"Window", windows(s, trials)},
			fact{"Loop", s.Loop})
	}
	if text := sharing(trials); text != "" {
		facts = append(facts, fact{"Server and generator", text})
	}
	facts = append(facts, fact{"Effective goroutines", leastEffective(trials)})
	if o := e.Overhead; o.SampledNS.Known() {
		facts = append(facts, fact{"Harness's own cost", fmt.Sprintf("%s an operation where it samples, %s where it times each",
			o.SampledNS.Nanoseconds(), o.TimedNS.Nanoseconds())})
	}
	return facts
}

func leastEffective(trials []results.Trial) string {
	least, at := math.Inf(1), results.Trial{}
	for _, t := range trials {
		if part := t.EffectiveGoroutines() / float64(t.Goroutines); part < least {
			least, at = part, t
		}
	}
	if math.IsInf(least, 1) || math.IsNaN(least) {
		return "not known"
	}
	return fmt.Sprintf("at least %s of N (%s at N = %d)", sheet.Share(results.Number(least)), at.Variant, at.Goroutines)
}

func loadFacts(e results.Env, end results.End, trials []results.Trial) []fact {
	facts := []fact{
		{"Load before, after", orDash(e.LoadBefore) + ", " + orDash(end.LoadAfter) + ofProcessors(e.Machine)},
		{"Taken by others", taken(e, trials)},
		{"Garbage collector", collector(e, trials)},
	}
	if e.Machine.CPUQuota.Known() {
		facts = append(facts, fact{"Taken by the cgroup's quota", throttled(e, trials)})
	}
	if !e.Start.IsZero() {
		facts = append(facts, fact{"Started", e.Start.UTC().Format("2006-01-02 15:04:05 UTC")})
	}
	if end.Status != "" {
		facts = append(facts, fact{"Ended", fmt.Sprintf("%s, after %v", end.Status, time.Duration(end.WallNS).Round(100*time.Millisecond))})
	}
	return facts
}

func orDash(n results.Number) string {
	if !n.Known() {
		return "not known"
	}
	return fmt.Sprintf("%.2f", float64(n))
}

func ofProcessors(m results.Machine) string {
	if m.Cores == 0 {
		return ""
	}
	return fmt.Sprintf(" on %d processors", m.Cores)
}

// taken is the processor time that the hypervisor and other processes had, of
// all that there was in the windows.
func taken(e results.Env, trials []results.Trial) string {
	var steal, others, whole float64
	for _, t := range trials {
		if t.Usage.StealNS.Known() && t.OthersNS().Known() {
			steal += float64(t.Usage.StealNS)
			others += float64(t.OthersNS())
			whole += float64(t.CoveredNS()) * float64(max(e.Machine.Cores, len(results.HeldTo(t.Processes))))
		}
	}
	if whole == 0 {
		return "not measured"
	}
	if max(steal, others) > results.MostCounted*whole {
		return moreThanAll
	}
	return fmt.Sprintf("steal %.1f %%, other processes %.1f %% of processor time", 100*steal/whole, 100*others/whole)
}

// throttled is the processor time that the quota did not let the process have,
// of all that there was in the windows.
func throttled(e results.Env, trials []results.Trial) string {
	var held, whole float64
	for _, t := range trials {
		if t.Usage.ThrottledNS.Known() {
			held += float64(t.Usage.ThrottledNS)
			whole += float64(t.CoveredNS()) * float64(e.Machine.Cores)
		}
	}
	if whole == 0 {
		return "not measured"
	}
	if held > results.MostCounted*whole {
		return moreThanAll
	}
	return fmt.Sprintf("%.1f %% of processor time", 100*held/whole)
}

// moreThanAll stands for a share that cannot be.
const moreThanAll = "not told: it is more than there was"

func collector(e results.Env, trials []results.Trial) string {
	var gc, cpu float64
	for _, t := range trials {
		if t.Usage.GCCPUNS.Known() && t.Usage.UserNS.Known() && t.Usage.SystemNS.Known() {
			gc += float64(t.Usage.GCCPUNS)
			cpu += float64(t.Usage.UserNS + t.Usage.SystemNS)
		}
	}
	text := "on"
	if e.Machine.GOGC != "" {
		text = "GOGC " + e.Machine.GOGC
	}
	switch {
	case !(cpu > 0) || math.IsInf(gc+cpu, 0):
		return text + ", its time not known"
	case gc > results.MostCounted*cpu:
		return text + ", its time " + moreThanAll
	}
	return fmt.Sprintf("%s, %.1f %% of CPU time", text, 100*gc/cpu)
}

func machineFacts(e results.Env) []fact {
	m := e.Machine
	return []fact{
		{"Processor", orUnknown(m.CPU)},
		{"GOMAXPROCS", fmt.Sprintf("%s of %d cores, %s", orUnknown(e.Procs()), m.Cores, quotaFact(e))},
		{"Memory", memory(m.Memory)},
		{"Clock", orUnknown(m.Clock)},
		{"File system", disk(e.Disk)},
		{"Kernel", strings.TrimSpace(fmt.Sprintf("%s/%s %s", m.GOOS, m.GOARCH, m.Kernel))},
		{"Go", orUnknown(m.Go)},
		{"Commit", orUnknown(m.Commit)},
	}
}

func quotaFact(e results.Env) string {
	switch {
	case e.Machine.CPUQuota.Known():
		return strings.TrimPrefix(quota(e.Machine), ", ")
	case slices.Contains(e.Unmeasured, results.UnmeasuredQuota):
		return "cgroup quota not known"
	}
	return "no cgroup quota"
}

func memory(bytes int64) string {
	if bytes <= 0 {
		return "unknown"
	}
	return results.Number(float64(bytes)/(1<<30)).Three() + " GiB"
}

func disk(d results.Disk) string {
	if d.FileSystem == "" {
		return "unknown"
	}
	text := d.FileSystem + " at " + d.Mount
	if d.Device != "" {
		text += " on " + d.Device
	}
	if d.Options != "" {
		text += " (" + d.Options + ")"
	}
	return text + inMemory(d)
}
