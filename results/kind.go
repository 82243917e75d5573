package results

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/syncwrite/syncwrite/hist"
)

// Kind is one sort of a trial's operations, such as the requests of one type. What
// failed is counted by reason, and is in no other figure: an answer that is an error
// can be a fast one.
type Kind struct {
	Name     string         `json:"kind"`
	Ops      int            `json:"ops"`                // that succeeded
	Failures map[string]int `json:"failures,omitempty"` // by reason
	Bytes    int64          `json:"bytes"`              // what the answers held, without their heads
	Latency  Latency        `json:"latency"`            // of those that succeeded
}

// Failed is how many of the operations failed.
func (k Kind) Failed() (n int) {
	for _, times := range k.Failures {
		n += times
	}
	return n
}

// Reasons are those of the failures, the most frequent first.
func (k Kind) Reasons() []string {
	return slices.SortedFunc(maps.Keys(k.Failures), func(a, b string) int {
		return cmp.Or(k.Failures[b]-k.Failures[a], strings.Compare(a, b))
	})
}

// MergeKinds adds up the kinds of several trials by name, in the order of the first
// trial that has them. Percentiles are those of all operations together, made of the
// merged histograms: percentiles themselves cannot be averaged.
func MergeKinds(trials []Trial) []Kind {
	var all []Kind
	for _, t := range trials {
		for _, k := range t.Kinds {
			at := slices.IndexFunc(all, func(o Kind) bool { return o.Name == k.Name })
			if at < 0 {
				at = len(all)
				all = append(all, Kind{Name: k.Name, Failures: map[string]int{}, Latency: Latency{Hist: new(hist.Histogram), FloorNS: Missing()}})
			}
			all[at].add(k)
		}
	}
	for i := range all {
		all[i].Latency = NewLatency(all[i].Latency.Hist, Each).Above(all[i].Latency.FloorNS)
	}
	return all
}

func (k *Kind) add(other Kind) {
	k.Ops += other.Ops
	k.Bytes += other.Bytes
	for reason, n := range other.Failures {
		k.Failures[reason] += n
	}
	if f := other.Latency.FloorNS; !k.Latency.FloorNS.Known() || f > k.Latency.FloorNS {
		k.Latency.FloorNS = f
	}
	if other.Latency.Hist != nil {
		k.Latency.Hist.Merge(other.Latency.Hist)
	}
}

// Moment is what was done in a stretch of a trial, from AtNS to the next one. What a
// source does not tell is missing; percentiles need enough operations, as all do.
type Moment struct {
	AtNS   int64  `json:"at_ns"` // from the window's start
	Users  int    `json:"users"` // at its end
	Ops    int    `json:"ops"`
	Failed int    `json:"failed"`
	Bytes  int64  `json:"bytes"`   // what the answers held
	MeanNS Number `json:"mean_ns"` // of the operations that succeeded in it
	P50NS  Number `json:"p50_ns"`
	P95NS  Number `json:"p95_ns"`
}

// Tick is what went on in a stretch of the trials of one cell: medians over the trials.
type Tick struct {
	AtNS    int64  `json:"at_ns"`
	Users   Number `json:"users"`
	OpsPerS Number `json:"ops_per_s"`
	P50NS   Number `json:"p50_ns"`
	P95NS   Number `json:"p95_ns"`
}

// Process is a part of a trial that worked in a process of its own, or in several: a
// server, what asks it.
type Process struct {
	Name  string `json:"process"`
	CPUNS Number `json:"cpu_ns"` // processor time in the window
	Most  int    `json:"most"`   // processors that it can use at once
	// Processors are those that it was held to; empty: any.
	Processors []int `json:"processors,omitempty"`
}

// HeldTo are the processors of those processes that are held to some, each once.
func HeldTo(all []Process) []int {
	var held []int
	for _, p := range all {
		held = append(held, p.Processors...)
	}
	slices.Sort(held)
	return slices.Compact(held)
}

// Names of processes.
const (
	Server    = "server"
	Generator = "generator"
	Master    = "master" // of several generators, and what it took to start them
)
