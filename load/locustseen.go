package load

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/hist"
	"github.com/syncwrite/syncwrite/results"
)

// A locustSeen is what a process of Locust's saw, as the locustfile writes it.
type locustSeen struct {
	Lasted  float64                 `json:"s"` // from its start to its end
	CPU     float64                 `json:"cpu_s"`
	Cycles  []harness.Cycles        `json:"cycles"`  // of each user
	Seconds map[string]locustSecond `json:"seconds"` // from its start
}

type locustSecond struct {
	Users int                   `json:"users"` // of this process
	Kinds map[string]locustKind `json:"kinds"`
}

type locustKind struct {
	Bytes    int64          `json:"bytes"`     // of what succeeded
	Times    map[string]int `json:"ms"`        // the same, how often
	Failures map[string]int `json:"failures"`  // by reason
	FailedNS float64        `json:"failed_ns"` // what those took, added up
	// Hist is of workers in Go, in place of Times.
	Hist *hist.Histogram `json:"hist"`
}

// locustStep is how fine response times are written, in ns.
const locustStep = 1e4

// A locustTrial is what all processes saw.
type locustTrial struct {
	moments   []results.Moment
	latencies []hist.Histogram // by moment
	users     int              // of all processes, each at its most
	kinds     map[string]*results.Kind
	failedNS  float64
	cpu       results.Number
	cycles    []harness.Cycles // of each user; none: nobody knows
	wall      int64            // of the process that was longest at it
	step      results.Number
}

// readSeen adds up what all processes saw, second by second over a trial.
func readSeen(directory string) (*locustTrial, error) {
	all, err := seenIn(directory)
	if err != nil {
		return nil, fmt.Errorf("what locust saw: %w", err)
	}
	return addUp(all, locustStep)
}

// addUp adds up what processes saw, whose times are so fine, in ns.
func addUp(all []locustSeen, step results.Number) (*locustTrial, error) {
	t := &locustTrial{kinds: map[string]*results.Kind{}, step: step}
	for _, seen := range all {
		if len(seen.Seconds) > 0 { // the master's users are its workers'
			t.wall = max(t.wall, int64(seen.Lasted*1e9))
		}
	}
	if t.wall <= 0 {
		return nil, errors.New("what locust saw: no request")
	}
	seconds := int(t.wall/int64(time.Second)) + 1
	t.moments, t.latencies = make([]results.Moment, seconds), make([]hist.Histogram, seconds)
	for _, seen := range all {
		if err := t.add(seen); err != nil {
			return nil, fmt.Errorf("what locust saw: %w", err)
		}
	}
	for i := range t.moments {
		m, h := &t.moments[i], &t.latencies[i]
		m.AtNS, m.Ops = int64(i)*int64(time.Second), int(h.Count())
		m.MeanNS, m.P50NS, m.P95NS = results.Number(h.Mean()), results.Number(h.Carried(0.50)), results.Number(h.Carried(0.95))
	}
	return t, nil
}

// seenIn reads what each process wrote.
func seenIn(directory string) (all []locustSeen, err error) {
	files, err := filepath.Glob(filepath.Join(directory, "*.json"))
	if err != nil {
		return nil, err
	}
	for _, name := range files {
		var seen locustSeen
		text, err := os.ReadFile(name)
		if err == nil {
			err = json.Unmarshal(text, &seen)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, seen)
	}
	return all, nil
}

// add adds what a process saw. One whose users all rest for a second has them still, until it
// ends.
func (t *locustTrial) add(seen locustSeen) error {
	t.cpu += results.Number(seen.CPU * 1e9)
	t.cycles = append(t.cycles, seen.Cycles...)
	users, most := make([]int, len(t.moments)), 0
	for word, s := range seen.Seconds {
		at, err := strconv.Atoi(word)
		if err != nil || at < 0 {
			return fmt.Errorf("second %q", word)
		}
		at = min(at, len(t.moments)-1)
		users[at], most = max(users[at], s.Users), max(most, s.Users)
		for name, k := range s.Kinds {
			if err := t.addKind(at, name, k); err != nil {
				return err
			}
		}
	}
	t.users += most
	for at := range t.moments {
		if users[at] == 0 && at > 0 && float64(at) < seen.Lasted {
			users[at] = users[at-1]
		}
		t.moments[at].Users += users[at]
	}
	return nil
}

func (t *locustTrial) addKind(at int, name string, k locustKind) error {
	all := t.kinds[name]
	if all == nil {
		all = &results.Kind{Name: name, Failures: map[string]int{}, Latency: results.Latency{Hist: new(hist.Histogram)}}
		t.kinds[name] = all
	}
	all.Bytes += k.Bytes
	for reason, n := range k.Failures {
		all.Failures[results.OneLine(reason)] += n
		t.moments[at].Failed += n
	}
	t.failedNS += k.FailedNS
	t.moments[at].Bytes += k.Bytes
	if k.Hist != nil {
		all.Latency.Hist.Merge(k.Hist)
		t.latencies[at].Merge(k.Hist)
	}
	for text, n := range k.Times {
		ms, err := strconv.ParseFloat(text, 64)
		if err != nil || n < 0 {
			return fmt.Errorf("response time %q, %d times", text, n)
		}
		all.Latency.Hist.RecordN(int64(ms*1e6), uint64(n))
		t.latencies[at].RecordN(int64(ms*1e6), uint64(n))
	}
	return nil
}

// trial makes one of what so many users did.
func (t *locustTrial) trial(users int) (trial results.Trial, err error) {
	whole := new(hist.Histogram)
	for _, name := range slices.Sorted(maps.Keys(t.kinds)) {
		k := *t.kinds[name]
		whole.Merge(k.Latency.Hist)
		k.Ops, k.Latency = int(k.Latency.Hist.Count()), results.NewLatency(k.Latency.Hist, results.Each).Above(t.step)
		trial.Ops, trial.Failed = trial.Ops+k.Ops, trial.Failed+k.Failed()
		trial.Kinds = append(trial.Kinds, k)
	}
	// Who is ended before a first answer is in no second, and tells of no cycle but that there was one.
	if told := max(t.users, len(t.cycles)); told < users { // one of its processes ended before it had told what it saw
		return trial, fmt.Errorf("locust told of %d of %d users", told, users)
	}
	trial.Latency = results.NewLatency(whole, results.Each).Above(t.step)
	trial.Moments, trial.WallNS, trial.FailedNS = t.moments, t.wall, int64(t.failedNS)
	if trial.Ops > 0 && len(t.cycles) > 0 {
		for len(t.cycles) < users {
			t.cycles = append(t.cycles, harness.Cycles{})
		}
		harness.RateOfUsers(&trial, t.cycles, t.wall)
		trial.CyclesNS = trial.CyclesNS * int64(max(len(t.cycles), users)) / int64(users) // one who went on elsewhere is told of twice
	}
	return trial, nil
}
