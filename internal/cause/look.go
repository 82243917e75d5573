package cause

import (
	"strconv"
	"strings"

	"github.com/syncwrite/syncwrite/results"
)

// A Look is what a process has read of itself and its machine, for another process
// to compare with a later one.
type Look struct {
	Machine string // first line of /proc/stat
	Process string // /proc/self/stat
}

// Since is what others took after an earlier look; missing where one was not to be
// had. Processes that the process has started and waited for are none of them.
func (l Look) Since(start Look) results.Usage {
	u := results.MissingUsage()
	machine, before := parseStat(l.Machine), parseStat(start.Machine)
	u.StealNS = machine.steal - before.steal
	others := machine.busy - before.busy - (parseProcess(l.Process) - parseProcess(start.Process))
	u.OthersNS = max(others, 0) // ticks are coarse: never less than nothing
	return u
}

// parseProcess reads utime, stime, cutime and cstime of /proc/PID/stat
// (proc_pid_stat(5)), fields 14 to 17: what a process and those that it has waited
// for have used. The second field, a name, may hold anything.
func parseProcess(text string) results.Number {
	fields := strings.Fields(text[strings.LastIndex(text, ")")+1:])
	const first, last = 14 - 3, 17 - 3 // the third is the first behind the name
	if len(fields) <= last {
		return results.Missing()
	}
	var ticks uint64
	for _, field := range fields[first : last+1] {
		n, err := strconv.ParseUint(field, 10, 64)
		if err != nil {
			return results.Missing()
		}
		ticks += n
	}
	return results.Number(ticks) * tickNS
}
