package experiments

// Which map for which mix of reads and writes?

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/results"
)

// Map reads and writes one map from all goroutines.
//
// The variant plain has no guard. The runtime ends its process when it notices
// (fatal error: concurrent map writes), so it runs in a process of its own, and
// how that ended is its result: it has no rate. Tests leave it out under -race,
// whose detector ends it for another reason.
func Map() harness.Experiment {
	return harness.Experiment{
		Name:       "map",
		Question:   "Which map for which mix of reads and writes?",
		Goroutines: []int{1, 4, 16},
		Factors:    mapFactors(),
		Variants: []harness.Variant{
			{Name: "plain", About: "a map without a guard, in a process of its own, which the runtime ends",
				Promise:      results.Promise{Order: "none", Result: results.Undefined, Survives: "nothing"},
				PerGoroutine: 100_000, Observe: observePlainMap},
			MapVariant("mutex", "a map under a sync.Mutex", func() SharedMap { return &mutexMap{m: map[uint64]uint64{}} }),
			MapVariant("rwmutex", "a map under a sync.RWMutex, reads on its read side", func() SharedMap { return &rwMutexMap{m: map[uint64]uint64{}} }),
			MapVariant("sync-map", "sync.Map", func() SharedMap { return new(syncMap) }),
			MapVariant("sharded", "64 maps, each under a sync.Mutex; the key's hash chooses", newShardedMap),
		},
		Claims: mapClaims(),
	}
}

// mapClaims are the course's conclusions.
func mapClaims() []results.Claim {
	claim := func(text, of, to string, least, most float64, factors map[string]string) results.Claim {
		return results.Claim{By: "the course", Text: text, Least: least, Most: most,
			Of: results.Side{Variant: of, Factors: factors}, To: results.Side{Variant: to, Factors: factors}}
	}
	const readers = "an RWMutex pays with many readers"
	return []results.Claim{
		claim("an RWMutex is slower than a Mutex when all write", "rwmutex", "mutex", 0, 1, map[string]string{"writes": "100"}),
		claim(readers, "rwmutex", "mutex", 1, 0, map[string]string{"writes": "10"}),
		claim(readers, "rwmutex", "mutex", 1, 0, map[string]string{"writes": "1"}),
		claim("a Mutex is the choice for writes, before sync.Map", "mutex", "sync-map", 1, 0, map[string]string{"writes": "100"}),
		claim("sync.Map is for disjoint keys", "sync-map", "mutex", 1, 0, map[string]string{"sharing": "disjoint"}),
	}
}

func mapFactors() []harness.Factor {
	return []harness.Factor{
		{Name: "writes", About: "percent of the operations that store; the others load", Default: "50",
			Levels: []string{"100", "90", "50", "10", "1"}, Check: between(0, 100)},
		{Name: "keys", About: "how many keys there are", Default: "65536", Check: between(1, 1<<24)},
		{Name: "distribution", About: "how keys are drawn: uniform, zipf (few are hot) or sequence (one after the other)", Default: "uniform",
			Check: oneOf("uniform", "zipf", "sequence")},
		{Name: "sharing", About: "shared: every goroutine uses all keys; disjoint: each has its own", Default: "shared",
			Check: oneOf("shared", "disjoint")},
		{Name: "start", About: "full: the map holds every key before the window; empty: none", Default: "full",
			Check: oneOf("full", "empty")},
	}
}

// oneOf accepts the named levels.
func oneOf(known ...string) func(string) error {
	return func(level string) error {
		if !slices.Contains(known, level) {
			return fmt.Errorf("level %q: not one of %s", level, strings.Join(known, ", "))
		}
		return nil
	}
}

// A SharedMap is used by many goroutines at once.
type SharedMap interface {
	Load(key uint64) (value uint64, found bool)
	Store(key, value uint64)
}

// MapVariant measures a map, one of somebody's own beside ours. It promises
// that loads and stores of one key go through one order.
func MapVariant(name, about string, make func() SharedMap) harness.Variant {
	return harness.Variant{Name: name, About: about, Promise: promised("nothing"), Open: func(s harness.Setup) (harness.Instance, error) {
		w, err := newMapWork(s)
		if err != nil {
			return harness.Instance{}, err
		}
		m := make()
		w.fill(m)
		return harness.Instance{
			Worker: func(g int) harness.Operation { return w.operation(g, m) },
			Check:  func(int) error { return w.check(m) },
		}, nil
	}}
}

type mutexMap struct {
	mu sync.Mutex
	m  map[uint64]uint64
}

func (s *mutexMap) Load(key uint64) (uint64, bool) {
	s.mu.Lock()
	value, found := s.m[key]
	s.mu.Unlock()
	return value, found
}

func (s *mutexMap) Store(key, value uint64) {
	s.mu.Lock()
	s.m[key] = value
	s.mu.Unlock()
}

type rwMutexMap struct {
	mu sync.RWMutex
	m  map[uint64]uint64
}

func (s *rwMutexMap) Load(key uint64) (uint64, bool) {
	s.mu.RLock()
	value, found := s.m[key]
	s.mu.RUnlock()
	return value, found
}

func (s *rwMutexMap) Store(key, value uint64) {
	s.mu.Lock()
	s.m[key] = value
	s.mu.Unlock()
}

type syncMap struct{ m sync.Map }

func (s *syncMap) Load(key uint64) (uint64, bool) {
	value, found := s.m.Load(key)
	if !found {
		return 0, false
	}
	return value.(uint64), true
}

func (s *syncMap) Store(key, value uint64) { s.m.Store(key, value) }

// shards of a shardedMap, a power of two.
const shardBits = 6

type shardedMap struct{ shards [1 << shardBits]shard }

// A shard shares no cache line with the next, nor the pair of lines that
// processors fetch together.
type shard struct {
	mutexMap
	_ [112]byte
}

func newShardedMap() SharedMap {
	s := new(shardedMap)
	for i := range s.shards {
		s.shards[i].m = map[uint64]uint64{}
	}
	return s
}

// of chooses by the high bits of a multiplicative hash (Knuth, The Art of
// Computer Programming, volume 3, section 6.4).
func (s *shardedMap) of(key uint64) *shard {
	return &s.shards[key*0x9E3779B97F4A7C15>>(64-shardBits)]
}

func (s *shardedMap) Load(key uint64) (uint64, bool) { return s.of(key).Load(key) }

func (s *shardedMap) Store(key, value uint64) { s.of(key).Store(key, value) }
