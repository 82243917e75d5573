package workload

import (
	"fmt"
	"math/rand/v2"
	"strconv"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/results"
)

// A Set is a set of ints as one goroutine sees it, each method called as its
// package's users call it, with one element at a time. Add and Remove return how
// many elements that added or removed, or Untold.
type Set struct {
	Add, Remove func(element int) int
	Contains    func(element int) bool
	Len         func() int
}

// Untold is returned where a set does not tell what a call changed.
const Untold = -1

// SetFactors are those of what is done to a set.
func SetFactors() []harness.Factor {
	return []harness.Factor{
		{Name: "writes", About: "percent of the operations that add or remove an element, as many of each; the others look for one", Default: "10",
			Check: harness.Between(0, 100)},
		{Name: "elements", About: "how many elements are drawn from; half of them are in the set when the window begins", Default: "4096",
			Check: harness.Between(1, 1<<24)},
	}
}

// SetVariant measures one set for all goroutines, which promises to be
// linearizable.
func SetVariant(name, about string, open func() Set) harness.Variant {
	return setVariant(name, about, promised(), true, open)
}

// SetEachVariant measures a set for each goroutine, with nothing shared.
func SetEachVariant(name, about string, open func() Set) harness.Variant {
	apart := results.Promise{Order: "none", Result: "independent", Survives: "nothing"}
	return setVariant(name, about, apart, false, open)
}

func setVariant(name, about string, promise results.Promise, shared bool, open func() Set) harness.Variant {
	return harness.Variant{Name: name, About: about, Promise: promise, Open: func(s harness.Setup) (harness.Instance, error) {
		t, err := newSetTrial(s, shared, open)
		if err != nil {
			return harness.Instance{}, err
		}
		return harness.Instance{Worker: t.operation, Check: t.check}, nil
	}}
}

// A setTrial is what the goroutines of one trial do to their sets. Each element
// is written to by one goroutine, which therefore knows what every call must
// change and what must be in the set at the end; all look for it.
type setTrial struct {
	elements int
	writes   uint64 // percent
	seed     uint64
	n        int   // goroutines
	sets     []Set // one, or one for each goroutine
	writers  []*setWriter
}

// A setWriter is one goroutine's part: element first + i × step is its i-th.
type setWriter struct {
	set         Set
	random      rand.PCG
	first, step int
	present     []bool
	did, found  int
	_           [128]byte // no two goroutines' counters on one cache line
}

func newSetTrial(s harness.Setup, shared bool, open func() Set) (*setTrial, error) {
	// Levels were checked before the run began.
	elements, _ := strconv.Atoi(s.Factors["elements"])
	writes, _ := strconv.Atoi(s.Factors["writes"])
	t := &setTrial{elements: elements, writes: uint64(writes), seed: s.Seed, n: s.Goroutines}
	sets := t.n
	if shared {
		sets = 1
		if elements < t.n {
			return nil, fmt.Errorf("%d elements do not go round %d goroutines", elements, t.n)
		}
	}
	for range sets {
		set := spaced(open)
		for element := 0; element < elements; element += 2 {
			set.Add(element)
		}
		t.sets = append(t.sets, set)
	}
	return t, nil
}

// spaced makes a set whose header shares no cache line with the header of the
// one made before, whoever of them makes smaller ones: goroutines that have
// nothing to do with each other shall not meet in the memory that the allocator
// happened to give them.
func spaced(open func() Set) (s Set) {
	for range 5 { // a map's header has 48 bytes
		s = open()
	}
	return s
}

// writer is the part of one goroutine: every n-th element of the set that all
// share, or all of its own.
func (t *setTrial) writer(g int) *setWriter {
	w := &setWriter{set: t.sets[g%len(t.sets)], random: *rand.NewPCG(t.seed, uint64(g)), step: 1}
	if len(t.sets) == 1 {
		w.first, w.step = g, t.n
	}
	for element := w.first; element < t.elements; element += w.step {
		w.present = append(w.present, element%2 == 0)
	}
	return w
}

func (t *setTrial) operation(g int) harness.Operation {
	w := t.writer(g)
	t.writers = append(t.writers, w)
	elements, own, writes := uint64(t.elements), uint64(len(w.present)), t.writes
	return func() error {
		draw := w.random.Uint64()
		w.did++
		choice := uint64(uint32(draw)) * 200 >> 32
		if choice >= 2*writes {
			if w.set.Contains(int((draw >> 32) * elements >> 32)) {
				w.found++
			}
			return nil
		}
		return w.write(int((draw>>32)*own>>32), choice&1 == 0)
	}
}

// write adds or removes an element that only this goroutine writes.
func (w *setWriter) write(i int, add bool) error {
	element, change, want := w.first+i*w.step, 0, 0
	if w.present[i] != add {
		want = 1
	}
	if w.present[i] = add; add {
		change = w.set.Add(element)
	} else {
		change = w.set.Remove(element)
	}
	if change != want && change != Untold {
		return fmt.Errorf("element %d: a change of %d where %d was due", element, change, want)
	}
	return nil
}

// check looks whether every set has the elements that its goroutines left in
// it, and no others.
func (t *setTrial) check(ops int) error {
	did := 0
	for _, w := range t.writers {
		did += w.did
		for i, present := range w.present {
			if element := w.first + i*w.step; w.set.Contains(element) != present {
				return fmt.Errorf("element %d: in the set is %v after it was written to be %v", element, !present, present)
			}
		}
	}
	if did != ops {
		return fmt.Errorf("%d of %d operations", did, ops)
	}
	return t.counted()
}

// counted looks whether the sets say of themselves to be as large as they are.
func (t *setTrial) counted() error {
	for _, set := range t.sets {
		present := 0
		for element := range t.elements {
			if set.Contains(element) {
				present++
			}
		}
		if length := set.Len(); length != present {
			return fmt.Errorf("a set of %d has %d elements", length, present)
		}
	}
	return nil
}
