package load

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/syncwrite/syncwrite/hist"
	"github.com/syncwrite/syncwrite/results"
)

// A locustSeen is what a process of Locust's saw, as the locustfile writes it.
type locustSeen struct {
	CPU     float64                 `json:"cpu_s"`
	Seconds map[string]locustSecond `json:"seconds"` // from its start
}

type locustSecond struct {
	Ops    int            `json:"ops"`
	Failed int            `json:"failed"`
	Bytes  int64          `json:"bytes"`
	Users  int            `json:"users"` // of this process
	Times  map[string]int `json:"ms"`    // of those that succeeded, how often
}

// readSeen adds up what all processes saw, second by second over a trial, and the
// processor time that they used.
func readSeen(directory string, wall int64) (moments []results.Moment, cpu results.Number, err error) {
	files, err := filepath.Glob(filepath.Join(directory, "*.json"))
	if err != nil {
		return nil, 0, err
	}
	seconds := int(wall/int64(time.Second)) + 1
	moments = make([]results.Moment, seconds)
	latencies := make([]hist.Histogram, seconds)
	for _, name := range files {
		var seen locustSeen
		text, err := os.ReadFile(name)
		if err == nil {
			err = json.Unmarshal(text, &seen)
		}
		if err != nil {
			return nil, 0, fmt.Errorf("what locust saw: %w", err)
		}
		cpu += results.Number(seen.CPU * 1e9)
		if err := seen.into(moments, latencies); err != nil {
			return nil, 0, err
		}
	}
	for i := range moments {
		m, h := &moments[i], &latencies[i]
		m.AtNS = int64(i) * int64(time.Second)
		m.MeanNS, m.P50NS, m.P95NS = results.Number(h.Mean()), results.Number(h.Carried(0.50)), results.Number(h.Carried(0.95))
	}
	return moments, cpu, nil
}

// into adds what a process saw. One whose users all rest for a second has them still.
func (seen locustSeen) into(moments []results.Moment, latencies []hist.Histogram) error {
	users := make([]int, len(moments))
	for word, s := range seen.Seconds {
		at, err := strconv.Atoi(word)
		if err != nil || at < 0 {
			return fmt.Errorf("what locust saw: second %q", word)
		}
		at = min(at, len(moments)-1)
		m := &moments[at]
		m.Ops, m.Failed, m.Bytes = m.Ops+s.Ops, m.Failed+s.Failed, m.Bytes+s.Bytes
		users[at] = max(users[at], s.Users)
		if err := recordTimes(&latencies[at], s.Times); err != nil {
			return err
		}
	}
	for at := range moments {
		if users[at] == 0 && at > 0 {
			users[at] = users[at-1]
		}
		moments[at].Users += users[at]
	}
	return nil
}

// recordTimes records response times in ms, each as often as it is said.
func recordTimes(h *hist.Histogram, times map[string]int) error {
	for text, n := range times {
		ms, err := strconv.ParseFloat(text, 64)
		if err != nil || n < 0 {
			return fmt.Errorf("locust's statistics: response time %q, %d times", text, n)
		}
		h.RecordN(int64(ms*1e6), uint64(n))
	}
	return nil
}
