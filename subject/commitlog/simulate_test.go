package commitlog

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/crashdisk"
)

var (
	crashes   = flag.Int("crashes", 20_000, "simulated crashes")
	crashSeed = flag.Uint64("crash.seed", 0, "replay the one simulated run of this seed")
)

// A million crashes is what `make crash` runs. Everything follows from a run's
// seed, which a failure names: -crash.seed replays it.
func TestSimulatedCrashes(t *testing.T) {
	exhausts(t)
	t.Parallel()
	if *crashSeed != 0 {
		if _, err := simulate(*crashSeed); err != nil {
			t.Errorf("seed %d: %v", *crashSeed, err)
		}
		return
	}
	done := tally{}
	seed := uint64(1)
	for ; done.crashes < *crashes; seed++ {
		run, err := simulate(seed)
		if err != nil {
			t.Fatalf("seed %d (replay with -crash.seed=%d): %v", seed, seed, err)
		}
		done.add(run)
	}
	t.Logf("%d runs, seeds 1 to %d: %+v", seed-1, seed-1, done)
	if done.lost == 0 || done.torn == 0 || done.kept == 0 || done.recovering == 0 || done.stores == 0 {
		t.Errorf("these crashes prove nothing: %+v", done)
	}
}

// A tally counts what the crashes of simulated runs did.
type tally struct {
	crashes    int
	cuts       int // of the power; the rest killed the process
	recovering int // while the log was being opened
	kept       int // crashes that took nothing
	lost       int // crashes that took entries that were not yet safe
	torn       int // crashes after which opening cut something off
	stores     int // crashes while entries were stored
	appends    int
	batches    int
	truncated  int
	reopened   int
}

func (t *tally) add(o tally) {
	t.crashes += o.crashes
	t.cuts += o.cuts
	t.recovering += o.recovering
	t.kept += o.kept
	t.lost += o.lost
	t.torn += o.torn
	t.stores += o.stores
	t.appends += o.appends
	t.batches += o.batches
	t.truncated += o.truncated
	t.reopened += o.reopened
}

// A model is what the log promised so far.
type model struct {
	first  uint64
	values [][]byte // of the entries from 0 on, truncated ones included
	inside []bool   // whether the entry continues the batch of the one before
	safe   uint64   // the entries below were promised to survive a power cut
	done   uint64   // the entries below were acknowledged
	// What is under way: the index a truncation is to end in, if any.
	prefix, suffix *uint64
}

// A simulation is one run: a log on a disk that crashes at random calls.
type simulation struct {
	*rand.Rand
	options FileOptions
	disk    *crashdisk.Disk
	log     *File
	model   model
	opening bool
	busy    bool // a crash is being looked into
	flush   bool // a flush is under way, and appends beside it are welcome
	tally   tally
	broken  error
}

// crashShare is one crash in how many calls, and runOperations how many
// operations a run has.
const (
	crashShare    = 3
	runOperations = 24
)

func simulate(seed uint64) (tally, error) {
	random := rand.New(rand.NewPCG(seed, 0))
	s := &simulation{Rand: random, disk: crashdisk.New()}
	s.drawOptions()
	s.disk.SetHook(s.hook)
	err := s.open()
	for range runOperations {
		if err != nil || s.broken != nil {
			break
		}
		if err = s.operate(); err == nil {
			err = s.maybeCrash()
		}
	}
	if s.log != nil {
		err = both(err, s.log.Close())
	}
	return s.tally, both(s.broken, err)
}

// drawOptions draws how the log is opened from here on.
func (s *simulation) drawOptions() {
	s.options = FileOptions{
		Durability:  []Durability{None, Interval, Always}[s.IntN(3)],
		Interval:    time.Hour, // the simulation is the clock
		SegmentSize: []int64{256, 320, 512, 2048, 8192}[s.IntN(5)],
		newID:       s.Uint64,
		alone:       true,
		backlog:     1 + s.IntN(3),
		cached:      s.IntN(2) == 0,
		written:     s.IntN(3) == 0,
	}
}

