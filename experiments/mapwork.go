package experiments

import (
	"fmt"
	"math/rand/v2"
	"strconv"

	"github.com/syncwrite/syncwrite/harness"
)

// A mapWork is what the goroutines of one trial do to one map, and what they
// must find in it afterwards.
type mapWork struct {
	keys     uint64
	writes   uint64 // percent
	disjoint bool
	full     bool
	sequence bool
	hot      []uint32 // ranks drawn by Zipf's law; nil: keys are uniform
	seed     uint64
	n        int
	mappers  []*mapper
}

// hotDraws are drawn before the window, since a draw costs more than a store;
// in it one of them is picked at random.
const hotDraws = 1 << 16

// zipfExponent is close to 1, as in YCSB, where the hottest of 65,536 keys has
// about a tenth of the draws. math/rand needs more than 1.
const zipfExponent = 1.01

func newMapWork(s harness.Setup) (*mapWork, error) {
	// Levels were checked before the run began.
	keys, _ := strconv.ParseUint(s.Factors["keys"], 10, 64)
	writes, _ := strconv.ParseUint(s.Factors["writes"], 10, 64)
	w := &mapWork{
		keys: keys, writes: writes, n: s.Goroutines, seed: s.Seed,
		disjoint: s.Factors["sharing"] == "disjoint",
		full:     s.Factors["start"] == "full",
		sequence: s.Factors["distribution"] == "sequence",
		mappers:  make([]*mapper, s.Goroutines),
	}
	if w.disjoint && keys < uint64(s.Goroutines) {
		return nil, fmt.Errorf("%d keys do not go round %d goroutines", keys, s.Goroutines)
	}
	if s.Factors["distribution"] == "zipf" {
		w.drawHot()
	}
	return w, nil
}

func (w *mapWork) drawHot() {
	zipf := rand.NewZipf(rand.New(rand.NewPCG(w.seed, 2)), zipfExponent, 1, w.each()-1)
	w.hot = make([]uint32, hotDraws)
	for i := range w.hot {
		w.hot[i] = uint32(zipf.Uint64())
	}
}

// each is how many keys a goroutine uses.
func (w *mapWork) each() uint64 {
	if w.disjoint {
		return w.keys / uint64(w.n)
	}
	return w.keys
}

// fill stores every key, where the map is to be full.
func (w *mapWork) fill(m SharedMap) {
	if !w.full {
		return
	}
	for key := range w.keys {
		m.Store(key, valueOf(key, 0, 0))
	}
}

// A value tells its key, who stored it, and as that goroutine's how-manieth;
// 0 is what the map was filled with.
func valueOf(key uint64, g int, nth uint64) uint64 { return uint64(g)<<47 | nth<<16 | key&0xffff }

func writerOf(value uint64) int { return int(value >> 47) }

func nthOf(value uint64) uint64 { return value >> 16 & (1<<31 - 1) }

// A mapper draws the operations of one goroutine, the same ones again for the
// same seed.
type mapper struct {
	work   *mapWork
	random rand.PCG
	first  uint64 // of its keys
	next   uint64 // in a sequence
	done   int
	stored uint64
	_      [64]byte // no two goroutines' counters on one cache line
}

func (w *mapWork) mapper(g int) *mapper {
	m := &mapper{work: w}
	m.random.Seed(w.seed, uint64(g)+3)
	if w.disjoint {
		m.first = uint64(g) * w.each()
	}
	return m
}

// draw says which key is next, and whether it is stored or loaded.
func (m *mapper) draw() (key uint64, store bool) {
	w := m.work
	random := m.random.Uint64()
	store = random%100 < w.writes
	switch {
	case w.sequence:
		key = m.next
		if m.next++; m.next == w.each() {
			m.next = 0
		}
	case w.hot != nil:
		key = uint64(w.hot[random>>48])
	default:
		key = (random >> 32) * w.each() >> 32
	}
	return m.first + key, store
}

// operation returns what one goroutine does again and again.
func (w *mapWork) operation(g int, m SharedMap) harness.Operation {
	own := w.mapper(g)
	w.mappers[g] = own
	return func() error {
		own.done++
		key, store := own.draw()
		if store {
			own.stored++
			m.Store(key, valueOf(key, g, own.stored))
			return nil
		}
		value, found := m.Load(key)
		if !found && w.full || found && value&0xffff != key&0xffff {
			return fmt.Errorf("load key %d: got %#x, found %t", key, value, found)
		}
		return nil
	}
}

// check draws every goroutine's operations again and looks whether the map
// holds for each key the last value of one who stored it: a store that was
// lost, or that went to another key, leaves something else.
func (w *mapWork) check(m SharedMap) error {
	final := make([]uint64, w.keys)
	for key := range final {
		value, found := m.Load(uint64(key))
		if w.full && !found {
			return fmt.Errorf("key %d is gone", key)
		}
		if found && value&0xffff != uint64(key)&0xffff {
			return fmt.Errorf("key %d holds %#x, which nobody stored there", key, value)
		}
		final[key] = value
	}
	last := make([]uint64, w.keys)
	for g, done := range w.mappers {
		if done != nil {
			if err := w.checkMapper(g, done.done, final, last); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkMapper holds what the map has against the stores of one goroutine.
func (w *mapWork) checkMapper(g, operations int, final, last []uint64) error {
	clear(last)
	again, stored := w.mapper(g), uint64(0)
	for range operations {
		if key, store := again.draw(); store {
			stored++
			last[key] = stored
		}
	}
	for key, nth := range last {
		value := final[key]
		switch {
		case nth > 0 && nthOf(value) == 0:
			return fmt.Errorf("key %d: goroutine %d stored it, and the map does not hold it", key, g)
		case nthOf(value) > 0 && writerOf(value) == g && nthOf(value) != nth:
			return fmt.Errorf("key %d holds store %d of goroutine %d, whose last was %d", key, nthOf(value), g, nth)
		case nth > 0 && w.disjoint && writerOf(value) != g:
			return fmt.Errorf("key %d is goroutine %d's alone, and holds a store of goroutine %d", key, g, writerOf(value))
		}
	}
	return nil
}
