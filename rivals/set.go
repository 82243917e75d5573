package main

import (
	"fmt"
	"math/rand/v2"
	"strconv"

	mapset "github.com/deckarep/golang-set/v2"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/subject/set"
)

// rivalSet is our sets against golang-set's, and what needs no lock against a
// bare map.
func rivalSet() harness.Experiment {
	shared := results.Promise{Order: "total", Result: "linearizable", Survives: nothing}
	apart := results.Promise{Order: "none", Result: "independent", Survives: nothing}
	return harness.Experiment{
		Name:       "rival-set",
		Question:   "How do our sets compare with golang-set's, and with a bare map?",
		Factors:    []harness.Factor{setWritesFactor()},
		Goroutines: []int{1, 2, 8, 64},
		Variants: []harness.Variant{
			setVariant("set", "ours: set.New, one for all", shared, ourSet),
			setVariant("golang-set", "deckarep/golang-set: NewSet, one for all; ContainsOne", shared, theirSet(mapset.NewSet[int])),
			setVariant("nonts", "ours: set.NewNonTS, one for each goroutine", apart, ourNonTS),
			setVariant("golang-set-unsafe", "deckarep/golang-set: NewThreadUnsafeSet, one for each goroutine", apart, theirSet(mapset.NewThreadUnsafeSet[int])),
			setVariant("map", "a map[int]struct{} for each goroutine", apart, bareMap),
		},
	}
}

func setWritesFactor() harness.Factor {
	return harness.Factor{Name: "writes", About: "percent of the operations that add or remove an element, as many of each; the others look for one", Default: "10",
		Check: between(0, 100)}
}

// setElements is how many elements are drawn from. Half of them are in the set
// when the window begins.
const setElements = 4096

// A crowd is a set as its users see it. Each is called as its package's users
// call it, with one element at a time; nobody is asked how many were added,
// since golang-set's Remove does not tell.
type crowd struct {
	add, remove func(element int)
	contains    func(element int) bool
	length      func() int
}

func ourSet() crowd {
	s := set.New[int]()
	return crowd{func(e int) { s.Add(e) }, func(e int) { s.Remove(e) }, func(e int) bool { return s.Contains(e) }, s.Len}
}

func ourNonTS() crowd {
	s := set.NewNonTS[int]()
	return crowd{func(e int) { s.Add(e) }, func(e int) { s.Remove(e) }, func(e int) bool { return s.Contains(e) }, s.Len}
}

func theirSet(open func(...int) mapset.Set[int]) func() crowd {
	return func() crowd {
		s := open()
		return crowd{func(e int) { s.Add(e) }, func(e int) { s.Remove(e) }, func(e int) bool { return s.ContainsOne(e) }, s.Cardinality}
	}
}

func bareMap() crowd {
	m := map[int]struct{}{}
	return crowd{
		add:      func(e int) { m[e] = struct{}{} },
		remove:   func(e int) { delete(m, e) },
		contains: func(e int) bool { _, ok := m[e]; return ok },
		length:   func() int { return len(m) },
	}
}

func setVariant(name, about string, promise results.Promise, open func() crowd) harness.Variant {
	return harness.Variant{Name: name, About: about, Promise: promise, Open: func(s harness.Setup) (harness.Instance, error) {
		m := newMingling(s, promise.Result != "independent", open)
		return harness.Instance{Worker: m.worker, Check: m.check}, nil
	}}
}

// A mingling is what the goroutines of one trial do to their sets. Each element
// is written to by one goroutine, which therefore knows what must be in the set
// at the end; all look for it.
type mingling struct {
	writes uint64 // percent
	seed   uint64
	n      int      // goroutines
	crowds []crowd  // one, or one for each goroutine
	guests []*guest // one for each goroutine
}

// A guest is one goroutine's part.
type guest struct {
	random  rand.PCG
	present []bool // of element i × n + g
	did     int
	found   int
	_       [128]byte // no two goroutines' counters on one cache line
}

func newMingling(s harness.Setup, shared bool, open func() crowd) *mingling {
	writes, _ := strconv.Atoi(s.Factors["writes"]) // checked before the run began
	m := &mingling{writes: uint64(writes), seed: s.Seed, n: s.Goroutines}
	sets := m.n
	if shared {
		sets = 1
	}
	for range sets {
		c := spaced(open)
		for element := 0; element < setElements; element += 2 {
			c.add(element)
		}
		m.crowds = append(m.crowds, c)
	}
	return m
}

// spaced makes a set whose header shares no cache line with the header of the
// one made before, whoever of them makes smaller ones.
func spaced(open func() crowd) (c crowd) {
	for range 5 { // a map's header has 48 bytes
		c = open()
	}
	return c
}

// crowdOf is the set of a goroutine.
func (m *mingling) crowdOf(g int) crowd { return m.crowds[g%len(m.crowds)] }

func (m *mingling) worker(g int) harness.Operation {
	self := &guest{random: *rand.NewPCG(m.seed, uint64(g))}
	for element := g; element < setElements; element += m.n {
		self.present = append(self.present, element%2 == 0)
	}
	m.guests = append(m.guests, self)
	c, n, own, writes := m.crowdOf(g), m.n, uint64(len(self.present)), m.writes
	return func() error {
		draw := self.random.Uint64()
		self.did++
		choice := uint64(uint32(draw)) * 200 >> 32
		if choice >= 2*writes {
			if c.contains(int((draw >> 32) * setElements >> 32)) {
				self.found++
			}
			return nil
		}
		i := (draw >> 32) * own >> 32
		element, add := int(i)*n+g, choice&1 == 0
		if add {
			c.add(element)
		} else {
			c.remove(element)
		}
		self.present[i] = add
		return nil
	}
}

// check looks whether every set has the elements that its goroutines left in
// it, and no others.
func (m *mingling) check(ops int) error {
	did := 0
	for g, self := range m.guests {
		did += self.did
		c := m.crowdOf(g)
		for i, present := range self.present {
			if element := i*m.n + g; c.contains(element) != present {
				return fmt.Errorf("element %d: in the set is %v after it was written to be %v", element, !present, present)
			}
		}
	}
	if did != ops {
		return fmt.Errorf("%d of %d operations", did, ops)
	}
	return m.counted()
}

// counted looks whether the sets say of themselves to be as large as they are.
func (m *mingling) counted() error {
	for _, c := range m.crowds {
		present := 0
		for element := range setElements {
			if c.contains(element) {
				present++
			}
		}
		if c.length() != present {
			return fmt.Errorf("a set of %d has %d elements", c.length(), present)
		}
	}
	return nil
}
