package results

import (
	"slices"
	"strconv"
	"strings"
)

// go test sets GOMAXPROCS itself, to each number of -cpu in turn. It is then no
// property of the machine but of a trial.

// TakeProcs takes the GOMAXPROCS that trials ran at: the machine's if all are
// alike, else a list of them among the settings. Those of other trials stay.
func (e *Env) TakeProcs(trials []Trial) {
	var all []int
	for _, t := range trials {
		if t.GOMAXPROCS > 0 && !slices.Contains(all, t.GOMAXPROCS) {
			all = append(all, t.GOMAXPROCS)
		}
	}
	slices.Sort(all)
	switch len(all) {
	case 0:
	case 1:
		e.Machine.GOMAXPROCS = all[0]
	default:
		e.Machine.GOMAXPROCS, e.Settings.GOMAXPROCS = 0, all
	}
}

// Procs lists the GOMAXPROCS of the trials, as in "1, 2, 4"; empty where nobody
// knows.
func (e Env) Procs() string {
	all := e.Settings.GOMAXPROCS
	if len(all) == 0 && e.Machine.GOMAXPROCS > 0 {
		all = []int{e.Machine.GOMAXPROCS}
	}
	words := make([]string, len(all))
	for i, procs := range all {
		words[i] = strconv.Itoa(procs)
	}
	return strings.Join(words, ", ")
}

// ProcsOf returns the GOMAXPROCS a trial ran with, 0 where nobody knows.
func (r *Run) ProcsOf(t Trial) int {
	if t.GOMAXPROCS > 0 {
		return t.GOMAXPROCS
	}
	return r.EnvOf(t).Machine.GOMAXPROCS
}

// BeyondCores reports whether a trial had goroutines for more than all cores, and a
// GOMAXPROCS that has the runtime count them as running.
func (r *Run) BeyondCores(t Trial) bool {
	cores := r.EnvOf(t).Machine.Cores
	return cores > 0 && r.ProcsOf(t) > cores && t.Goroutines > cores
}

// Processors returns how many goroutines of a trial could run at once, 0
// where nobody knows: GOMAXPROCS may be more than there are processors.
func (r *Run) Processors(t Trial) int {
	procs, cores := r.ProcsOf(t), r.EnvOf(t).Machine.Cores
	for _, p := range t.Processes {
		if held := len(p.Processors); p.Name == Generator && held > 0 && t.Usage.UserNS.Known() { // this process, for the trial
			procs = min(procs, held)
		}
	}
	if cores > 0 && procs > cores {
		return cores
	}
	return procs
}
