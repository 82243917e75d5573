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
		"_stats_history.csv": "Timestamp,User Count,Type,Name,Requests/s,Total Request Count,Total Failure Count\n" +
			"1001,1,,Aggregated,0,0,0\n1002,50,GET,/albums,1,1,0\n1002,50,,Aggregated,3,3,0\n1003,50,,Aggregated,3,6,1\n",
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
	if m := trial.Moments; len(m) != 3 || m[1].Ops != 3 || m[1].Users != 50 || m[2].Ops != 2 || m[2].Failed != 1 || m[2].AtNS != 2e9 {
		t.Errorf("%+v", m)
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