// hook crashes before some of the calls that change the disk.
func (s *simulation) hook(call crashdisk.Call) crashdisk.Fault {
	switch call.Op {
	case crashdisk.Read, crashdisk.Size, crashdisk.Names, crashdisk.Open, crashdisk.Close, crashdisk.Lock:
		return crashdisk.Fault{}
	}
	if s.broken == nil && !s.busy && s.IntN(crashShare) == 0 {
		s.busy = true
		if err := s.crash(s.image); err != nil {
			s.broken = fmt.Errorf("crash before call to %v, durability %v, segments of %d: %w",
				call, s.options.Durability, s.options.SegmentSize, err)
		}
		s.busy = false
	}
	room := s.log != nil && s.log.unsealed() < s.options.backlog && s.log.takes() // else an append would wait for this flush
	if s.flush && room && call.Op == crashdisk.Sync && s.IntN(2) == 0 {
		s.flush = false
		s.broken = both(s.broken, s.write(1+s.IntN(2)))
		s.flush = true
	}
	return crashdisk.Fault{}
}

// takes reports whether a batch of two is taken while a flush is under way: not if it waits to be written, nor if an empty
// segment would have to be enlarged for it.
func (f *File) takes() bool {
	t := &f.tail
	return t.fits(2*recordSize(600)) || f.mapped.Load() && (t.segment == nil || f.turn.Next() > t.segment.base)
}

// maybeCrash crashes between two operations: entries that are stored make no
// call to crash at.
func (s *simulation) maybeCrash() error {
	if s.IntN(crashShare) > 0 {
		return nil
	}
	s.busy = true
	defer func() { s.busy = false }()
	if err := s.crash(s.image); err != nil {
		return fmt.Errorf("crash between operations, durability %v, segments of %d: %w", s.options.Durability, s.options.SegmentSize, err)
	}
	return nil
}

// flushing calls a function that flushes, while others append.
func (s *simulation) flushing(call func() error) error {
	s.flush = true
	defer func() { s.flush = false }()
	return call()
}

// crash looks at what is left of the disk, as it is now, by one of two kinds
// of crash.
func (s *simulation) crash(take func(kill bool) *crashdisk.Disk) error {
	s.tally.crashes++
	if s.opening {
		s.tally.recovering++
	}
	kill := s.IntN(4) == 0
	image := take(kill)
	if s.IntN(8) == 0 {
		if err := s.verifyImage(image); err != nil {
			return err
		}
	}
	log, err := openDir(image, s.options)
	if err != nil {
		return err
	}
	if log.Recovery().CutBytes > 0 {
		s.tally.torn++
	}
	err = s.model.check(log, kill)
	if log.Next() < s.model.done {
		s.tally.lost++
	} else {
		s.tally.kept++
	}
	if err == nil {
		err = s.goOn(log, image)
	}
	return both(err, log.Close())
}

func (s *simulation) image(kill bool) *crashdisk.Disk {
	if kill {
		return s.disk.AfterKill()
	}
	s.tally.cuts++
	return s.disk.AfterPowerCut(s.Rand)
}

// verifyImage holds Verify to what opening says of the same disk.
func (s *simulation) verifyImage(image *crashdisk.Disk) error {
	v, err := verify(image, func(Entry, error) bool { return true })
	if errors.Is(err, errNoLog) {
		return nil
	}
	if err != nil {
		return err
	}
	if len(v.Damage) > 0 || v.Lost > 0 || !v.Opens {
		return fmt.Errorf("verify takes a crash for damage: %v", v.Damage)
	}
	log, err := openDir(image.AfterKill(), s.options)
	if err != nil {
		return err
	}
	if log.Next() != v.Next || log.First() != v.First {
		err = fmt.Errorf("verify says entries %d to %d, opening %d to %d", v.First, v.Next, log.First(), log.Next())
	}
	return both(err, log.Close())
}

// goOn appends to a log that was recovered, which must be one like any other,
// and at times cuts the power once more: what the first crash left behind the
// end must not come back behind what took its place.
func (s *simulation) goOn(log *File, image *crashdisk.Disk) error {
	m := model{first: log.First(), safe: log.safe.Load(), done: log.Next()}
	m.values = append([][]byte(nil), s.model.values[:min(m.done, uint64(len(s.model.values)))]...)
	m.inside = append([]bool(nil), s.model.inside[:len(m.values)]...)
	m.cut(m.done)
	for range 3 {
		value := s.value()
		m.values, m.inside = append(m.values, value), append(m.inside, false)
		index, err := log.Append(value)
		if err != nil || index != m.done {
			return fmt.Errorf("append after recovery got index %d, not %d: %w", index, m.done, err)
		}
		m.done++
	}
	if s.options.Durability == Always {
		m.safe = m.done
	}
	if err := m.check(log, true); err != nil {
		return fmt.Errorf("appends after recovery: %w", err)
	}
	if s.IntN(4) > 0 {
		return nil
	}
	return s.again(image.AfterPowerCut(s.Rand), m)
}

