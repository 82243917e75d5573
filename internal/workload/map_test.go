package workload

import (
	"slices"
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/harness"
)

type honestMap map[uint64]uint64

func (m honestMap) Load(key uint64) (uint64, bool) { value, found := m[key]; return value, found }

func (m honestMap) Store(key, value uint64) { m[key] = value }

// A lyingMap does something else than it is told, once.
type lyingMap struct {
	honestMap
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
	m.honestMap.Store(key, value)
}

func (m *lyingMap) Load(key uint64) (uint64, bool) {
	if m.torn > 0 && key == m.torn {
		key++
	}
	return m.honestMap.Load(key)
}

// mapSetup is a trial of the map with its defaults, but for what is given.
func mapSetup(n int, changes map[string]string) harness.Setup {
	s := harness.Setup{Goroutines: n, Seed: 7, Factors: map[string]string{}}
	for _, f := range MapFactors() {
		s.Factors[f.Name] = f.Default
	}
	for name, level := range changes {
		s.Factors[name] = level
	}
	return s
}

// useMap runs ops operations of n goroutines in turn and returns what the
// operations or the check said.
func useMap(m Map, s harness.Setup, ops int) error {
	w, err := NewMapTrial(s)
	if err != nil {
		return err
	}
	w.Fill(m)
	var operations []harness.Operation
	for g := range s.Goroutines {
		operations = append(operations, w.Operation(g, m))
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
		c.m.honestMap = honestMap{}
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
				if err := useMap(honestMap{}, mapSetup(4, levels), 3000); err != nil {
					t.Errorf("%v: %v", levels, err)
				}
			}
		}
	}
	if err := useMap(honestMap{}, mapSetup(4, map[string]string{"keys": "3", "sharing": "disjoint"}), 10); err == nil {
		t.Error("3 keys went round 4 goroutines")
	}
}

// The share of writes is the level's, and few keys are hot by Zipf's law.
func TestDrawsFollowTheLevels(t *testing.T) {
	for _, c := range []struct {
		distribution string
		least, most  float64 // share of the hottest key among 1,000
	}{{"uniform", 0, 0.01}, {"zipf", 0.05, 0.3}, {"sequence", 0.001, 0.0011}} {
		w, err := NewMapTrial(mapSetup(1, map[string]string{"writes": "10", "keys": "1000", "distribution": c.distribution}))
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
