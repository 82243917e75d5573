package commitlog

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/crashdisk"
)

// A pair is a log, the two methods that are called beside one another, and what
// they were told.
type pair struct {
	t     *testing.T
	log   *File
	front Log // the log, or an Async before it

	cuts    bool // one of them truncates
	closing atomic.Bool
	ends    context.Context // when one of them has ended
	count   atomic.Uint64   // of the values appended

	mu      sync.Mutex
	entries map[string]uint64 // the index at which each value was acknowledged
	seen    []Entry
}

// A deed is one call of a method.
type deed struct {
	name string
	file bool // an Async has no such method
	do   func(p *pair, r *rand.Rand) error
}

var deeds = []deed{
	{"append", false, (*pair).append},
	{"append large", false, (*pair).appendLarge},
	{"append batch", true, (*pair).appendBatch},
	{"get", false, (*pair).get},
	{"get file", true, (*pair).getFile},
	{"flush", false, (*pair).flush},
	{"reader", true, (*pair).follow},
	{"entries", true, (*pair).iterate},
	{"truncate prefix", true, (*pair).truncatePrefix},
	{"truncate suffix", true, (*pair).truncateSuffix},
	{"verify", true, (*pair).verify},
	{"close", false, (*pair).close},
}

func (p *pair) value(r *rand.Rand, most int) []byte {
	return fmt.Appendf(nil, "%d %s", p.count.Add(1), strings.Repeat("x", r.IntN(most)))
}

func (p *pair) note(index uint64, values ...[]byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, value := range values {
		p.entries[string(value)] = index + uint64(i)
	}
}

func (p *pair) see(e Entry) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.seen = append(p.seen, e)
}

func (p *pair) append(r *rand.Rand) error { return p.appendOf(r, 40) }

func (p *pair) appendLarge(r *rand.Rand) error { return p.appendOf(r, 4000) }

func (p *pair) appendOf(r *rand.Rand, most int) error {
	value := p.value(r, most)
	index, err := p.front.Append(value)
	if err == nil {
		p.note(index, value)
	}
	return err
}

func (p *pair) appendBatch(r *rand.Rand) error {
	values := [][]byte{p.value(r, 40), p.value(r, 600), p.value(r, 5)}
	first, err := p.log.AppendBatch(values)
	if err == nil {
		p.note(first, values...)
	}
	return err
}

func (p *pair) get(r *rand.Rand) error { return p.getBy(r, p.front.Get) }

func (p *pair) getFile(r *rand.Rand) error { return p.getBy(r, p.log.readEntry) }

func (p *pair) getBy(r *rand.Rand, get func(uint64) (Entry, error)) error {
	for range 20 {
		first, next := p.log.First(), p.log.Next()
		if next <= first {
			return nil
		}
		e, err := get(first + r.Uint64N(next-first))
		if err != nil {
			return p.unlessCut(err)
		}
		p.see(e)
	}
	return nil
}

// unlessCut hides that an entry is not there where that may be.
func (p *pair) unlessCut(err error) error {
	if p.cuts && errors.Is(err, ErrNotFound) {
		return nil
	}
	return err
}

func (p *pair) flush(*rand.Rand) error {
	if a, ok := p.front.(*Async); ok {
		return a.Flush()
	}
	p.log.Metrics()
	return p.log.Sync()
}

func (p *pair) follow(r *rand.Rand) error {
	first, next := p.log.First(), p.log.Next()
	want := first + r.Uint64N(max(1, next+1-min(first, next)))
	reader := p.log.NewReader(want)
	patience, end := context.WithTimeout(p.ends, time.Millisecond) // the other may be a reader, too
	defer end()
	for range 20 {
		e, err := reader.Next(patience)
		if patience.Err() != nil && errors.Is(err, patience.Err()) {
			return nil
		}
		if err != nil {
			return p.unlessCut(err)
		}
		if e.Index != want {
			return fmt.Errorf("reader at entry %d returned %d", want, e.Index)
		}
		p.see(e)
		want++
	}
	return nil
}

func (p *pair) iterate(*rand.Rand) error {
	for e, err := range p.log.Entries(p.log.First()) {
		if err != nil {
			return p.unlessCut(err)
		}
		p.see(e)
	}
	return nil
}

func (p *pair) truncatePrefix(r *rand.Rand) error {
	return p.unlessCut(p.log.TruncatePrefix(p.log.First() + r.Uint64N(4)))
}

func (p *pair) truncateSuffix(r *rand.Rand) error {
	next := p.log.Next()
	return p.unlessCut(p.log.TruncateSuffix(next - min(next, r.Uint64N(40))))
}

