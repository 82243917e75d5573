package report

import (
	"fmt"
	"strings"
	"time"

	"github.com/syncwrite/syncwrite/results"
)

// provenance says where and how the trials were measured, and how to repeat
// them.
func provenance(e results.Env) []string {
	var lines []string
	m := e.Machine
	if m.CPU != "" || m.GOOS != "" {
		lines = append(lines, fmt.Sprintf("Machine: %s, %d cores, GOMAXPROCS %d, %s/%s %s, %s%s.",
			orUnknown(m.CPU), m.Cores, m.GOMAXPROCS, m.GOOS, m.GOARCH, m.Kernel, orUnknown(m.Go), quota(m)))
	}
	if e.Disk.FileSystem != "" {
		lines = append(lines, fmt.Sprintf("Disk: %s at %s (%s).", e.Disk.FileSystem, e.Disk.Mount, e.Disk.Options))
	}
	if s := e.Settings; s.Trials > 0 {
		lines = append(lines, fmt.Sprintf("Method: %d blocks of trials in random order, %s loop, seed %d; mean window %s.",
			s.Trials, s.Loop, s.Seed, windows(s)))
	}
	if o := e.Overhead; o.SampledNS.Known() {
		lines = append(lines, fmt.Sprintf("The harness itself: %s an operation where it samples, %s where it times each.",
			o.SampledNS.Nanoseconds(), o.TimedNS.Nanoseconds()))
	}
	if len(e.Command) > 0 {
		lines = append(lines, "Repeat: "+strings.Join(e.Command, " "))
	}
	return lines
}

func windows(s results.Settings) string {
	if s.Ops > 0 {
		return fmt.Sprintf("of %d operations", s.Ops)
	}
	text := "about " + time.Duration(s.WindowNS).String()
	if s.BudgetNS > 0 {
		text += ", less where a budget of " + time.Duration(s.BudgetNS).String() + " asked for it"
	}
	return text
}

func quota(m results.Machine) string {
	if !m.CPUQuota.Known() {
		return ""
	}
	return ", quota of " + m.CPUQuota.Three() + " processors"
}

func orUnknown(text string) string {
	if text == "" {
		return "unknown"
	}
	return text
}
