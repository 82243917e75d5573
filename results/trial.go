package results

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/syncwrite/syncwrite/hist"
)

// Trial is one timed window: Ops operations of one cell, by Goroutines
// goroutines, between a start barrier and the last finish.
type Trial struct {
	Experiment  string            `json:"experiment"`
	Variant     string            `json:"variant"`
	Factors     map[string]string `json:"factors,omitempty"`
	Goroutines  int               `json:"goroutines"`
	GOMAXPROCS  int               `json:"gomaxprocs,omitempty"` // 0: that of the machine's record
	Started     int               `json:"started"`              // goroutines that ran, counted by themselves
	Besides     int               `json:"besides,omitempty"`    // other goroutines of the instance, alive when the window began
	Block       int               `json:"block"`                // from 1
	Position    int               `json:"position"`             // place in the block's random order, from 1
	Ops         int               `json:"ops"`                  // operations that succeeded, counted
	Failed      int               `json:"failed"`
	EndsNS      int64             `json:"ends_ns,omitempty"`   // in files of before Cycles, where goroutines stop by the clock: the mean of their own ends; 0: they end together
	Cycles      int               `json:"cycles,omitempty"`    // where goroutines stop by the clock: the answers that tell of the rate, those of the cycles behind each one's first
	CyclesNS    int64             `json:"cycles_ns,omitempty"` // and the mean of the time that goroutines took for these cycles; 0: there are none
	WallNS      int64             `json:"wall_ns"`
	GoroutineNS int64             `json:"goroutine_ns"`       // Σ from the barrier to each goroutine's own end
	StartWaitNS int64             `json:"start_wait_ns"`      // the part of it from the barrier to each one's own start
	FirstNS     int64             `json:"first_ns,omitempty"` // what the first operation of a goroutine took on average
	LaterNS     int64             `json:"later_ns,omitempty"` // what one took its goroutine on average, once its first was done; 0: no goroutine did a second
	HalfNS      int64             `json:"half_ns,omitempty"`  // when about half of the operations were done; 0: not measured
	HalfOps     int               `json:"half_ops,omitempty"` // and how many those were
	AcceptedNS  int64             `json:"accepted_ns,omitempty"`
	Latency     Latency           `json:"latency"`
	Naive       Naive             `json:"naive"`
	Guard       *Guard            `json:"guard,omitempty"`
	Open        *Open             `json:"open,omitempty"`              // nil: the closed loop
	Lost        *int              `json:"lost,omitempty"`              // operations without effect, where the promise lets some be
	Outside     float64           `json:"outside_share,omitempty"`     // of the wall time, what no operation's time holds
	Alone       float64           `json:"ended_alone_share,omitempty"` // of the cycles behind the first, × Answering: what ended behind the window, where nobody asks anew; the rate can be too high by as much
	Answering   float64           `json:"answering_share,omitempty"`   // of goroutines' time in their cycles behind the first: waiting for answers that came; 0: not measured
	PausedNS    int64             `json:"paused_ns,omitempty"`         // Σ of what goroutines waited between operations, because users do
	FailedNS    int64             `json:"failed_ns,omitempty"`         // Σ of the latencies of what failed; 0 beside failures: not measured
	Kinds       []Kind            `json:"kinds,omitempty"`             // the operations by sort, where there are several
	Moments     []Moment          `json:"moments,omitempty"`           // the window in stretches
	Calls       int               `json:"calls,omitempty"`             // requests to a service that the operations took, where they are counted
	Processes   []Process         `json:"processes,omitempty"`         // that worked for it, where there are several
	Usage       Usage             `json:"usage"`
	UsageNS     int64             `json:"usage_ns,omitempty"` // the time that Usage covers: longer than WallNS where what failed was waited for; 0: WallNS
	Warnings    []Warning         `json:"warnings,omitempty"`
	InsteadOf   *Number           `json:"instead_of,omitempty"` // the rate of a window that others disturbed, which was measured once more and is no trial

	// Env is the index of the trial's Env in its Run.
	Env int `json:"-"`
}

