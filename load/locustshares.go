package load

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/syncwrite/syncwrite/hist"
	"github.com/syncwrite/syncwrite/results"
)

// A shareLine is a line of the file that our locustfile writes: what a worker in Go saw
// since its last one, a locust.Share.
type shareLine struct {
	locustSeen
	Worker     string `json:"worker"`
	Run        int    `json:"run"`
	Last       bool   `json:"last"`
	Processors int    `json:"processors"`
}

// mostLine is how long a line can be, in bytes.
const mostLine = 64 << 20

// A shareWorker is what a worker in Go told of its last run.
type shareWorker struct {
	parts []locustSeen
	run   int
	most  int  // processors that it could use
	whole bool // its last share is among the parts
}

// readShares adds up what so many workers saw in a run, each its last one, and how many
// processors they could use.
func readShares(r io.Reader, count int) (t *locustTrial, most int, err error) {
	workers, err := sharesOf(r)
	if err != nil {
		return nil, 0, fmt.Errorf("what workers saw: %w", err)
	}
	if err := whole(workers, count); err != nil {
		return nil, 0, err
	}
	var all []locustSeen
	for _, name := range slices.Sorted(maps.Keys(workers)) {
		all = append(all, joined(workers[name].parts))
		most += workers[name].most
	}
	t, err = addUp(all, 0)
	return t, most, err
}

// whole is an error unless each worker has told all that it saw: a rate without what one of them
// did not tell would be of no run.
func whole(workers map[string]*shareWorker, count int) error {
	told := 0
	for _, w := range workers {
		if w.whole {
			told++
		}
	}
	if told < count || told < len(workers) {
		return fmt.Errorf("%d of %s told the master the last of what they saw: the rest is in no figure", told, results.Count(max(count, len(workers)), "worker"))
	}
	return nil
}

// sharesOf reads what each worker told of its last run.
func sharesOf(r io.Reader) (map[string]*shareWorker, error) {
	workers := map[string]*shareWorker{}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, mostLine)
	for n := 1; lines.Scan(); n++ {
		var line shareLine
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil || line.Worker == "" {
			return nil, fmt.Errorf("line %d: %w", n, errors.Join(err, errNoShare))
		}
		w := workers[line.Worker]
		if w == nil || w.run != line.Run {
			w = &shareWorker{run: line.Run}
			workers[line.Worker] = w
		}
		w.parts, w.most = append(w.parts, line.locustSeen), max(w.most, line.Processors)
		w.whole = w.whole || line.Last
	}
	return workers, lines.Err()
}

var errNoShare = errors.New("no share of a worker's")

// joined is what one process saw, of the parts in which it told.
func joined(parts []locustSeen) locustSeen {
	whole := locustSeen{Seconds: map[string]locustSecond{}}
	for _, part := range parts {
		whole.Lasted = max(whole.Lasted, part.Lasted)
		whole.CPU += part.CPU
		whole.Cycles = append(whole.Cycles, part.Cycles...)
		for second, s := range part.Seconds {
			at := whole.Seconds[second]
			at.Users = max(at.Users, s.Users)
			if at.Kinds == nil {
				at.Kinds = map[string]locustKind{}
			}
			for name, k := range s.Kinds {
				at.Kinds[name] = at.Kinds[name].and(k)
			}
			whole.Seconds[second] = at
		}
	}
	return whole
}

// and is what both hold together, of workers in Go.
func (k locustKind) and(o locustKind) locustKind {
	sum := locustKind{Bytes: k.Bytes + o.Bytes, Failures: maps.Clone(k.Failures), FailedNS: k.FailedNS + o.FailedNS, Hist: new(hist.Histogram)}
	for _, h := range []*hist.Histogram{k.Hist, o.Hist} {
		if h != nil {
			sum.Hist.Merge(h)
		}
	}
	if sum.Failures == nil {
		sum.Failures = map[string]int{}
	}
	for reason, n := range o.Failures {
		sum.Failures[reason] += n
	}
	return sum
}
