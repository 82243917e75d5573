package load

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/hist"
	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/subject/albums"
)

// Locust is Locust asking the scenario of the albums: a master and its workers.
type Locust struct {
	Program string // of Locust
	Workers int
	Fast    bool // FastHttpUser in place of HttpUser
	Wait    Wait
	Serve   func(ctx context.Context) (url string, stop func() error, err error)
}

// LocustExperiment is Experiment with Locust as the generator. Its latencies are as fine
// as Locust keeps them: whole milliseconds, and two digits from 100 on.
func LocustExperiment(l Locust, users int) harness.Experiment {
	class, workers := "http", results.Count(l.Workers, "worker")
	if l.Fast {
		class = "fast"
	}
	return harness.Experiment{
		Name: "load", Question: Scenario{Serve: l.Serve}.question(), Unit: "request",
		ByTime: true, Beside: true, Goroutines: []int{users},
		Variants: []harness.Variant{{
			Name: fmt.Sprintf("locust-%s-%d", class, l.Workers), About: fmt.Sprintf("Locust, %s, %s", l.class(), workers),
			Promise:   results.Promise{Order: "none", Result: results.Unstated, Survives: "nothing"},
			Elsewhere: l.trial,
		}},
	}
}

func (l Locust) class() string {
	if l.Fast {
		return "FastHttpUser"
	}
	return "HttpUser"
}

// trial runs master and workers once.
func (l Locust) trial(s harness.Setup) (t results.Trial, err error) {
	url, stop, err := l.Serve(s.Context)
	if err != nil {
		return t, err
	}
	defer func() { err = errors.Join(err, stop()) }()
	file := filepath.Join(s.Dir, "locustfile.py")
	if err := os.WriteFile(file, []byte(albums.Locustfile), 0o644); err != nil {
		return t, err
	}
	host := strings.TrimSuffix(url, "/albums")
	command := exec.CommandContext(s.Context, l.Program, l.words(file, host, filepath.Join(s.Dir, "locust"), s)...)
	command.Cancel = func() error { return command.Process.Signal(os.Interrupt) }
	command.WaitDelay = stopping
	command.Dir = s.Dir
	var out, words bytes.Buffer
	command.Stdout, command.Stderr = &out, &words
	began := time.Now()
	if err := command.Run(); err != nil {
		return t, fmt.Errorf("locust: %w: %s", err, lastLine(words.String()))
	}
	return readLocust(out.Bytes(), filepath.Join(s.Dir, "locust"), time.Since(began))
}

// words are Locust's arguments. It exits 0 also where requests fail: they are counted.
func (l Locust) words(file, host, prefix string, s harness.Setup) []string {
	class := "Http"
	if l.Fast {
		class = "Fast"
	}
	return []string{"-f", file, class, "--headless", "--host", host, "--processes", strconv.Itoa(l.Workers),
		"-u", strconv.Itoa(s.Goroutines), "-r", strconv.Itoa(s.Goroutines), "-t", strconv.Itoa(max(int(s.Window.Round(time.Second).Seconds()), 1)) + "s",
		"--wait-from", seconds(l.Wait.From), "--wait-to", seconds(l.Wait.To),
		"--json", "--csv", prefix, "--csv-full-history", "--only-summary", "--exit-code-on-error", "0", "--loglevel", "ERROR"}
}

func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) }

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}

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
	t.Latency = results.NewLatency(all, results.Each)
	if err := reasonsOf(t.Kinds, prefix+"_failures.csv"); err != nil {
		return t, err
	}
	t.Moments, err = momentsOf(prefix + "_stats_history.csv")
	return t, err
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
	for text, times := range e.Times {
		ms, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return k, fmt.Errorf("locust's statistics: response time %q", text)
		}
		for range times {
			h.Record(int64(ms * 1e6))
		}
	}
	return results.Kind{Name: e.Method + " " + e.Name, Ops: e.Requests - e.Failures, Failures: map[string]int{}, Bytes: e.Bytes, Latency: results.NewLatency(h, results.Each)}, nil
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

// momentsOf reads how users and requests came over time.
func momentsOf(name string) ([]results.Moment, error) {
	all, err := rows(name)
	if err != nil {
		return nil, fmt.Errorf("locust's history: %w", err)
	}
	var moments []results.Moment
	began, before, failedBefore := 0.0, 0, 0
	for _, row := range all {
		if row["Name"] != "Aggregated" {
			continue
		}
		number := func(column string) float64 { x, _ := strconv.ParseFloat(row[column], 64); return x }
		at := number("Timestamp")
		if began == 0 {
			began = at
		}
		requests, failures := int(number("Total Request Count")), int(number("Total Failure Count"))
		moments = append(moments, results.Moment{AtNS: int64((at - began) * 1e9), Users: int(number("User Count")),
			Ops: requests - before - (failures - failedBefore), Failed: failures - failedBefore, MeanNS: results.Missing()})
		before, failedBefore = requests, failures
	}
	return moments, nil
}
