package experiments

// What does one set for many goroutines cost?

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/subject/set"
)

// Set is one set under a mix of operations: ours, the same under a plain mutex,
// and what each goroutine would do alone, on a set or a map of its own.
func Set() harness.Experiment {
	shared := results.Promise{Order: "total", Result: "linearizable", Survives: "nothing"}
	apart := results.Promise{Order: "none", Result: "independent", Survives: "nothing"}
	return harness.Experiment{
		Name:     "set",
		Question: "What does one set for many goroutines cost?",
		Factors:  []harness.Factor{setWritesFactor(), setElementsFactor()},
		Variants: []harness.Variant{
			setVariant("set", "set.Set: one map under a RWMutex, for all", shared, true, newSet),
			setVariant("mutex", "set.SetNonTS under a Mutex, for all", shared, true, newMutexSet),
			setVariant("nonts", "set.SetNonTS, one for each goroutine: no lock, nothing shared", apart, false, newNonTS),
			setVariant("map", "a map[int]struct{} for each goroutine", apart, false, newBareMap),
		},
	}
}

func setWritesFactor() harness.Factor {
	return harness.Factor{Name: "writes", About: "percent of the operations that add or remove an element, as many of each; the others look for one", Default: "10",
		Check: between(0, 100)}
}

func setElementsFactor() harness.Factor {
	return harness.Factor{Name: "elements", About: "how many elements are drawn from; half of them are in the set when the window begins", Default: "4096",
		Check: between(1, 1<<24)}
}

// A crowd is a set as one goroutine sees it.
type crowd struct {
	add, remove func(element int) int
	contains    func(element int) bool
	length      func() int
}

func newSet() crowd {
	s := set.New[int]()
	return crowd{
		add:      func(e int) int { return s.Add(e) },
		remove:   func(e int) int { return s.Remove(e) },
		contains: func(e int) bool { return s.Contains(e) },
		length:   s.Len,
	}
}

func newNonTS() crowd {
	s := set.NewNonTS[int]()
	return crowd{
		add:      func(e int) int { return s.Add(e) },
		remove:   func(e int) int { return s.Remove(e) },
		contains: func(e int) bool { return s.Contains(e) },
		length:   s.Len,
	}
}

func newMutexSet() crowd {
	var mu sync.Mutex
	s := set.NewNonTS[int]()
	return crowd{
		add:      func(e int) int { mu.Lock(); n := s.Add(e); mu.Unlock(); return n },
		remove:   func(e int) int { mu.Lock(); n := s.Remove(e); mu.Unlock(); return n },
		contains: func(e int) bool { mu.Lock(); ok := s.Contains(e); mu.Unlock(); return ok },
		length:   s.Len,
	}
}

func newBareMap() crowd {
	m := map[int]struct{}{}
	return crowd{
		add:      func(e int) int { n := len(m); m[e] = struct{}{}; return len(m) - n },
		remove:   func(e int) int { n := len(m); delete(m, e); return n - len(m) },
		contains: func(e int) bool { _, ok := m[e]; return ok },
		length:   func() int { return len(m) },
	}
}

func setVariant(name, about string, promise results.Promise, shared bool, open func() crowd) harness.Variant {
	return harness.Variant{Name: name, About: about, Promise: promise, Open: func(s harness.Setup) (harness.Instance, error) {
		m := newMingling(s, shared, open)
		return harness.Instance{Worker: m.worker, Check: m.check}, nil
	}}
}

// A mingling is what the goroutines of one trial do to their sets, and what
// must be in these afterwards.
type mingling struct {
	elements uint64
	writes   uint64 // percent
	seed     uint64
	crowds   []crowd // one, or one for each goroutine
	guests   []*guest
}

// A guest is one goroutine's part: how much longer it made its set, and what it
// saw that cannot be.
type guest struct {
	random rand.PCG
	joined int
	did    int
	_      [128]byte // no two goroutines' counters on one cache line
}

func newMingling(s harness.Setup, shared bool, open func() crowd) *mingling {
	// Levels were checked before the run began.
	elements, _ := strconv.Atoi(s.Factors["elements"])
	writes, _ := strconv.Atoi(s.Factors["writes"])
	m := &mingling{elements: uint64(elements), writes: uint64(writes), seed: s.Seed}
	sets := s.Goroutines
	if shared {
		sets = 1
	}
	for range sets {
		c := spaced(open)
		for element := 0; element < elements; element += 2 {
			c.add(element)
		}
		m.crowds = append(m.crowds, c)
	}
	return m
}

// spaced makes a set whose header shares no cache line with the header of the
// one made before: goroutines that have nothing to do with each other shall not
// meet in the memory that the allocator happened to give them.
func spaced(open func() crowd) (c crowd) {
	for range 5 { // a map's header has 48 bytes
		c = open()
	}
	return c
}

var errSetCount = errors.New("one element was counted as more")

func (m *mingling) worker(g int) harness.Operation {
	c, self := m.crowds[g%len(m.crowds)], &guest{random: *rand.NewPCG(m.seed, uint64(g))}
	m.guests = append(m.guests, self)
	elements, writes := m.elements, m.writes
	return func() error {
		draw := self.random.Uint64()
		element := int((draw >> 32) * elements >> 32)
		self.did++
		change := 0
		switch choice := uint64(uint32(draw)) * 200 >> 32; {
		case choice >= 2*writes:
			c.contains(element)
		case choice&1 == 0:
			change = c.add(element)
		default:
			change = -c.remove(element)
		}
		if change > 1 || change < -1 {
			return errSetCount
		}
		self.joined += change
		return nil
	}
}

// check looks whether the sets have as many elements as were added and not
// removed, by what each call said, and no others than were drawn from.
func (m *mingling) check(ops int) error {
	did, want, got := 0, len(m.crowds)*int((m.elements+1)/2), 0
	for _, g := range m.guests {
		did += g.did
		want += g.joined
	}
	for _, c := range m.crowds {
		present := 0
		for element := range int(m.elements) {
			if c.contains(element) {
				present++
			}
		}
		if length := c.length(); length != present {
			return fmt.Errorf("a set of %d elements has %d of those it can have", length, present)
		}
		got += present
	}
	if did != ops || got != want {
		return fmt.Errorf("%d of %d operations left %d elements, the calls speak of %d: one was lost or counted twice", did, ops, got, want)
	}
	return nil
}
