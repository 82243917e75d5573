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
)

// A lyingMap does something else than it is told, once.
type lyingMap struct {
	plainMap
	lose   int    // the n-th store is forgotten
	astray int    // the n-th store goes to another key
	torn   uint64 // this key answers with another's value
	stores int
}

func (m *lyingMap) Store(key, value uint64) {
	switch m.stores++; m.stores {
	case m.lose:
		return
	case m.astray:
		key++
	}
	m.plainMap.Store(key, value)
}

func (m *lyingMap) Load(key uint64) (uint64, bool) {
	if m.torn > 0 && key == m.torn {
		key++
	}
	return m.plainMap.Load(key)
}

// settings of a trial of the map, from its defaults.
func mapSetup(n int, changes map[string]string) harness.Setup {
	s := harness.Setup{Goroutines: n, Seed: 7, Factors: map[string]string{}}
	for _, f := range mapFactors() {
		s.Factors[f.Name] = f.Default
	}
	for name, level := range changes {
		s.Factors[name] = level
	}
	return s
}

// useMap runs ops operations of n goroutines in turn and returns what the
// operations or the check said.
func useMap(m SharedMap, s harness.Setup, ops int) error {
	w, err := newMapWork(s)
	if err != nil {
		return err
	}
	w.fill(m)
	var operations []harness.Operation
	for g := range s.Goroutines {
		operations = append(operations, w.operation(g, m))
	}
	for i := range ops {
		if err := operations[i%len(operations)](); err != nil {
			return err
		}
	}
	return w.check(m)
}

// The course's levels write each key once: a store that is lost cannot hide
// behind a later one.
func TestALyingMapVoidsTheTrial(t *testing.T) {
	course := map[string]string{"writes": "100", "keys": "400", "distribution": "sequence", "sharing": "disjoint", "start": "empty"}
	reads := map[string]string{"writes": "10", "keys": "50"}
	for name, c := range map[string]struct {
		m      *lyingMap
		levels map[string]string
		want   string
	}{
		"honest":               {&lyingMap{}, course, ""},
		"lost store":           {&lyingMap{lose: 77}, course, "does not hold it"},
		"store to another key": {&lyingMap{astray: 76}, course, "does not hold it"},
		"honest, with reads":   {&lyingMap{}, reads, ""},
		"another key's value":  {&lyingMap{torn: 3}, reads, "load key 3"},
	} {
		c.m.plainMap = plainMap{}
		err := useMap(c.m, mapSetup(4, c.levels), 400)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// Every level of the factors gives work that an honest map passes.
func TestEveryLevelOfTheMap(t *testing.T) {
	for _, distribution := range []string{"uniform", "zipf", "sequence"} {
		for _, sharing := range []string{"shared", "disjoint"} {
			for _, start := range []string{"full", "empty"} {
				levels := map[string]string{"keys": "100", "distribution": distribution, "sharing": sharing, "start": start}
				if err := useMap(newShardedMap(), mapSetup(4, levels), 3000); err != nil {
					t.Errorf("%v: %v", levels, err)
				}
			}
		}
	}
	if err := useMap(plainMap{}, mapSetup(4, map[string]string{"keys": "3", "sharing": "disjoint"}), 10); err == nil {
		t.Error("3 keys went round 4 goroutines")
	}
}

// The share of writes is the level's, and few keys are hot by Zipf's law.
func TestDrawsFollowTheLevels(t *testing.T) {
	for _, c := range []struct {
		distribution string
		least, most  float64 // share of the hottest key among 1,000
	}{{"uniform", 0, 0.01}, {"zipf", 0.05, 0.3}, {"sequence", 0.001, 0.0011}} {
		w, err := newMapWork(mapSetup(1, map[string]string{"writes": "10", "keys": "1000", "distribution": c.distribution}))
		if err != nil {
			t.Fatal(err)
		}
		const draws = 100_000
		m, stores, times := w.mapper(0), 0, make([]int, 1000)
		for range draws {
			key, store := m.draw()
			times[key]++
			if store {
				stores++
			}
		}
		if stores < draws*9/100 || stores > draws*11/100 {
			t.Errorf("%s: %d of %d are stores, want a tenth", c.distribution, stores, draws)
		}
		if hottest := float64(slices.Max(times)) / draws; hottest < c.least || hottest > c.most {
			t.Errorf("%s: the hottest key has %.4f of the draws, want %g–%g", c.distribution, hottest, c.least, c.most)
		}
	}
}

// Loads and stores of one key go through one order.
func TestMapsAreLinearizable(t *testing.T) {
	for name, open := range map[string]func() SharedMap{
		"mutex":    func() SharedMap { return &mutexMap{m: map[uint64]uint64{}} },
		"rwmutex":  func() SharedMap { return &rwMutexMap{m: map[uint64]uint64{}} },
		"sync-map": func() SharedMap { return new(syncMap) },
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

func checkMap(m SharedMap) porcupine.CheckResult {
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
	if raceDetector {
		t.Skip("it is a data race on purpose, which the race detector ends")
	}
	t.Setenv("GOMAXPROCS", "8") // on one thread the children's goroutines hardly ever meet
	try := func(n int) harness.Observation {
		s := mapSetup(n, map[string]string{"writes": "100"})
		s.Context, s.Ops = t.Context(), 100_000*n
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
