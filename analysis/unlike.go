package analysis

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/syncwrite/syncwrite/results"
)

// Unlike names what keeps two runs from being compared: that they are one;
// another machine, Go, disk, workload or promise. Nothing means that they may be. Of runs put
// together every part is asked.
func Unlike(older, newer *results.Run) []string {
	var all []string
	if sameRun(older, newer) || older.Repeats(newer) {
		all = append(all, "the run: it is one, given twice")
	}
	for _, a := range older.Envs {
		for _, b := range newer.Envs {
			for _, text := range unlikeEnvs(a, b) {
				if !slices.Contains(all, text) {
					all = append(all, text)
				}
			}
		}
	}
	return slices.Concat(all, brokenPromises(older, newer), otherOperations(older, newer))
}

// sameRun reports whether two runs have a part in common, by when it started.
func sameRun(older, newer *results.Run) bool {
	return slices.ContainsFunc(older.Envs, func(a results.Env) bool {
		return !a.Start.IsZero() && slices.ContainsFunc(newer.Envs, func(b results.Env) bool {
			return a.Start.Equal(b.Start) && a.Settings.Seed == b.Settings.Seed
		})
	})
}

func unlikeEnvs(a, b results.Env) []string {
	return append(unlikePlaces(a, b), unlikeSettings(a, b)...)
}

// differences lists what is not the same in two envs.
type differences []string

func (d *differences) ask(what string, a, b any) {
	if a != b {
		*d = append(*d, fmt.Sprintf("%s: %v, then %v", what, a, b))
	}
}

// unlikePlaces names where two runs were measured elsewhere: machine, system, Go,
// disk.
func unlikePlaces(a, b results.Env) []string {
	var all differences
	differs := all.ask
	system := func(m results.Machine) string { return m.GOOS + "/" + m.GOARCH + " " + m.Kernel }
	differs("processor", a.Machine.CPU, b.Machine.CPU)
	differs("cores", a.Machine.Cores, b.Machine.Cores)
	differs("GOMAXPROCS", a.Procs(), b.Procs())
	differs("system", system(a.Machine), system(b.Machine))
	differs("processor quota", a.Machine.CPUQuota.Three(), b.Machine.CPUQuota.Three())
	differs("clock source", a.Machine.Clock, b.Machine.Clock)
	differs("Go", a.Machine.Go, b.Machine.Go)
	differs("GOGC", a.Machine.GOGC, b.Machine.GOGC)
	differs("file system", a.Disk.FileSystem, b.Disk.FileSystem)
	differs("device", a.Disk.Device, b.Disk.Device)
	differs("mount options", a.Disk.Options, b.Disk.Options)
	return all
}

// unlikeSettings names what two runs were asked to do otherwise. A budget is no difference: it grows with the
// trials, and what windows it leaves is seen cell by cell ([uneven]).
func unlikeSettings(a, b results.Env) []string {
	var all differences
	differs := all.ask
	differs("loop", a.Settings.Loop, b.Settings.Loop)
	differs("window", time.Duration(a.Settings.WindowNS), time.Duration(b.Settings.WindowNS))
	differs("go test flags", flagsText(a), flagsText(b))
	differs("operations a trial", a.Settings.Ops, b.Settings.Ops)
	asked := map[string]string{}
	maps.Copy(asked, a.Settings.Asked)
	maps.Copy(asked, b.Settings.Asked)
	for _, what := range slices.Sorted(maps.Keys(asked)) {
		differs("what was asked, "+what, askedText(a, what), askedText(b, what))
	}
	return all
}

// askedText is a part of what was asked of a server. In files of before nobody knows.
func askedText(e results.Env, what string) string {
	if len(e.Settings.Asked) == 0 {
		return "not known"
	}
	return results.Printable(cmp.Or(e.Settings.Asked[what], "none"))
}

func flagsText(e results.Env) string {
	return cmp.Or(strings.Join(e.Settings.Flags, " "), "none")
}

func brokenPromises(older, newer *results.Run) []string {
	var all []string
	for _, e := range newer.Experiments {
		was := older.Experiment(e.Name)
		for _, v := range e.Variants {
			before := was.Variant(v.Name)
			if before.Promise != (results.Promise{}) && before.Promise != v.Promise {
				all = append(all, fmt.Sprintf("promise of %s/%s: %v; then %v", e.Name, v.Name, before.Promise, v.Promise))
			}
		}
	}
	return all
}

// otherOperations names experiments whose operations are not those of before, where both runs
// say what they are.
func otherOperations(older, newer *results.Run) []string {
	var all []string
	differs := func(what, was, is string) {
		if was != "" && is != "" && was != is {
			all = append(all, results.Printable(fmt.Sprintf("%s: %s; then %s", what, was, is)))
		}
	}
	for _, e := range newer.Experiments {
		was := older.Experiment(e.Name)
		differs("operation of "+e.Name, was.Unit, e.Unit)
		for _, f := range e.Factors {
			for _, before := range was.Factors {
				if before.Name == f.Name {
					differs("operation of "+e.Name+" by "+f.Name, before.Unit, f.Unit)
					differs("default of "+f.Name+" in "+e.Name, before.Default, f.Default)
				}
			}
		}
	}
	return all
}
