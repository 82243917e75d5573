package experiments

// Which map for which mix of reads and writes?

import (
	"sync"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/internal/workload"
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
		Factors:    workload.MapFactors(),
		Variants: []harness.Variant{
			{Name: "plain", About: "a map without a guard, in a process of its own, which the runtime ends",
				Promise:      results.Promise{Order: "none", Result: results.Undefined, Survives: "nothing"},
				PerGoroutine: 100_000, Observe: observePlainMap},
			workload.MapVariant("mutex", "a map under a sync.Mutex", func() workload.Map { return &mutexMap{m: map[uint64]uint64{}} }),
			workload.MapVariant("rwmutex", "a map under a sync.RWMutex, reads on its read side", func() workload.Map { return &rwMutexMap{m: map[uint64]uint64{}} }),
			workload.MapVariant("sync-map", "sync.Map", func() workload.Map { return new(syncMap) }),
			workload.MapVariant("sharded", "64 maps, each under a sync.Mutex; the key's hash chooses", newShardedMap),
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

func newShardedMap() workload.Map {
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
