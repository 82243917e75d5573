package load_test

import (
	"context"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/load"
	"github.com/syncwrite/syncwrite/results"
)

// needsLocust skips a test where Locust is not installed, or fails it where nothing may be
// skipped.
func needsLocust(t *testing.T) {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err == nil {
		_, err = os.Stat(filepath.Join(cache, "syncwrite", "locust-"+load.LocustVersion, "whole"))
	}
	switch {
	case err == nil && !testing.Short():
	case os.Getenv("SYNCWRITE_REQUIRE") == "1":
		t.Fatalf("no locust (%v), and SYNCWRITE_REQUIRE is 1", err)
	default:
		t.Skip("some seconds of Locust, which syncwrite load albums --engine locust installs: ", err)
	}
}

// A slow server answers all requests at once but for one in ten, and counts.
type slowServer struct {
	slow        time.Duration
	bits        bool // the slow answers come bit by bit meanwhile
	n, answered atomic.Int64
	late        atomic.Int64 // of those answered
}

func (s *slowServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	io.Copy(io.Discard, r.Body)
	late := s.n.Add(1)%10 == 0
	if late && s.bits {
		for range 10 {
			w.Write(make([]byte, 100))
			w.(http.Flusher).Flush()
			time.Sleep(s.slow / 10)
		}
		return
	}
	if late {
		select {
		case <-time.After(s.slow):
		case <-r.Context().Done():
			return
		}
		s.late.Add(1)
	}
	s.answered.Add(1)
	w.WriteHeader(http.StatusOK)
}

// byLocust is one trial of Locust's users of a server, and what Locust had to say against it.
func byLocust(t *testing.T, l load.Locust, server *slowServer, users int, window time.Duration) results.Trial {
	t.Helper()
	web := httptest.NewServer(server)
	defer web.Close()
	l.Workers = 2
	l.Serve = func(context.Context) (load.Server, error) {
		return load.Server{URL: web.URL + "/albums", PID: os.Getpid(), Stop: func() error { return nil }}, nil
	}
	for tries := 1; ; tries++ {
		run, err := harness.Run(t.Context(), harness.Config{Trials: 1, Window: window, Dir: t.TempDir()}, load.LocustExperiment(l, users))
		switch {
		case err != nil:
			t.Fatal(err)
		case len(run.Outcomes) == 0:
			return run.Trials[0]
		case tries == 3 || !strings.Contains(run.Outcomes[0].Text, "locust told of"): // a process whose users had not begun in time
			t.Fatal(run.Outcomes[0].Text)
		}
		server.n.Store(0)
		server.answered.Store(0)
		server.late.Store(0)
	}
}

// What is under way when the time is up is waited for, and counts, with both users of
// Locust's: slow answers are those that are under way.
func TestLocustWaitsForAnswers(t *testing.T) {
	needsLocust(t)
	for _, fast := range []bool{false, true} {
		t.Run("fast="+strconv.FormatBool(fast), func(t *testing.T) {
			t.Parallel()
			const users = 20
			server := &slowServer{slow: 4 * time.Second}
			trial := byLocust(t, load.Locust{Fast: fast}, server, users, 2*time.Second)
			late := 0
			for b := range trial.Latency.Hist.Buckets() {
				if b.Low > 3.8e9 {
					late += int(b.Count)
				}
			}
			if trial.Failed > 0 || int64(trial.Ops) != server.answered.Load() || int64(late) != server.late.Load() {
				t.Errorf("%d answered, %d late, %d failed; the server answered %d, %d of them late", trial.Ops, late, trial.Failed, server.answered.Load(), server.late.Load())
			}
			// The others take some milliseconds each.
			if most := 1.3 * users / 0.4; trial.OpsPerS() > most { // chance has a part in it
				t.Errorf("%v a second, which cannot be above %.4g", trial.OpsPerS(), most)
			}
			if trial.Alone <= 0 {
				t.Error("answers behind the window are told to be none")
			}
			if a := trial.Answering; math.IsNaN(a) || a < 0.5 {
				t.Errorf("users who never rest wait for answers %v of their time", a)
			}
		})
	}
}

// What has no answer in time has failed, and has held its user up for that long.
func TestLocustGivesUp(t *testing.T) {
	needsLocust(t)
	for _, c := range []struct {
		fast, bits bool
		slow       time.Duration
	}{{false, false, time.Minute}, {true, true, 2 * time.Second}, {false, true, 2 * time.Second}} {
		t.Run(fmt.Sprintf("fast=%v, bit by bit %v", c.fast, c.bits), func(t *testing.T) {
			t.Parallel()
			server := &slowServer{slow: c.slow, bits: c.bits}
			trial := byLocust(t, load.Locust{Fast: c.fast, Timeout: 1200 * time.Millisecond}, server, 20, 2*time.Second)
			if int64(trial.Ops) != server.answered.Load() || int64(trial.Ops+trial.Failed) != server.n.Load() || trial.Failed < 2 || trial.FailedNS < int64(trial.Failed)*11e8 {
				t.Errorf("%d answered and %d failed in %v; the server answered %d of %d", trial.Ops, trial.Failed, time.Duration(trial.FailedNS), server.answered.Load(), server.n.Load())
			}
			if most := 1.3 * 0.9 * 20 / 0.12; trial.OpsPerS() > most {
				t.Errorf("%v a second, which cannot be above %.4g", trial.OpsPerS(), most)
			}
		})
	}
}
