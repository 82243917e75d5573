package cause

import (
	"os"
	"strconv"
	"strings"

	"github.com/syncwrite/syncwrite/results"
)

type machineUsage struct{ busy, steal results.Number }

// tickNS is the length of a /proc/stat tick: USER_HZ is 100 on every Linux
// port that Go supports.
const tickNS = 10_000_000

// takeMachine reads the whole machine's CPU time; missing off Linux.
func takeMachine() machineUsage {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return machineUsage{results.Missing(), results.Missing()}
	}
	return parseStat(string(text))
}

// parseStat reads the first line of /proc/stat (proc_stat(5)): cpu user nice
// system idle iowait irq softirq steal. Busy is all but idle, iowait, steal.
func parseStat(text string) machineUsage {
	line, _, _ := strings.Cut(text, "\n")
	fields := strings.Fields(line)
	if len(fields) < 9 || fields[0] != "cpu" {
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
