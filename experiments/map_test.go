package experiments

import (
	"errors"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/internal/racing"
	"github.com/syncwrite/syncwrite/internal/workload"
)

// Loads and stores of one key go through one order.
func TestMapsAreLinearizable(t *testing.T) {
	for name, open := range map[string]func() workload.Map{
		"mutex":    func() workload.Map { return &mutexMap{m: map[uint64]uint64{}} },
		"rwmutex":  func() workload.Map { return &rwMutexMap{m: map[uint64]uint64{}} },
		"sync-map": func() workload.Map { return new(syncMap) },
		"sharded":  newShardedMap,
	} {
		for range 20 {
			if verdict := checkMap(open()); verdict != porcupine.Ok {
				t.Fatalf("%s: %s", name, verdict)
			}
		}
	}
}

type mapCall struct {
	store      bool
	key, value uint64
}

func checkMap(m workload.Map) porcupine.CheckResult {
	const clients, each = 4, 100
	began := time.Now()
	histories := make([][]porcupine.Operation, clients)
	var group sync.WaitGroup
	for g := range clients {
		group.Go(func() {
			for i := range each {
				input := mapCall{i%2 == 0, uint64(i/2) % 3, uint64(g*each + i + 1)}
				call := porcupine.Operation{ClientId: g, Input: input, Call: time.Since(began).Nanoseconds()}
				if input.store {
					m.Store(input.key, input.value)
				} else {
					call.Output, _ = m.Load(input.key)
				}
				call.Return = time.Since(began).Nanoseconds()
				histories[g] = append(histories[g], call)
			}
		})
	}
	group.Wait()
	return porcupine.CheckOperationsTimeout(mapModel(), slices.Concat(histories...), 5*time.Minute)
}

// mapModel is a map of three keys.
func mapModel() porcupine.Model {
	return porcupine.Model{
		Init: func() any { return [3]uint64{} },
		Step: func(state, input, output any) (bool, any) {
			values, call := state.([3]uint64), input.(mapCall)
			if !call.store {
				return output.(uint64) == values[call.key], values
			}
			values[call.key] = call.value
			return true, values
		},
	}
}

// How a child ended is its result only if the runtime ended it.
func TestHowAChildEnded(t *testing.T) {
	exit := func(code string) error { return exec.Command("sh", "-c", "exit "+code).Run() }
	const fatal = "fatal error: concurrent map writes\n\ngoroutine 7 [running]:\n"
	for _, c := range []struct {
		err         error
		words       string
		ended, fail bool
		text        string
	}{
		{nil, "", false, false, "all 50 operations were done"},
		{exit("2"), fatal, true, false, "fatal error: concurrent map writes (exit status 2)"},
		{exit("2"), "panic: runtime error: index out of range\n", true, false, "panic: runtime error"},
		{exit("1"), "syncwrite child: unknown work\n", false, true, ""},
		{exit("2"), "flag provided but not defined\n", false, true, ""},
		{errors.New("no such file"), fatal, false, true, ""},
	} {
		seen, err := ending(c.err, c.words, 50)
		if (err != nil) != c.fail || seen.Ended != c.ended || !strings.HasPrefix(seen.Text, c.text) {
			t.Errorf("%v with %q: %+v, error %v", c.err, c.words, seen, err)
		}
	}
}

// The runtime notices a map that is used without a guard, sooner or later, and
// what it says is the outcome. One goroutine alone does nothing wrong.
func TestTheRuntimeEndsAPlainMap(t *testing.T) {
	if racing.Detector {
		t.Skip("it is a data race on purpose, which the race detector ends")
	}
	t.Setenv("GOMAXPROCS", "8") // on one thread the children's goroutines hardly ever meet
	try := func(n int) harness.Observation {
		s := harness.Setup{Context: t.Context(), Goroutines: n, Ops: 100_000 * n, Seed: 7, Factors: map[string]string{}}
		for _, f := range workload.MapFactors() {
			s.Factors[f.Name] = f.Default
		}
		s.Factors["writes"] = "100"
		seen, err := observePlainMap(s)
		if err != nil {
			t.Fatal(err)
		}
		return seen
	}
	if alone := try(1); alone.Ended {
		t.Errorf("one goroutine: %s", alone.Text)
	}
	for range 200 {
		if seen := try(8); seen.Ended {
			if want := "fatal error: concurrent map"; !strings.HasPrefix(seen.Text, want) || !strings.HasSuffix(seen.Text, "(exit status 2)") {
				t.Errorf("outcome %q, want %q and its exit status", seen.Text, want)
			}
			return
		}
	}
	t.Error("200 processes used a plain map from 8 goroutines, and nothing noticed")
}
