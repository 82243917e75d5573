package load

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/hist"
	"github.com/syncwrite/syncwrite/load/locust"
	"github.com/syncwrite/syncwrite/results"
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
			share := locust.Share{Worker: fmt.Sprint("w", w), Run: 1, Last: part == 5, Lasted: float64(part+1) / 2, CPU: 0.25, Cycles: []harness.Cycles{{Begun: each, Answers: each - 1, EndNS: 0.75e9, Answering: 0.5e9}}, Processors: 2,
				Seconds: map[string]locust.Second{fmt.Sprint(part / 2): {Users: 3, Kinds: map[string]locust.Tally{
					"GET /": {Bytes: each, Hist: string(text), Failures: map[string]int{"timeout": 1}, FailedNS: 2e9},
				}}}}
			if err := lines.Encode(share); err != nil {
				t.Fatal(err)
			}
		}
	}
	seen, most, err := readShares(kept, workers)
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
	// 24 users of whom each stayed for half of the time are as fast as 12 who stay.
	if want := 3.0 * workers * (each - 1) / 0.75; math.Abs(trial.OpsPerS()-want) > 0.001*want || math.Abs(trial.Answering-2.0/3) > 0.001 {
		t.Errorf("%.6g a second, want %.6g; %v of their time for answers", trial.OpsPerS(), want, trial.Answering)
	}
	for i, m := range trial.Moments[:3] {
		if m.Users != 3*workers || m.Ops != 2*workers*each {
			t.Errorf("second %d: %+v", i, m)
		}
	}
}

// Users who got no connection in the window are users: with them the rate is a bound from below,
// and doubted.
func TestSharesOfUsersWhoNeverBegan(t *testing.T) {
	h := new(hist.Histogram)
	h.RecordN(20e6, 960)
	text, _ := h.MarshalText()
	share := locust.Share{Worker: "w", Run: 1, Last: true, Lasted: 4, Processors: 1, Seconds: map[string]locust.Second{"0": {Users: 20, Kinds: map[string]locust.Tally{
		"GET /": {Hist: string(text)}}}}}
	for g := range 20 {
		c := harness.Cycles{}
		if g < 5 {
			c = harness.Cycles{Begun: 192, Answers: 191, FirstNS: 20e6, EndNS: 4e9, Squares: 191 * 20e6 * 20e6, Answering: 191 * 20e6}
		}
		share.Cycles = append(share.Cycles, c)
	}
	kept := new(bytes.Buffer)
	if err := json.NewEncoder(kept).Encode(share); err != nil {
		t.Fatal(err)
	}
	seen, _, err := readShares(kept, 1)
	if err != nil {
		t.Fatal(err)
	}
	trial, err := seen.trial(20)
	if err != nil || trial.OpsPerS() > 245 || !slices.ContainsFunc(trial.Warnings, func(w results.Warning) bool { return w.Code == results.WarnFewCycles }) {
		t.Errorf("%.4g/s of 240, %+v, %v", trial.OpsPerS(), trial.Warnings, err)
	}
}

// Of a worker's runs the last one counts.
func TestSharesOfAnEarlierRun(t *testing.T) {
	line := func(run int) string {
		return fmt.Sprintf(`{"worker": "w", "run": %d, "last": true, "s": 1, "seconds": {"0": {"users": 1, "kinds": {"GET /": {"hist": "AQoKCgoB", "bytes": 1}}}}}`+"\n", run)
	}
	seen, _, err := readShares(strings.NewReader(line(1)+line(1)+line(2)), 1)
	if err != nil {
		t.Fatal(err)
	}
	if trial, err := seen.trial(1); err != nil || trial.Ops != 1 || trial.Latency.MeanNS != 10 {
		t.Errorf("%d operations, %v", trial.Ops, err)
	}
}

