package report

import (
	"fmt"
	"strings"

	"github.com/syncwrite/syncwrite/results"
)

// provenance says where and how the trials were measured; commandLine how to repeat
// them.
func provenance(e results.Env, trials []results.Trial) []string {
	var lines []string
	if text := machine(e); text != "" {
		lines = append(lines, "Machine: "+text+".")
	}
	if !e.Start.IsZero() {
		lines = append(lines, "Measured: "+e.Start.UTC().Format("2006-01-02 15:04 UTC")+".")
	}
	if e.Disk.FileSystem != "" {
		lines = append(lines, "Disk: "+diskLine(e.Disk)+".")
	}
	if s := e.Settings; s.Loop == results.GoTest {
		lines = append(lines, fmt.Sprintf("Method: go test, each benchmark %s in a row: drift of the machine is not cancelled.", times(s.Trials)))
	} else if s.Trials > 0 {
		lines = append(lines, fmt.Sprintf("Method: %s%d blocks of trials in random order, %s loop, seed %d; mean window %s.",
			orLess(s), s.Trials, s.Loop, s.Seed, windows(s, trials)))
	}
	if o := e.Overhead; o.SampledNS.Known() {
		lines = append(lines, fmt.Sprintf("The harness itself: %s an operation where it samples, %s where it times each.",
			o.SampledNS.Nanoseconds(), o.TimedNS.Nanoseconds()))
	}
	return lines
}

// inBrief is provenance in two lines or fewer.
func inBrief(e results.Env, trials []results.Trial) []string {
	var parts []string
	if text := machine(e); text != "" {
		parts = append(parts, text)
	}
	if e.Disk.FileSystem != "" {
		parts = append(parts, e.Disk.FileSystem+inMemory(e.Disk))
	}
	if s := e.Settings; s.Loop != results.GoTest && s.Trials > 0 {
		parts = append(parts, fmt.Sprintf("planned: %s%s a cell%s, windows %s", orLess(s), results.Count(s.Trials, "trial"), inProcesses(s), briefWindows(s, trials)))
	}
	if !e.Start.IsZero() {
		parts = append(parts, e.Start.UTC().Format("2006-01-02 15:04 UTC"))
	}
	if commit := e.Machine.Commit; commit != "" {
		parts = append(parts, "commit "+commit[:min(12, len(commit))])
	}
	if len(parts) == 0 {
		return nil
	}
	return []string{strings.Join(parts, "; ") + "."}
}

// orLess says how few trials sufficed for some cells.
func orLess(s results.Settings) string {
	if s.Least == 0 {
		return ""
	}
	return fmt.Sprintf("%d to ", s.Least)
}

// inProcesses says that blocks were measured in processes of their own.
func inProcesses(s results.Settings) string {
	if s.Processes == 0 {
		return ""
	}
	return " in as many processes"
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("up to %d times", n)
}

func orUnknown(text string) string {
	if text == "" {
		return "unknown"
	}
	return text
}

func quota(m results.Machine) string {
	if !m.CPUQuota.Known() {
		return ""
	}
	return ", quota of " + m.CPUQuota.Three() + " processors"
}

// machine lists what is known; a file in benchmark format knows little.
func machine(e results.Env) string {
	m := e.Machine
	var parts []string
	add := func(known bool, text string) {
		if known {
			parts = append(parts, text)
		}
	}
	add(m.CPU != "", m.CPU)
	add(m.Cores > 0, fmt.Sprintf("%d cores", m.Cores))
	add(e.Procs() != "", "GOMAXPROCS "+e.Procs())
	add(m.GOOS != "", strings.TrimSpace(m.GOOS+"/"+m.GOARCH+" "+m.Kernel))
	add(m.Go != "", m.Go+quota(m))
	return strings.Join(parts, ", ")
}

func diskLine(d results.Disk) string {
	text := d.FileSystem
	if d.Mount != "" {
		text += " at " + d.Mount
	}
	if d.Options != "" {
		text += " (" + d.Options + ")"
	}
	return text + inMemory(d)
}

// inMemory says of a disk that is none what that does to promises.
func inMemory(d results.Disk) string {
	if !d.Memory() {
		return ""
	}
	return ", which is memory: no promise to survive a power cut is kept here"
}