// Latency is the distribution of single operations. Quantiles that the
// samples cannot carry are missing.
type Latency struct {
	Mode    string          `json:"mode"` // each or sampled
	Samples uint64          `json:"samples"`
	MeanNS  Number          `json:"mean_ns"` // goroutine time ÷ operations: exact in both modes
	P50NS   Number          `json:"p50_ns"`
	P90NS   Number          `json:"p90_ns"`
	P99NS   Number          `json:"p99_ns"`
	P999NS  Number          `json:"p999_ns"`
	MaxNS   Number          `json:"max_ns"`
	ChunkNS Number          `json:"chunk_max_ns"` // longest stretch between two samples: no operation took longer
	FloorNS Number          `json:"floor_ns"`     // a quantile not above it is noise of the clock, and missing
	Hist    *hist.Histogram `json:"hist,omitempty"`
}

// NewLatency sums up a histogram of operations. Quantiles with fewer than ten
// values beyond them are missing, and so are p99.9 and the maximum of sampled
// operations: the rare slow one was probably not among the samples. The mean
// is the histogram's; a caller who knows it exactly sets it.
func NewLatency(h *hist.Histogram, mode string) Latency {
	carried := func(q float64) Number { return Number(h.Carried(q)) }
	l := Latency{
		Mode: mode, Samples: h.Count(), Hist: h, MeanNS: Number(h.Mean()),
		P50NS: carried(0.50), P90NS: carried(0.90), P99NS: carried(0.99),
		P999NS: Missing(), MaxNS: Missing(), ChunkNS: Missing(), FloorNS: Missing(),
	}
	if mode == Each && h.Count() > 0 {
		l.P999NS, l.MaxNS = carried(0.999), Number(h.Max())
	}
	return l
}

// MergeLatencies sums up the operations of several trials as one. It reports
// false if one of them has no histogram, or if one timed each operation and
// another sampled: they do not weigh the same.
func MergeLatencies(trials []Trial) (Latency, bool) {
	all, mode, floor := new(hist.Histogram), Each, Missing()
	for _, t := range trials {
		if t.Latency.Hist == nil || t.Latency.Mode != trials[0].Latency.Mode {
			return Latency{}, false
		}
		all.Merge(t.Latency.Hist)
		if f := t.Latency.FloorNS; !floor.Known() || f > floor {
			floor = f
		}
		if t.Latency.Mode != Each {
			mode = Sampled
		}
	}
	return NewLatency(all, mode).Above(floor), true
}

// Modes of timing operations.
const (
	Each    = "each"
	Sampled = "sampled"
)

// Naive is what a naive reading of the same trial would say.
type Naive struct {
	// SummedLatencyNS adds up the clients' latencies: n·w·t² where writes are
	// serialised and only n·t·w passed.
	SummedLatencyNS Number `json:"summed_latency_ns"`
	// OpsPerS divides the operations by that sum.
	OpsPerS Number `json:"ops_per_s"`
}

// Guard is the server's side of a trial: how long the guarded part was held.
type Guard struct {
	Acquisitions int64  `json:"acquisitions"`
	BusyNS       Number `json:"busy_ns"`    // held, summed; estimated from samples where operations are sampled
	SpanNS       int64  `json:"span_ns"`    // first acquisition to last release
	BusyShare    Number `json:"busy_share"` // BusyNS ÷ wall
}

// OpsPerS is the throughput: operations ÷ wall time; in the open loop [Open.DonePerS],
// since one slow answer makes a trial longer and a rate no lower. Where goroutines stop by the clock it
// is that of their whole cycles: what ends within the window alone would miss the longest,
// and until the last end of all, who is done would count as at work while one waits.
func (t Trial) OpsPerS() float64 {
	if t.Open != nil {
		if done := t.Open.DonePerS(t.Ops); done > 0 {
			return float64(done)
		}
	}
	if t.CyclesNS > 0 {
		return float64(t.Cycles) / float64(t.CyclesNS) * 1e9
	}
	return float64(t.Ops) / float64(cmp.Or(t.EndsNS, t.WallNS)) * 1e9
}

