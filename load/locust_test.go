package load

import (
	"os"
	"path/filepath"
	"testing"
)

// What Locust's processes wrote by the locustfile: a master without users, two workers.
var locustFiles = map[string]string{
	"1.json": `{"s": 9, "cpu_s": 0.25, "seconds": {}}`,
	"2.json": `{"s": 2.4, "cpu_s": 1, "seconds": {"0": {"users": 3, "kinds": {"GET /albums": {"bytes": 1500, "ms": {"7.25": 1}}, "POST /albums": {"bytes": 20, "ms": {"5.5": 2}}}},
		"3": {"users": 3, "kinds": {"POST /albums": {"bytes": 0, "ms": {}, "failures": {"HTTPError: 507": 1}, "failed_ns": 5e6}}}}}`,
	"3.json": `{"s": 2.5, "cpu_s": 0.5, "seconds": {"1": {"users": 2, "kinds": {"GET /albums": {"bytes": 500, "ms": {"0.25": 1}}, "POST /albums": {"bytes": 10, "ms": {"5.5": 1}}}}}}`,
}

func writeFiles(t *testing.T, files map[string]string) (directory string) {
	t.Helper()
	directory = t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(directory, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return directory
}

// What all processes saw is added up, by kind and by second; requests a second are
// requests ÷ the time that users were at it.
func TestReadSeen(t *testing.T) {
	seen, err := readSeen(writeFiles(t, locustFiles))
	if err != nil {
		t.Fatal(err)
	}
	trial, err := seen.trial(5)
	if err != nil {
		t.Fatal(err)
	}
	if trial.Ops != 5 || trial.Failed != 1 || trial.FailedNS != 5e6 || trial.WallNS != 2.5e9 || trial.OpsPerS() != 2 || seen.cpu != 1.75e9 {
		t.Errorf("%d and %d failed in %v, %v of processors", trial.Ops, trial.Failed, trial.WallNS, seen.cpu)
	}
	get, post := trial.Kinds[0], trial.Kinds[1]
	if get.Name != "GET /albums" || get.Bytes != 2000 || get.Ops != 2 || get.Latency.MeanNS != 3.75e6 || post.Ops != 3 || post.Bytes != 30 || post.Failures["HTTPError: 507"] != 1 {
		t.Errorf("%+v %+v", get, post)
	}
	if n, mean := trial.Latency.Hist.Count(), trial.Latency.MeanNS; n != 5 || mean != 4.8e6 {
		t.Errorf("%d latencies, mean %v", n, mean)
	}
	m := trial.Moments
	if len(m) != 3 || m[0].Ops != 3 || m[0].Users != 3 || m[0].Bytes != 1520 || m[1].Ops != 2 || m[1].Users != 5 || m[2].Ops != 0 || m[2].Failed != 1 || m[2].Users != 5 || m[2].AtNS != 2e9 {
		t.Errorf("%+v", m)
	}
	if _, err := seen.trial(6); err == nil {
		t.Error("5 of 6 users told what they saw: no error")
	}
}

func TestBadSeen(t *testing.T) {
	for _, wrong := range []string{``, `{"s`, `{"s": 1, "seconds": {}}`, `{"s": 0, "seconds": {"0": {}}}`, `{"s": 1, "seconds": {"x": {}}}`, `{"s": 1, "seconds": {"0": {"kinds": {"GET /": {"ms": {"fast": 1}}}}}}`} {
		if _, err := readSeen(writeFiles(t, map[string]string{"4.json": wrong})); err == nil {
			t.Errorf("%s: no error", wrong)
		}
	}
}
