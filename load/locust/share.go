package locust

import (
	"maps"
	"strconv"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/hist"
)

// Histograms is the name under which what Locust has no place for travels with a worker's
// statistics, for the locustfile of this package to keep: a [Share].
const Histograms = "syncwrite"

// A Share is what a worker did since its last one, in full. Adding up those of all workers
// loses nothing, if each worker's last one is among them.
type Share struct {
	Worker     string            `json:"worker" msgpack:"worker"`
	Run        int               `json:"run" msgpack:"run"`   // of the worker, from 1
	Last       bool              `json:"last" msgpack:"last"` // of the run
	Lasted     float64           `json:"s" msgpack:"s"`       // seconds from the run's beginning
	CPU        float64           `json:"cpu_s" msgpack:"cpu_s"`
	Cycles     []harness.Cycles  `json:"cycles" msgpack:"cycles"`         // of each user who has ended
	Processors int               `json:"processors" msgpack:"processors"` // that it can use at once
	Seconds    map[string]Second `json:"seconds" msgpack:"seconds"`       // by their number, from the run's beginning
}

// A Second is what a worker's users did in it.
type Second struct {
	Users int              `json:"users" msgpack:"users"`
	Kinds map[string]Tally `json:"kinds" msgpack:"kinds"` // by method and name
}

// A Tally is of one kind of operation.
type Tally struct {
	Bytes    int64          `json:"bytes" msgpack:"bytes"`         // of what succeeded
	Hist     string         `json:"hist" msgpack:"hist"`           // the same: a histogram's text, in ns
	Failures map[string]int `json:"failures" msgpack:"failures"`   // by reason
	FailedNS int64          `json:"failed_ns" msgpack:"failed_ns"` // what those took, added up
}

// shared is the part of a share that a tally knows.
func shared(kinds []Kind, users int, of seconds) map[string]Second {
	all := map[string]Second{}
	for second, cells := range of {
		s := Second{Users: users, Kinds: map[string]Tally{}}
		for i, c := range cells {
			if c.answered != nil || c.failed != nil {
				s.Kinds[kinds[i].String()] = c.shared()
			}
		}
		all[strconv.FormatInt(second, 10)] = s
	}
	return all
}

func (c cell) shared() Tally {
	t := Tally{Bytes: c.bytes, Failures: maps.Clone(c.failures)}
	if t.Failures == nil {
		t.Failures = map[string]int{}
	}
	if c.failed != nil {
		t.FailedNS = int64(c.failed.Mean() * float64(c.failed.Count()))
	}
	h := c.answered
	if h == nil {
		h = new(hist.Histogram)
	}
	written, _ := h.MarshalText() // never an error
	t.Hist = string(written)
	return t
}

func (k Kind) String() string {
	if k.Method == "" {
		return k.Name
	}
	return k.Method + " " + k.Name
}
