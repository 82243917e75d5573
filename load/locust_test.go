package load

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// What Locust writes, as it writes it: two gets and a post that failed, in 2.5 s.
const locustJSON = `Type     Name  # reqs
[]
[{"name": "/albums", "method": "POST", "last_request_timestamp": 1003.5, "start_time": 1001.0, "num_requests": 4, "num_failures": 1,
 "total_content_length": 400, "response_times": {"5": 3, "120": 1}},
 {"name": "/albums", "method": "GET", "last_request_timestamp": 1003.25, "start_time": 1001.5, "num_requests": 2, "num_failures": 0,
 "total_content_length": 2000, "response_times": {"7": 1, "0": 1}}]`

func TestReadLocust(t *testing.T) {
	prefix := filepath.Join(t.TempDir(), "locust")
	for name, text := range map[string]string{
		"_failures.csv": "Method,Name,Error,Occurrences\nPOST,/albums,HTTPError('507 Server Error'),1\n",
	} {
		if err := os.WriteFile(prefix+name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	trial, err := readLocust([]byte(locustJSON), prefix, 10*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if trial.Ops != 5 || trial.Failed != 1 || trial.WallNS != 2.5e9 || trial.OpsPerS() != 2 {
		t.Errorf("%d and %d failed in %v", trial.Ops, trial.Failed, trial.WallNS)
	}
	get, post := trial.Kinds[0], trial.Kinds[1]
	if get.Name != "GET /albums" || get.Bytes != 2000 || get.Ops != 2 || post.Ops != 3 || post.Failures["HTTPError('507 Server Error')"] != 1 {
		t.Errorf("%+v %+v", get, post)
	}
	if n, most := trial.Latency.Hist.Count(), trial.Latency.Hist.Max(); n != 6 || most < 119e6 || most > 121e6 {
		t.Errorf("%d latencies up to %v", n, most)
	}
	for what, out := range map[string]string{"nothing": "", "words": "no module", "none": "[]\n[]", "half": locustJSON[:len(locustJSON)-5]} {
		if _, err := readLocust([]byte(out), prefix, 10*time.Second); err == nil {
			t.Errorf("%s: no error", what)
		}
	}
	if _, err := readLocust([]byte(locustJSON), prefix, time.Second); err == nil {
		t.Error("2.5 s of requests in a second: no error")
	}
}

// What two workers and the master saw is added up, second by second; what comes behind the
// window's end belongs to its last second.
func TestReadSeen(t *testing.T) {
	directory := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(directory, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("1.json", `{"cpu_s": 0.25, "seconds": {}}`)
	write("2.json", `{"cpu_s": 1, "seconds": {"0": {"ops": 30, "failed": 0, "bytes": 3000, "users": 3, "ms": {"1.25": 30}}, "2": {"ops": 1, "failed": 2, "bytes": 9, "users": 3, "ms": {"7": 1}}}}`)
	write("3.json", `{"cpu_s": 0.5, "seconds": {"0": {"ops": 10, "failed": 1, "bytes": 1000, "users": 2, "ms": {"2.25": 10}}, "1": {"ops": 5, "failed": 0, "bytes": 5, "users": 2, "ms": {"1": 5}}}}`)
	moments, cpu, err := readSeen(directory, 1.9e9)
	if err != nil {
		t.Fatal(err)
	}
	if cpu != 1.75e9 || len(moments) != 2 {
		t.Fatalf("%v of processors, %d seconds", cpu, len(moments))
	}
	if m := moments[0]; m.Ops != 40 || m.Failed != 1 || m.Bytes != 4000 || m.Users != 5 || m.MeanNS != 1.5e6 || m.P50NS < 1.24e6 || m.P50NS > 1.26e6 || m.P95NS.Known() {
		t.Errorf("%+v", m)
	}
	if m := moments[1]; m.Ops != 6 || m.Failed != 2 || m.Users != 5 || m.AtNS != 1e9 || m.P50NS.Known() {
		t.Errorf("%+v", m)
	}
	for _, wrong := range []string{`{"cpu`, `{"cpu_s": 1, "seconds": {"x": {}}}`, `{"cpu_s": 1, "seconds": {"0": {"ops": 1, "ms": {"fast": 1}}}}`} {
		write("4.json", wrong)
		if _, _, err := readSeen(directory, 1.9e9); err == nil {
			t.Errorf("%s: no error", wrong)
		}
	}
}