func (s *simulation) again(image *crashdisk.Disk, m model) error {
	log, err := openDir(image, s.options)
	if err == nil {
		err = both(m.check(log, false), log.Close())
	}
	if err != nil {
		return fmt.Errorf("second crash: %w", err)
	}
	return nil
}

// check holds a recovered log to the model.
func (m *model) check(log *File, killed bool) error {
	first, next := log.First(), log.Next()
	if err := m.checkBounds(first, next, killed); err != nil {
		return err
	}
	index := first
	for entry, err := range log.Entries(first) {
		if err != nil {
			return err
		}
		if entry.Index != index || !bytes.Equal(entry.Value, m.values[index]) {
			return fmt.Errorf("entry %d reads %q at index %d, not %q", index, entry.Value, entry.Index, m.values[index])
		}
		index++
	}
	if index != next {
		return fmt.Errorf("entries end at %d, not at %d", index, next)
	}
	if next > first {
		if entry, err := log.Get(next - 1); err != nil || !bytes.Equal(entry.Value, m.values[next-1]) {
			return fmt.Errorf("get of the last entry: %q, %v", entry.Value, err)
		}
	}
	return nil
}

func (m *model) checkBounds(first, next uint64, killed bool) error {
	least, most := m.safe, uint64(len(m.values))
	if killed {
		least = m.done
	}
	if m.suffix != nil {
		least = min(least, *m.suffix)
	}
	switch {
	case first != m.first && (m.prefix == nil || first != *m.prefix):
		return fmt.Errorf("first entry is %d, not %d", first, m.first)
	case next < max(least, first):
		return fmt.Errorf("entries end at %d; those below %d were promised", next, least)
	case next > most:
		return fmt.Errorf("entries end at %d; only %d were ever appended", next, most)
	case killed && m.suffix != nil && next != *m.suffix && next < m.done:
		return fmt.Errorf("entries end at %d: a truncation from %d took effect in part", next, *m.suffix)
	case next > first && next < most && m.inside[next] && (m.suffix == nil || next != *m.suffix):
		return fmt.Errorf("entries end at %d, inside a batch", next)
	}
	return nil
}

// open opens the log on the disk and takes what it holds as given: a crash
// before was checked already.
func (s *simulation) open() error {
	if s.IntN(3) == 0 {
		s.drawOptions()
	}
	s.opening = true
	log, err := openDir(s.disk, s.options)
	s.opening = false
	if err != nil {
		return err
	}
	s.log = log
	m := &s.model
	m.first = log.First()
	m.cut(log.Next())
	m.done = log.Next()
	m.safe = log.safe.Load() // of a durable log, opening flushes
	m.prefix, m.suffix = nil, nil
	return nil
}

// cut forgets the entries from next on; where a truncated log lost its end,
// indexes below the first are there no more.
func (m *model) cut(next uint64) {
	for uint64(len(m.values)) < next {
		m.values, m.inside = append(m.values, nil), append(m.inside, false)
	}
	m.values, m.inside = m.values[:next:next], m.inside[:next:next]
}

func (s *simulation) operate() error {
	switch n := s.IntN(100); {
	case n < 60:
		return s.append(1)
	case n < 72:
		s.tally.batches++
		return s.append(s.IntN(6))
	case n < 80:
		return s.sync()
	case n < 85:
		return s.truncatePrefix()
	case n < 91:
		return s.truncateSuffix()
	case n < 94:
		return s.reopen()
	case n < 97:
		s.log.keep()
		return nil
	default:
		return s.crashAndGoOn()
	}
}

// append adds n entries and, where these are not stored in the file, at times leaves
// them waiting for the flush, or the write, of a later one, as concurrent appends do.
func (s *simulation) append(n int) error {
	if err := s.write(n); err != nil {
		return err
	}
	m := &s.model
	end := uint64(len(m.values))
	if s.log.mapped.Load() || s.IntN(3) == 0 {
		return nil // its flush comes with a later one
	}
	if s.options.Durability != Always {
		return s.handOver(end)
	}
	if err := s.flushing(func() error { return s.log.flush(end) }); err != nil {
		return err
	}
	return s.flushed(end)
}

// handOver writes what was appended to the file.
func (s *simulation) handOver(end uint64) error {
	s.log.roster.take(writing)
	_, err := s.log.handOver()
	s.log.roster.give(writing)
	if err == nil {
		s.model.done = max(s.model.done, end)
		err = s.wantShown()
	}
	return err
}

