package workload

import (
	"fmt"
	"math/rand/v2"
	"strconv"

	"github.com/syncwrite/syncwrite/harness"
)

// MapFactors are those of what is done to a map.
func MapFactors() []harness.Factor {
	return []harness.Factor{
		{Name: "writes", About: "percent of the operations that store; the others load", Default: "50",
			Levels: []string{"100", "90", "50", "10", "1"}, Check: harness.Between(0, 100)},
		{Name: "keys", About: "how many keys there are", Default: "65536", Check: harness.Between(1, 1<<24)},
		{Name: "distribution", About: "how keys are drawn: uniform, zipf (few are hot) or sequence (one after the other)", Default: "uniform",
			Check: harness.OneOf("uniform", "zipf", "sequence")},
		{Name: "sharing", About: "shared: every goroutine uses all keys; disjoint: each has its own", Default: "shared",
			Check: harness.OneOf("shared", "disjoint")},
		{Name: "start", About: "full: the map holds every key before the window; empty: none", Default: "full",
			Check: harness.OneOf("full", "empty")},
	}
}

// A Map is used by many goroutines at once.
type Map interface {
	Load(key uint64) (value uint64, found bool)
	Store(key, value uint64)
}

// MapVariant measures a map. It promises that loads and stores of one key go
// through one order.
func MapVariant(name, about string, open func() Map) harness.Variant {
	return harness.Variant{Name: name, About: about, Promise: promised(), Open: func(s harness.Setup) (harness.Instance, error) {
		w, err := NewMapTrial(s)
		if err != nil {
			return harness.Instance{}, err
		}
		m := open()
		w.Fill(m)
		return harness.Instance{
			Worker: func(g int) harness.Operation { return w.Operation(g, m) },
			Check:  func(int) error { return w.check(m) },
		}, nil
	}}
}

// A MapTrial is what the goroutines of one trial do to one map, and what they
// must find in it afterwards.
type MapTrial struct {
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

// NewMapTrial reads the levels of MapFactors from the setup.
func NewMapTrial(s harness.Setup) (*MapTrial, error) {
	// Levels were checked before the run began.
	keys, _ := strconv.ParseUint(s.Factors["keys"], 10, 64)
	writes, _ := strconv.ParseUint(s.Factors["writes"], 10, 64)
	w := &MapTrial{
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

func (w *MapTrial) drawHot() {
	zipf := rand.NewZipf(rand.New(rand.NewPCG(w.seed, 2)), zipfExponent, 1, w.each()-1)
	w.hot = make([]uint32, hotDraws)
	for i := range w.hot {
		w.hot[i] = uint32(zipf.Uint64())
	}
}

// each is how many keys a goroutine uses.
func (w *MapTrial) each() uint64 {
	if w.disjoint {
		return w.keys / uint64(w.n)
	}
	return w.keys
}

// Fill stores every key, where the map is to be full.
func (w *MapTrial) Fill(m Map) {
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
	work   *MapTrial
	random rand.PCG
	first  uint64 // of its keys
	next   uint64 // in a sequence
	done   int
	stored uint64
	_      [64]byte // no two goroutines' counters on one cache line
}

func (w *MapTrial) mapper(g int) *mapper {
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

// Operation returns what one goroutine does again and again.
func (w *MapTrial) Operation(g int, m Map) harness.Operation {
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
func (w *MapTrial) check(m Map) error {
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
func (w *MapTrial) checkMapper(g, operations int, final, last []uint64) error {
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
