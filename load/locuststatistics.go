package load

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/syncwrite/syncwrite/hist"
	"github.com/syncwrite/syncwrite/results"
)

// locustStep is what Locust's response times are rounded to, in ns, and more from 100 ms on.
const locustStep = 1e6

// A locustEntry is what Locust tells of one type of request.
type locustEntry struct {
	Name     string         `json:"name"`
	Method   string         `json:"method"`
	Requests int            `json:"num_requests"`
	Failures int            `json:"num_failures"`
	Bytes    int64          `json:"total_content_length"`
	Start    float64        `json:"start_time"`             // s
	Last     float64        `json:"last_request_timestamp"` // s
	Times    map[string]int `json:"response_times"`         // ms, how often
}

// readLocust makes a trial of what Locust wrote. Requests a second are requests ÷
// duration, from the first's start to the last's end. Failed ones are among Locust's
// response times: it does not tell them apart.
func readLocust(out []byte, prefix string, took time.Duration) (t results.Trial, err error) {
	entries, err := entriesOf(out)
	if err != nil {
		return t, err
	}
	slices.SortFunc(entries, func(a, b locustEntry) int { return strings.Compare(a.Method, b.Method) })
	all := new(hist.Histogram)
	first, last := 0.0, 0.0
	for _, e := range entries {
		k, err := e.kind()
		if err != nil {
			return t, err
		}
		all.Merge(k.Latency.Hist)
		if first == 0 || e.Start < first {
			first = e.Start
		}
		last = max(last, e.Last)
		t.Ops += k.Ops
		t.Failed += e.Failures
		t.Kinds = append(t.Kinds, k)
	}
	t.WallNS = int64((last - first) * 1e9)
	if len(entries) == 0 {
		return t, errors.New("locust's users asked nothing")
	}
	if t.WallNS <= 0 || t.WallNS > int64(took) {
		return t, fmt.Errorf("locust's statistics: %v of requests in %v", time.Duration(t.WallNS), took)
	}
	t.Latency = results.NewLatency(all, results.Each).Above(locustStep)
	return t, reasonsOf(t.Kinds, prefix+"_failures.csv")
}

// entriesOf finds the statistics of all. Each process writes its own, a worker what it
// has not told the master: the master's have the most requests.
func entriesOf(out []byte) (most []locustEntry, err error) {
	at := bytes.IndexByte(out, '[')
	if at < 0 {
		return nil, errors.New("locust wrote no statistics: " + lastLine(string(out)))
	}
	requests := -1
	for decoder := json.NewDecoder(bytes.NewReader(out[at:])); ; {
		var entries []locustEntry
		if err := decoder.Decode(&entries); err == io.EOF {
			return most, nil
		} else if err != nil {
			return nil, fmt.Errorf("locust's statistics: %w", err)
		}
		n := 0
		for _, e := range entries {
			n += e.Requests
		}
		if n > requests {
			most, requests = entries, n
		}
	}
}

func (e locustEntry) kind() (k results.Kind, err error) {
	h := new(hist.Histogram)
	if err := recordTimes(h, e.Times); err != nil {
		return k, err
	}
	return results.Kind{Name: e.Method + " " + e.Name, Ops: e.Requests - e.Failures, Failures: map[string]int{}, Bytes: e.Bytes, Latency: results.NewLatency(h, results.Each).Above(locustStep)}, nil
}

// rows reads a CSV file of Locust's by the names of its columns; none if it is not there.
func rows(name string) ([]map[string]string, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	reader := csv.NewReader(file)
	reader.FieldsPerRecord = -1
	head, err := reader.Read()
	if err == io.EOF {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var all []map[string]string
	for {
		row, err := reader.Read()
		if err == io.EOF {
			return all, nil
		}
		if err != nil {
			return all, err
		}
		named := map[string]string{}
		for i, cell := range row[:min(len(row), len(head))] {
			named[head[i]] = cell
		}
		all = append(all, named)
	}
}

// reasonsOf reads why requests failed.
func reasonsOf(kinds []results.Kind, name string) error {
	all, err := rows(name)
	if err != nil {
		return fmt.Errorf("locust's failures: %w", err)
	}
	for _, row := range all {
		n, err := strconv.Atoi(row["Occurrences"])
		if err != nil {
			return fmt.Errorf("locust's failures: %q occurrences", row["Occurrences"])
		}
		for i := range kinds {
			if kinds[i].Name == row["Method"]+" "+row["Name"] {
				kinds[i].Failures[results.OneLine(row["Error"])] += n
			}
		}
	}
	return nil
}
