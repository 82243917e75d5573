package load

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/hist"
	"github.com/syncwrite/syncwrite/load/locust"
)

// Four workers that tell of their shares second by second, and some seconds in two parts,
// hold what one process would have seen: exactly, and so within 1 %.
func TestSharesAreMergedExactly(t *testing.T) {
	const workers, each = 4, 5000
	random := rand.New(rand.NewPCG(1, 2))
	alone, kept := new(hist.Histogram), new(bytes.Buffer)
	lines := json.NewEncoder(kept)
	for part := range 6 {
		for w := range workers {
			h := new(hist.Histogram)
			for range each {
				ns := int64(math.Exp(random.NormFloat64()) * 1e6)
				h.Record(ns)
				alone.Record(ns)
			}
			text, _ := h.MarshalText()
			share := locust.Share{Worker: fmt.Sprint("w", w), Run: 1, Lasted: float64(part+1) / 2, CPU: 0.25, AtWork: 0.75, Processors: 2,
				Seconds: map[string]locust.Second{fmt.Sprint(part / 2): {Users: 3, Kinds: map[string]locust.Tally{
					"GET /": {Bytes: each, Hist: string(text), Failures: map[string]int{"timeout": 1}, FailedNS: 2e9},
				}}}}
			if err := lines.Encode(share); err != nil {
				t.Fatal(err)
			}
		}
	}
	seen, most, err := readShares(kept)
	if err != nil {
		t.Fatal(err)
	}
	trial, err := seen.trial(3 * workers)
	if err != nil {
		t.Fatal(err)
	}
	if !trial.Kinds[0].Latency.Hist.Equal(alone) || !trial.Latency.Hist.Equal(alone) {
		t.Error("merged is not what one would have seen")
	}
	if trial.Ops != 6*workers*each || trial.Failed != 6*workers || trial.WallNS != 3e9 || most != 2*workers || seen.cpu != 6e9 || trial.Kinds[0].Bytes != 6*workers*each {
		t.Errorf("%d and %d failed in %v of %d processors, %v used", trial.Ops, trial.Failed, trial.WallNS, most, seen.cpu)
	}
	if trial.FailedNS != 6*workers*2e9 {
		t.Errorf("what failed took %v", trial.FailedNS)
	}
	// 12 users were at work for 18 s together, and one of them for longer than the others.
	if trial.Cycles != trial.Ops || trial.CyclesNS != 1.5e9 {
		t.Errorf("%d answers in %d ns of each user", trial.Cycles, trial.CyclesNS)
	}
	for i, m := range trial.Moments[:3] {
		if m.Users != 3*workers || m.Ops != 2*workers*each {
			t.Errorf("second %d: %+v", i, m)
		}
	}
}

// Of a worker's runs the last one counts.
func TestSharesOfAnEarlierRun(t *testing.T) {
	line := func(run int) string {
		return fmt.Sprintf(`{"worker": "w", "run": %d, "s": 1, "seconds": {"0": {"users": 1, "kinds": {"GET /": {"hist": "AQoKCgoB", "bytes": 1}}}}}`+"\n", run)
	}
	seen, _, err := readShares(strings.NewReader(line(1) + line(1) + line(2)))
	if err != nil {
		t.Fatal(err)
	}
	if trial, err := seen.trial(1); err != nil || trial.Ops != 1 || trial.Latency.MeanNS != 10 {
		t.Errorf("%d operations, %v", trial.Ops, err)
	}
}

func TestBadShares(t *testing.T) {
	for text, want := range map[string]string{
		"":                    "no request",
		"{}\n":                "line 1",
		"\x1b[2J\n":           "line 1",
		`{"worker": "w", "s"`: "line 1",
		`{"worker": "w", "s": 1, "seconds": {"0": {"kinds": {"a": {"hist": "!"}}}}}`: "line 1",
		`{"worker": "w", "s": 1, "seconds": {"-1": {"kinds": {}}}}`:                  `second "-1"`,
	} {
		if _, _, err := readShares(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func TestWrittenScenarioIsReadAgain(t *testing.T) {
	s := Scenario{URL: "http://there/a?x=1", Mix: []Weighted{{Method: "GET", Weight: 3}, {Method: "POST", Weight: 1, Path: "/b"}, {Method: "PUT", Weight: 2, Body: `{"a": 1}`}},
		Body: `"{{run}}" & <more>`, Header: http.Header{"X-One": {"1", "2"}}, Wait: Wait{time.Second, 2 * time.Second}, Timeout: 5 * time.Second, Insecure: true}
	var text bytes.Buffer
	if err := WriteScenario(&text, s); err != nil {
		t.Fatal(err)
	}
	got, err := ReadScenario(&text)
	if err != nil {
		t.Fatal(err)
	}
	want := s
	want.Body = ""
	want.Mix = []Weighted{s.Mix[0], {Method: "POST", Weight: 1, Path: "/b", Body: s.Body}, s.Mix[2]}
	want.Header = http.Header{"X-One": {"1, 2"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("read\n%+v, want\n%+v", got, want)
	}
}

func TestComplaint(t *testing.T) {
	for words, want := range map[string]string{
		"syncwrite: one\nsyncwrite: two\n  a hint\n": "two",
		"panic: no\n\n": "panic: no",
		"":              "",
	} {
		if got := complaint(words); got != want {
			t.Errorf("%q: %q, want %q", words, got, want)
		}
	}
}