// verify may take what is half written for damage, but no more than that. The disk
// here does not let it read by the cache what is written past that.
func (p *pair) verify(*rand.Rand) error {
	if p.log.options.Durability == Always {
		return nil
	}
	verify(p.log.dir, func(Entry, error) bool { return true })
	return nil
}

func (p *pair) close(r *rand.Rand) error {
	for range r.IntN(50) {
		runtime.Gosched()
	}
	p.closing.Store(true)
	err := p.front.Close()
	if errors.Is(err, ErrClosed) {
		return nil // it was the other one
	}
	return err
}

// Every method is called beside every other: what was acknowledged is there, what is
// answered was acknowledged, and nothing is taken for damage.
func TestPairs(t *testing.T) {
	for _, durability := range []Durability{None, Interval, Always} {
		for _, async := range []bool{false, true} {
			for i, a := range deeds {
				for _, b := range deeds[i:] {
					if async && (a.file || b.file) {
						continue
					}
					name := fmt.Sprintf("%v async=%t %s, %s", durability, async, a.name, b.name)
					t.Run(name, func(t *testing.T) {
						t.Parallel()
						pairUp(t, uint64(len(name)), durability, async, a, b)
					})
				}
			}
		}
	}
}

// All methods are called at once, with Close in the end only, and amid them.
func TestAllBesideAll(t *testing.T) {
	for _, durability := range []Durability{None, Interval, Always} {
		for seed := range uint64(4) {
			all := deeds
			if seed%2 == 0 {
				all = deeds[:len(deeds)-1]
			}
			t.Run(fmt.Sprint(durability, seed), func(t *testing.T) {
				t.Parallel()
				pairUp(t, seed, durability, false, all...)
			})
		}
	}
}

// unsteady has calls to the disk let others run, at times.
func unsteady(seed uint64) func(crashdisk.Call) crashdisk.Fault {
	var calls atomic.Uint64
	return func(crashdisk.Call) crashdisk.Fault {
		for range calls.Add(1) * (2*seed + 7919) % 13 / 3 {
			runtime.Gosched()
		}
		return crashdisk.Fault{}
	}
}

func pairUp(t *testing.T, seed uint64, durability Durability, async bool, deeds ...deed) {
	disk := crashdisk.New()
	options := FileOptions{Durability: durability, Interval: time.Millisecond, SegmentSize: 2048, backlog: 3}
	log, err := openDir(disk, options)
	if err != nil {
		t.Fatal(err)
	}
	ends, end := context.WithCancel(t.Context())
	defer end()
	p := &pair{t: t, log: log, front: log, ends: ends, entries: map[string]uint64{}}
	if async {
		p.front = NewAsync(log, AsyncOptions{Queue: 4})
	}
	r := rand.New(rand.NewPCG(seed, 99))
	for range 60 {
		if err := p.append(r); err != nil {
			t.Fatal(err)
		}
	}
	disk.SetHook(unsteady(seed))
	var group sync.WaitGroup
	for _, d := range deeds {
		p.cuts = p.cuts || strings.HasPrefix(d.name, "truncate")
	}
	for i, d := range deeds {
		group.Go(func() {
			defer end()
			p.repeat(d, rand.New(rand.NewPCG(seed, uint64(i))))
		})
	}
	group.Wait()
	p.closing.Store(true)
	if err := p.front.Close(); err != nil && !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
	wantClosed(t, log)
	disk.SetHook(nil)
	p.check(disk, options)
}

// repeat calls a method until it finds the log closed.
func (p *pair) repeat(d deed, r *rand.Rand) {
	for range 15 {
		err := d.do(p, r)
		if errors.Is(err, ErrClosed) && p.closing.Load() || d.name == "close" && err == nil {
			return
		}
		if err != nil {
			p.t.Errorf("%s: %v", d.name, err)
			return
		}
	}
}

// check holds what was seen, and what is left, to what was acknowledged.
func (p *pair) check(disk *crashdisk.Disk, options FileOptions) {
	log, err := openDir(disk, options)
	if err != nil {
		p.t.Error(err)
		return
	}
	defer log.Close()
	left := uint64(0)
	for e, err := range log.Entries(log.First()) {
		if err != nil {
			p.t.Error(err)
			break
		}
		p.see(e)
		left++
	}
	for _, e := range p.seen {
		if index, ok := p.entries[string(e.Value)]; !ok || index != e.Index {
			p.t.Errorf("entry %d reads %.30q, which was not acknowledged there", e.Index, e.Value)
		}
	}
	if !p.cuts && left != uint64(len(p.entries)) {
		p.t.Errorf("%d entries were acknowledged, %d are left", len(p.entries), left)
	}
	if _, ok := p.front.(*Async); !ok && left != log.Next()-log.First() {
		p.t.Errorf("%d entries of %d to %d", left, log.First(), log.Next())
	}
}