// wantShown holds the log to showing what was acknowledged.
func (s *simulation) wantShown() error {
	if next, done := s.log.Next(), s.model.done; next < done {
		return fmt.Errorf("entries up to %d are shown, those below %d were acknowledged", next, done)
	}
	return nil
}

// flushed notes that the entries below end are safe.
func (s *simulation) flushed(end uint64) error {
	m := &s.model
	m.safe, m.done = max(m.safe, end), max(m.done, end)
	return s.wantShown()
}

// write hands a batch of n entries to the operating system.
func (s *simulation) write(n int) error {
	m := &s.model
	values := make([][]byte, n)
	for i := range values {
		values[i] = s.value()
		m.values, m.inside = append(m.values, values[i]), append(m.inside, i > 0)
	}
	s.tally.appends += n
	shown := s.log.Next()
	first, err := s.add(values)
	end := first + uint64(n)
	if err != nil || end != uint64(len(m.values)) {
		return fmt.Errorf("append got index %d of %d entries: %w", first, len(m.values), err)
	}
	if s.log.mapped.Load() {
		m.done = end
	} else if now := s.log.Next(); now != shown && now > first {
		return fmt.Errorf("entries up to %d are shown before their flush", now)
	}
	return nil
}

// add puts entries into the log's order, and at times crashes while they are being
// stored.
func (s *simulation) add(values [][]byte) (first uint64, err error) {
	s.disk.SeeStores() // what was acknowledged is not torn any more
	first, _, _, err = s.log.put(values)
	if err == nil && !s.busy && s.IntN(4) == 0 {
		s.busy = true
		defer func() { s.busy = false }()
		err = s.crash(s.tornImage)
		s.tally.stores++
	}
	return first, err
}

// tornImage is an image of the disk in which what was stored last is there in
// part.
func (s *simulation) tornImage(kill bool) *crashdisk.Disk {
	torn := s.disk.AfterStores(s.Rand)
	if kill {
		return torn
	}
	s.tally.cuts++
	return torn.AfterPowerCut(s.Rand)
}

func (s *simulation) value() []byte {
	size := 3 // mostly, so that what was lost leaves room for just another one
	switch s.IntN(10) {
	case 0:
		size = s.IntN(600)
	case 1, 2, 3:
		size = s.IntN(20)
	}
	value := make([]byte, size)
	for i := range value {
		value[i] = byte(s.Uint32() >> (s.IntN(4) * 8) & 0xff)
	}
	if size > 0 && s.IntN(4) == 0 {
		clear(value[s.IntN(size):]) // zeros look like what is not there
	}
	return value
}

func (s *simulation) sync() error {
	end := uint64(len(s.model.values))
	if err := s.flushing(s.log.Sync); err != nil {
		return err
	}
	return s.flushed(end)
}

func (s *simulation) truncatePrefix() error {
	s.tally.truncated++
	next := uint64(len(s.model.values))
	first := s.model.first + s.Uint64N(next-s.model.first+1)
	s.model.prefix = &first
	if err := s.log.TruncatePrefix(first); err != nil {
		return err
	}
	s.model.first, s.model.prefix = first, nil
	return nil
}

func (s *simulation) truncateSuffix() error {
	s.tally.truncated++
	m := &s.model
	end := m.first + s.Uint64N(uint64(len(m.values))-m.first+1)
	whole := end == uint64(len(m.values))
	m.suffix = &end
	if err := s.log.TruncateSuffix(end); err != nil {
		return err
	}
	m.suffix = nil
	m.cut(end)
	m.done = min(m.done, end)
	if m.safe = min(m.safe, end); !whole {
		m.safe, m.done = end, end
	}
	return nil
}

func (s *simulation) reopen() error {
	s.tally.reopened++
	err := s.log.Close()
	s.log = nil
	if err != nil {
		return err
	}
	s.model.safe = uint64(len(s.model.values))
	return s.open()
}

// crashAndGoOn crashes for good, checks, and goes on with what is left.
func (s *simulation) crashAndGoOn() error {
	s.tally.crashes++
	kill := s.IntN(2) == 0
	image := s.image(kill)
	s.disk.SetHook(nil)
	s.log.ticker.stop()
	s.log, s.disk = nil, image
	image.SetHook(s.hook)
	before := s.model
	before.values, before.inside = slices.Clone(before.values), slices.Clone(before.inside)
	if !kill {
		s.model.done = s.model.safe // a crash while it opens may find no more
	}
	if err := s.open(); err != nil {
		return err
	}
	return before.check(s.log, kill)
}
