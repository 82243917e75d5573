package analysis

import (
	"fmt"
	"slices"
	"strings"

	"github.com/syncwrite/syncwrite/results"
)

// runWarnings are the doubts about the run as a whole, each one once.
func runWarnings(run *results.Run) []results.Warning {
	var all []results.Warning
	add := func(w results.Warning) {
		if !slices.Contains(all, w) {
			all = append(all, w)
		}
	}
	for _, e := range run.Envs {
		for _, w := range e.Warnings {
			add(w)
		}
	}
	for _, e := range run.Ends {
		if text := endText(run, e); text != "" {
			add(unfinished(text))
		}
	}
	if cutOff(run) {
		add(unfinished("the results end without an end record: the run was cut off, or the format keeps neither that nor any doubts"))
	}
	for _, w := range neighbouring(run) {
		add(w)
	}
	if text := commits(run.Envs); text != "" {
		add(results.Warning{Code: results.WarnMachines, Text: text})
	}
	if w, two := machines(run.Envs); two {
		add(w)
	} else if text := planned(run); text != "" {
		add(results.Warning{Code: results.WarnMachines, Text: text})
	}
	return all
}

// planned tells of trials in one cell that were not planned alike, though on one
// machine; empty where all were.
func planned(run *results.Run) string {
	of := map[results.Cell]int{} // whose the first trial is
	for _, t := range run.Trials {
		if t.Env < 0 || t.Env >= len(run.Envs) {
			continue // nobody knows
		}
		first, seen := of[t.Cell()]
		if !seen {
			of[t.Cell()] = t.Env
			continue
		}
		if unlike := unlikeSettings(run.Envs[first], run.Envs[t.Env]); len(unlike) > 0 {
			return "trials of runs that were planned differently are mixed: " + strings.Join(unlike, "; ")
		}
	}
	return ""
}

// endText says what the end of a part means for its cells; empty where it is
// complete, or the errors of its variants say it.
func endText(run *results.Run, end results.End) string {
	const fewer = ": some cells have fewer trials than planned, or none"
	switch {
	case end.Status == results.Interrupted:
		return "the run was interrupted" + fewer
	case end.Status != results.Failed:
		return ""
	case goTested(run, end.Env): // its errors need not be all
		return "benchmarks or tests failed" + fewer
	case slices.ContainsFunc(run.Errors(), func(o results.Outcome) bool { return o.Env == end.Env }):
		return ""
	}
	return "the run ended by an error" + fewer
}

// goTested reports whether a part of the run was measured by go test.
func goTested(run *results.Run, env int) bool {
	return env >= 0 && env < len(run.Envs) && run.Envs[env].Settings.Loop == results.GoTest
}

// cutOff reports whether a part of the run has no end.
func cutOff(run *results.Run) bool {
	for env := range run.Envs {
		if _, ended := results.EndOf(run.Ends, env); !ended {
			return true
		}
	}
	return false
}

func unfinished(text string) results.Warning {
	return results.Warning{Code: results.WarnUnfinished, Text: text}
}

// commits tells of trials of two programs that are told as one; empty where that is not known.
func commits(envs []results.Env) string {
	for _, e := range envs[min(1, len(envs)):] {
		if turns := envs[0].Settings.Turns; turns != "" && turns == e.Settings.Turns {
			return "trials of two programs that took turns are mixed; compare tells them apart"
		}
		if one, other := envs[0].Machine.Commit, e.Machine.Commit; one != "" && other != "" && one != other {
			return fmt.Sprintf("trials of different commits are mixed: %s and %s; compare tells them apart", results.Printable(one), results.Printable(other))
		}
	}
	return ""
}

// machines doubts trials of different machines in one report.
func machines(envs []results.Env) (results.Warning, bool) {
	for _, e := range envs[min(1, len(envs)):] {
		if one, other := machine(envs[0]), machine(e); one != other {
			text := fmt.Sprintf("trials of different machines or Go versions are mixed: %s and %s", one, other)
			return results.Warning{Code: results.WarnMachines, Text: text}, true
		}
		if e.Settings.Loop == results.GoTest {
			continue
		}
		if unlike := unlikePlaces(envs[0], e); len(unlike) > 0 {
			text := "trials of different set-ups are mixed: " + strings.Join(unlike, "; ")
			return results.Warning{Code: results.WarnMachines, Text: text}, true
		}
	}
	return results.Warning{}, false
}

// mixed is why nothing is told of how trials scale that are of several runs: machines, and programs, do so each
// in its own way. It is empty if they are of one.
func mixed(envs []results.Env, trials []results.Trial) string {
	var of []results.Env
	known := map[int]bool{}
	for _, t := range trials {
		if t.Env >= 0 && t.Env < len(envs) && !known[t.Env] {
			of, known[t.Env] = append(of, envs[t.Env]), true
		}
	}
	if w, two := machines(of); two {
		return w.Text
	}
	return commits(of)
}

// machine says what must be equal for two figures to be comparable. go test sets
// GOMAXPROCS itself, and keeps trials of different ones in different cells.
func machine(e results.Env) string {
	cpu, version, procs := e.Machine.CPU, e.Machine.Go, ""
	if cpu == "" {
		cpu = "an unknown processor"
	}
	if version == "" {
		version = "unknown Go"
	}
	if e.Settings.Loop != results.GoTest {
		procs = fmt.Sprintf("GOMAXPROCS %d, ", e.Machine.GOMAXPROCS)
	}
	if quota := e.Machine.CPUQuota; quota > 0 {
		procs += fmt.Sprintf("a quota of %s, ", quota.Three())
	}
	return fmt.Sprintf("%s (%d cores, %s%s/%s, %s)", cpu, e.Machine.Cores, procs, e.Machine.GOOS, e.Machine.GOARCH, version)
}

// mostUnread is how many problems of a file are told one by one.
const mostUnread = 3

// unread tells of what could not be read of a run: its cells may lack trials.
func unread(run *results.Run) []results.Warning {
	var all []results.Warning
	for _, p := range run.Problems[:min(len(run.Problems), mostUnread)] {
		all = append(all, unfinished(p.Skipped()))
	}
	if left := len(run.Problems) - mostUnread; left > 0 {
		all = append(all, unfinished(fmt.Sprintf("%s more of the same file or run", results.Count(left, "problem"))))
	}
	return all
}

// failures tell which variants of a run ended by an error, or failed now and then.
func failures(run *results.Run) []results.Warning {
	var all []results.Warning
	for _, o := range run.Errors() {
		all = append(all, results.Warning{Code: results.WarnEnded, Text: fmt.Sprintf("%s %s: %s", o.Cell().Name(), o.Words(), o.Text)})
	}
	return all
}
