package cause

import (
	"cmp"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/syncwrite/syncwrite/results"
)

type machineUsage struct{ busy, steal results.Number }

// tickNS is the length of a /proc/stat tick: USER_HZ is 100 on every Linux
// port that Go supports.
const tickNS = 10_000_000

// takeMachine reads the CPU time of the processors that this process may use, and of others;
// missing off Linux.
func takeMachine(also []int) machineUsage {
	stat, _ := os.ReadFile("/proc/stat")
	status, _ := os.ReadFile("/proc/self/status")
	return parseStat(string(stat), with(allowed(string(status)), also))
}

// with are names and further numbers, each once; none where there are no names, which is all.
func with(names []string, also []int) []string {
	for _, n := range also {
		if name := strconv.Itoa(n); len(names) > 0 && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// others is what other processes used since an earlier moment, where one used its own.
func (m machineUsage) others(start machineUsage, own results.Number) results.Number {
	return max(m.busy-start.busy-own, 0) // ticks are coarse: never less than nothing
}

// parseStat adds up the lines of the processors in /proc/stat (proc_stat(5)) that count:
// cpuN user nice system idle iowait irq softirq steal. Busy is all but idle, iowait,
// steal.
func parseStat(text string, allowed []string) machineUsage {
	of := map[string]machineUsage{}
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) > 0 && strings.HasPrefix(fields[0], "cpu") {
			of[strings.TrimPrefix(fields[0], "cpu")] = parseCPU(fields)
		}
	}
	some := counted(numbers(text), allowed)
	if len(some) == 0 {
		return whole(of)
	}
	var sum machineUsage
	for _, name := range some {
		sum = machineUsage{sum.busy + of[name].busy, sum.steal + of[name].steal}
	}
	return sum
}

// counted are the processors that a process may use of those that have a line. A process
// may be allowed more than there are, or fewer; both at once is a container that shows
// its own anew from 0: then, and where nobody knows which are allowed, it is none, and
// what counts is the whole.
func counted(there, allowed []string) []string {
	var both []string
	for _, name := range allowed {
		if slices.Contains(there, name) {
			both = append(both, name)
		}
	}
	if len(both) < len(allowed) && len(both) < len(there) {
		return nil
	}
	return both
}

// numbers are those of the processors that have a line.
func numbers(stat string) []string {
	var all []string
	for line := range strings.Lines(stat) {
		name, _, _ := strings.Cut(line, " ")
		if number, ok := strings.CutPrefix(name, "cpu"); ok && number != "" {
			all = append(all, number)
		}
	}
	return all
}

// whole is the line of all processors.
func whole(of map[string]machineUsage) machineUsage {
	if all, there := of[""]; there {
		return all
	}
	return machineUsage{results.Missing(), results.Missing()}
}

// parseCPU reads one line, which is missing if it is none.
func parseCPU(fields []string) machineUsage {
	if len(fields) < 9 {
		return machineUsage{results.Missing(), results.Missing()}
	}
	ticks := make([]results.Number, 8)
	for i := range ticks {
		n, err := strconv.ParseUint(fields[i+1], 10, 64)
		if err != nil {
			return machineUsage{results.Missing(), results.Missing()}
		}
		ticks[i] = results.Number(n) * tickNS
	}
	return machineUsage{
		busy:  ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6],
		steal: ticks[7],
	}
}

// allowed are the processors that a process may use, as /proc/PID/status has them
// (proc_pid_status(5)): Cpus_allowed_list: 0-3,8. None means that it does not say.
func allowed(status string) []string {
	var all []string
	for line := range strings.Lines(status) {
		list, ok := strings.CutPrefix(line, "Cpus_allowed_list:")
		if !ok {
			continue
		}
		for _, span := range strings.Split(strings.TrimSpace(list), ",") {
			from, to, _ := strings.Cut(span, "-")
			low, err := strconv.Atoi(from)
			if err != nil {
				return nil
			}
			high, err := strconv.Atoi(cmp.Or(to, from))
			if err != nil || high > low+1<<16 {
				return nil
			}
			for n := low; n <= high; n++ {
				all = append(all, strconv.Itoa(n))
			}
		}
	}
	return all
}

// Processors is how many the machine has, whatever this process may use; 0 where
// nobody knows.
func Processors() int {
	stat, _ := os.ReadFile("/proc/stat")
	return len(numbers(string(stat)))
}