// RateNS is the time in which so many operations are done at the trial's rate; of a trial
// without any, the wall time.
func (t Trial) RateNS() int64 {
	if rate := t.OpsPerS(); t.Ops > 0 && rate > 0 {
		return roundNS(Number(t.Ops) / Number(rate) * 1e9)
	}
	return t.WallNS
}

// CoveredNS is the time that Usage covers: what others took is a share of that, while the
// process itself works in the window.
func (t Trial) CoveredNS() int64 { return cmp.Or(t.UsageNS, t.WallNS) }

// OthersNS is what programs that are no part of the trial used of the processors, in
// nanoseconds: what this process saw others use, less what the trial's processes did. One
// that asks is among the others only where another program measured.
func (t Trial) OthersNS() Number {
	others := t.Usage.OthersNS
	for _, p := range t.Processes {
		if p.Name != Generator || !t.Usage.UserNS.Known() {
			others -= p.CPUNS
		}
	}
	return max(others, 0)
}

// Slowing is by how much more an operation took in the second half of the trial than in
// the first, as a share of what one took on average: 0 where the operation is steady.
// Missing where halves were not measured.
func (t Trial) Slowing() Number {
	end := cmp.Or(t.AcceptedNS, t.WallNS)
	if t.HalfNS <= 0 || t.HalfNS >= end || t.HalfOps <= 0 || t.HalfOps >= t.Ops {
		return Missing()
	}
	early, late := float64(t.HalfNS)/float64(t.HalfOps), float64(end-t.HalfNS)/float64(t.Ops-t.HalfOps)
	return Number(2 * (late - early) / (late + early))
}

// LostShare is the part of the operations that were without effect; NaN where
// the promise allows none and none were counted.
func (t Trial) LostShare() float64 {
	if t.Lost == nil {
		return math.NaN()
	}
	return float64(*t.Lost) / float64(t.Ops)
}

// EffectiveGoroutines is Σ goroutine time ÷ wall: how many of the goroutines
// were between their start and their end at once, on average. Time after the
// last operation was accepted does not count: no goroutine works in it. It is
// NaN where goroutine time was not measured.
func (t Trial) EffectiveGoroutines() float64 {
	if t.GoroutineNS == 0 {
		return math.NaN()
	}
	wall := t.WallNS
	if t.AcceptedNS > 0 {
		wall = t.AcceptedNS
	}
	return float64(t.GoroutineNS) / float64(wall)
}

// Cell names what a trial repeats: variant, factors and goroutines.
type Cell struct {
	Experiment string `json:"experiment"`
	Variant    string `json:"variant"`
	Factors    string `json:"factors"` // as FactorKey has them
	Goroutines int    `json:"goroutines"`
}

// SameSeries reports whether two cells differ in their goroutines at most.
func (c Cell) SameSeries(other Cell) bool {
	c.Goroutines = other.Goroutines
	return c == other
}

// FileName names a file after the cell.
func (c Cell) FileName() string {
	words := []string{c.Experiment, c.Variant, c.Factors, strconv.Itoa(c.Goroutines)}
	words = slices.DeleteFunc(words, func(word string) bool { return word == "" })
	return strings.NewReplacer("/", "-", `\`, "-", ":", "-").Replace(strings.Join(words, "-"))
}

// OpNS is the goroutine time of an operation; missing without one.
func (t Trial) OpNS() Number {
	if t.Ops == 0 {
		return Missing()
	}
	return Number(float64(t.GoroutineNS) / float64(t.Ops))
}

// Cell returns the cell of the trial.
func (t Trial) Cell() Cell {
	return Cell{t.Experiment, t.Variant, FactorKey(t.Factors), t.Goroutines}
}

// FactorKey writes factors as "a=1/b=2", sorted by name. Different factors have
// different keys: what would blur the borders, and what a Go benchmark name
// cannot hold, is escaped with a percent sign as in a URL.
func FactorKey(factors map[string]string) string {
	parts := make([]string, 0, len(factors))
	for name, level := range factors {
		parts = append(parts, escapeName(name)+"="+escapeName(level))
	}
	slices.Sort(parts)
	return strings.Join(parts, "/")
}