// Without a worker's last share nothing is told of any: what it did meanwhile is in no second, and
// its users' time is not there.
func TestSharesThatLackTheLast(t *testing.T) {
	line := func(worker string, run int, last bool) string {
		return fmt.Sprintf(`{"worker": %q, "run": %d, "last": %t, "s": 1, "seconds": {"0": {"users": 1, "kinds": {"GET /": {"hist": "AQoKCgoB", "bytes": 1}}}}}`+"\n", worker, run, last)
	}
	for _, c := range []struct{ text, told string }{
		{line("a", 1, true) + line("b", 1, false), "1 of 2 workers"},
		{line("a", 1, true), "1 of 2 workers"}, // the other one told nothing
		{line("a", 1, true) + line("b", 1, true) + line("b", 2, false), "1 of 2 workers"},
		{line("a", 1, true) + line("b", 1, false) + line("c", 1, true), "2 of 3 workers"}, // b has joined anew
		{"", "0 of 2 workers"},
	} {
		_, _, err := readShares(strings.NewReader(c.text), 2)
		if want := c.told + " told the master the last of what they saw: the rest is in no figure"; err == nil || err.Error() != want {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if _, _, err := readShares(strings.NewReader(line("a", 1, false)+line("b", 1, true)+line("a", 1, true)), 2); err != nil {
		t.Error(err)
	}
}

func TestBadShares(t *testing.T) {
	for text, want := range map[string]string{
		"":                    "no request",
		"{}\n":                "line 1",
		"\x1b[2J\n":           "line 1",
		`{"worker": "w", "s"`: "line 1",
		`{"worker": "w", "s": 1, "seconds": {"0": {"kinds": {"a": {"hist": "!"}}}}}`: "line 1",
		`{"worker": "w", "last": true, "s": 1, "seconds": {"-1": {"kinds": {}}}}`:    `second "-1"`,
	} {
		if _, _, err := readShares(strings.NewReader(text), 0); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func TestWrittenScenarioIsReadAgain(t *testing.T) {
	s := Scenario{URL: "http://there/a?x=1", Mix: []Weighted{{Method: "GET", Weight: 3}, {Method: "POST", Weight: 1, Path: "/b"}, {Method: "PUT", Weight: 2, Body: `{"a": 1}`}, {Method: "PATCH", Weight: 1, Body: "\xff\xfe\x00<&>"}},
		Body: `"{{run}}" & <more>`, Header: http.Header{"Cookie": {"a=1", "b=2"}, "X-One": {"1"}}, Wait: Wait{time.Second, 2 * time.Second}, Timeout: 5 * time.Second, Insecure: true}
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
	want.Mix = []Weighted{s.Mix[0], {Method: "POST", Weight: 1, Path: "/b", Body: s.Body}, s.Mix[2], s.Mix[3]}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("read\n%+v, want\n%+v", got, want)
	}
	s.Header.Set("X-One", "J\xf6rg")
	if err := WriteScenario(io.Discard, s); err == nil {
		t.Error("a header that no JSON holds was written")
	}
}

// Users of several processes have numbers of their own.
func TestFirstUser(t *testing.T) {
	var mu sync.Mutex
	seen := map[string]int{}
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		seen[r.URL.Path]++
	}))
	defer server.Close()
	users, err := ScenarioUsers(Scenario{URL: server.URL + "/{{user}}", FirstUser: 40}, 2)
	if err != nil {
		t.Fatal(err)
	}
	run, err := users.Open(t.Context(), locust.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for g := range 2 {
		u, err := run.User(g)
		if err != nil {
			t.Fatal(err)
		}
		does(t, u, 3)
	}
	if _, err := run.Close(6); err != nil || seen["/40"] != 3 || seen["/41"] != 3 {
		t.Errorf("%v; asked %v", err, seen)
	}
}

func TestComplaint(t *testing.T) {
	for words, want := range map[string]string{
		"syncwrite: one\nsyncwrite: two\n  a hint\n": "two",
		"panic: no\n\n": "panic: no",
		"syncwrite: hello\npanic: no\n\ngoroutine 1:\n\tmain.go:1\nexit status 2\n": "panic: no",
		"sh: no such program\n": "sh: no such program",
		"":                      "",
	} {
		if got := complaint(words); got != want {
			t.Errorf("%q: %q, want %q", words, got, want)
		}
	}
}
