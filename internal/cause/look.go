package cause

import (
	"os"
	"strconv"
	"strings"

	"github.com/syncwrite/syncwrite/internal/processors"
	"github.com/syncwrite/syncwrite/results"
)

// Where a look has the texts of its files; those of the control groups come last.
const (
	statOf = iota
	selfOf
	statusOf
	groupsOf
)

// LookFiles are what a process reads of itself and its machine, in this order, for
// another one of the same control groups to tell what others took meanwhile.
func LookFiles() []string {
	files := []string{"/proc/stat", "/proc/self/stat", "/proc/self/status"}
	for _, q := range ownQuotas().all {
		files = append(files, string(os.PathSeparator)+q.stat)
	}
	return files
}

// ProcessorsIn is how many processors the process of a look may use, of those that are
// there; 0 where that is not in it.
func ProcessorsIn(look []string) int {
	if len(look) < groupsOf {
		return 0
	}
	there, may := numbers(look[statOf]), allowed(look[statusOf])
	if some := counted(there, may); len(some) > 0 || len(may) == 0 {
		return len(some)
	}
	return len(there)
}

// Between is what others took, and for how long a quota held the process back, between
// two looks: the texts of the files. What is not in them is missing. Processes that the
// process has started and waited for are none of the others.
func Between(start, end []string) results.Usage {
	u := results.MissingUsage()
	if len(start) < groupsOf || len(end) < groupsOf {
		return u
	}
	machine, before := parseStat(end[statOf], allowed(end[statusOf])), parseStat(start[statOf], allowed(start[statusOf]))
	u.StealNS = grown(machine.steal, before.steal)
	u.OthersNS = machine.others(before, parseProcess(end[selfOf])-parseProcess(start[selfOf]))
	u.ThrottledNS = ownQuotas().throttledBetween(throttledIn(start[groupsOf:]), throttledIn(end[groupsOf:]))
	return u
}

// UsedBetween is the processor time that the process of two looks has used between them, counted
// in ticks.
func UsedBetween(start, end []string) results.Number {
	if len(start) < groupsOf || len(end) < groupsOf {
		return results.Missing()
	}
	return grown(parseTicks(end[selfOf], 14, 15), parseTicks(start[selfOf], 14, 15))
}

func throttledIn(texts []string) []results.Number {
	var all []results.Number
	for _, text := range texts {
		all = append(all, parseThrottled(text))
	}
	return all
}

// OfProcess is how much processor time another process has used so far, and those that it
// has waited for, which are counted in ticks; missing where the system does not tell.
func OfProcess(pid int) results.Number {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return results.Missing()
	}
	if own, known := processors.Used(pid); known {
		return results.Number(own) + parseTicks(string(text), 16, 17)
	}
	return parseProcess(string(text))
}

// parseProcess reads utime, stime, cutime and cstime of /proc/PID/stat
// (proc_pid_stat(5)), fields 14 to 17: what a process and those that it has waited
// for have used.
func parseProcess(text string) results.Number { return parseTicks(text, 14, 17) }

// parseTicks adds up fields of /proc/PID/stat. The second one, a name, may hold anything.
func parseTicks(text string, first, last int) results.Number {
	fields := strings.Fields(text[strings.LastIndex(text, ")")+1:])
	const behindName = 3
	if len(fields) <= last-behindName {
		return results.Missing()
	}
	var ticks uint64
	for _, field := range fields[first-behindName : last-behindName+1] {
		n, err := strconv.ParseUint(field, 10, 64)
		if err != nil {
			return results.Missing()
		}
		ticks += n
	}
	return results.Number(ticks) * tickNS
}
