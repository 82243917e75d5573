package commitlog

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/crashdisk"
)

// errInjected marks the errors that a test injects, whatever they say.
var errInjected = errors.New("injected")

// A script does a bit of everything to a log and remembers what it was told.
type script struct {
	disk    *crashdisk.Disk
	options FileOptions
	log     *File
	errs    []error

	attempts map[uint64][][]byte // values that an append tried to put at an index
	acked    [][]byte            // of the entries from 0 on
	safe     int                 // how many of them were promised to survive a power cut
	floor    int                 // a failed truncation may have taken the entries from here on
	edge     bool                // opening, or closing
	first    uint64
	wanted   uint64 // where a failed truncation of the prefix may have put the first entry
}

func newScript(durability Durability, written bool) *script {
	return &script{
		disk: crashdisk.New(), attempts: map[uint64][][]byte{},
		options: FileOptions{Durability: durability, Interval: time.Hour, SegmentSize: 256, alone: true, backlog: 1, written: written},
	}
}

// run goes on after errors, as a program might.
func (s *script) run() {
	s.open()
	for i := range 6 {
		s.append(fmt.Appendf(nil, "%d %s", i, bytes.Repeat([]byte("x"), 11*i)))
	}
	s.append([]byte("a"), []byte("batch"), nil, []byte("of four"))
	s.sync()
	s.append(bytes.Repeat([]byte("large"), 100))
	s.append([]byte("behind it"))
	s.truncateSuffix(2)
	s.append([]byte("instead"))
	s.truncatePrefix(3)
	s.append([]byte("x"), []byte("y"))
	s.truncateSuffix(1)
	s.append([]byte("z"))
	s.close()
	s.open()
	s.append([]byte("after all"))
	s.close()
}

// note keeps an error and reports whether there was none.
func (s *script) note(err error) bool {
	if err != nil {
		s.errs = append(s.errs, err)
	}
	return err == nil
}

func (s *script) open() {
	s.edge = true
	log, err := openDir(s.disk, s.options)
	s.edge = false
	if s.note(err) {
		s.log = log
		s.adopt()
	}
}

// adopt takes what a log that was reopened shows for what was acknowledged.
func (s *script) adopt() {
	next := int(s.log.Next())
	for i := len(s.acked); i < next; i++ {
		entry, _ := s.log.Get(uint64(i))
		s.acked = append(s.acked, entry.Value)
	}
	s.acked = s.acked[:next]
	s.first, s.wanted = s.log.First(), s.log.First()
	s.safe, s.floor = int(s.log.safe.Load()), next
}

func (s *script) append(values ...[]byte) {
	if s.log == nil {
		return
	}
	next := uint64(len(s.acked))
	for i, value := range values {
		s.attempts[next+uint64(i)] = append(s.attempts[next+uint64(i)], value)
	}
	first, err := s.log.AppendBatch(values)
	if !s.note(err) {
		return
	}
	if first != next {
		s.note(fmt.Errorf("append got index %d, not %d", first, next))
	}
	s.acked = append(s.acked, values...)
	s.floor = len(s.acked)
	if s.options.Durability == Always {
		s.safe = len(s.acked)
	}
}

func (s *script) sync() {
	if s.log != nil && s.note(s.log.Sync()) {
		s.safe = len(s.acked)
	}
}

// truncateSuffix drops the last n entries.
func (s *script) truncateSuffix(n int) {
	if s.log == nil {
		return
	}
	end := max(len(s.acked)-n, int(s.first))
	s.floor = min(s.floor, end)
	if s.note(s.log.TruncateSuffix(uint64(end))) || s.log.Next() == uint64(end) && s.log.failed.Load() == nil { // a file was not removed
		s.acked = s.acked[:end]
		s.safe, s.floor = end, end
	}
}

func (s *script) truncatePrefix(first uint64) {
	if s.log == nil {
		return
	}
	s.wanted = min(first, uint64(len(s.acked)))
	if s.note(s.log.TruncatePrefix(s.wanted)) {
		s.first = s.wanted
	}
}

func (s *script) close() {
	if s.log == nil {
		return
	}
	s.edge = true
	err := s.log.Close()
	s.edge = false
	if s.note(err) {
		s.safe = len(s.acked)
	}
	s.log = nil
}

// check opens what is left on a disk that works again.
func (s *script) check(image *crashdisk.Disk, killed bool) error {
	log, err := openDir(image, s.options)
	if err != nil {
		return err
	}
	least := s.safe
	if killed {
		least = len(s.acked)
	}
	least = min(least, s.floor)
	if log.Next() < uint64(least) {
		err = fmt.Errorf("%d entries are left of %d that were promised", log.Next(), least)
	}
	if f := log.First(); f != s.first && f != s.wanted {
		err = both(err, fmt.Errorf("first entry is %d, not %d", f, s.first))
	}
	for index := log.First(); index < log.Next(); index++ {
		err = both(err, s.checkEntry(log, index))
	}
	_, appendErr := log.Append([]byte("works again"))
	return both(err, both(appendErr, log.Close()))
}

func (s *script) checkEntry(log *File, index uint64) error {
	entry, err := log.Get(index)
	if err != nil {
		return err
	}
	tried := func(value []byte) bool { return bytes.Equal(value, entry.Value) }
	switch i := int(index); {
	case i < s.floor && !tried(s.acked[i]):
		return fmt.Errorf("entry %d reads %q, not %q", index, entry.Value, s.acked[i])
	case !slices.ContainsFunc(s.attempts[index], tried):
		return fmt.Errorf("entry %d reads %q, which nobody appended there", index, entry.Value)
	}
	return nil
}

// A failure is one call that fails, or all from one on.
type failure struct {
	call    int // how many calls come before it
	err     error
	short   bool // a write takes half of its bytes
	done    bool // a file has its new name all the same
	forever bool
}

// inject runs the script with the failure in it and returns the call that
// failed first, and whether it may have failed unseen.
func (s *script) inject(f failure) (failed crashdisk.Call, harmless bool) {
	calls := 0
	var hook func(crashdisk.Call) crashdisk.Fault
	hook = func(call crashdisk.Call) crashdisk.Fault {
		calls++
		if calls-1 != f.call && (!f.forever || calls-1 < f.call) {
			return crashdisk.Fault{}
		}
		if calls-1 == f.call {
			ending := s.log != nil && s.log.rest.Load() // a truncation, which the next append tries again
			failed, harmless = call, ending || f.harmless(call, s.edge)
		}
		fault := crashdisk.Fault{Err: fmt.Errorf("%w: %w", errInjected, f.err)}
		if f.short {
			fault.Taken = call.Size / 2
		}
		if f.done && call.Op == crashdisk.Rename {
			s.disk.SetHook(nil)
			s.disk.Rename(call.Name, call.To)
			s.disk.SetHook(hook)
		}
		return fault
	}
	s.disk.SetHook(hook)
	s.run()
	s.disk.SetHook(nil)
	return failed, harmless
}

// Every call that the log makes fails in turn, once or from then on. The
// program is told, and what was acknowledged is there when the disk works
// again, whether the process was killed or the power cut.
func TestEveryCallFails(t *testing.T) {
	exhausts(t)
	t.Parallel()
	for _, c := range []struct {
		durability Durability
		written    bool
	}{{None, false}, {None, true}, {Interval, false}, {Always, false}} {
		var calls []crashdisk.Op
		durability := c.durability
		sound := newScript(durability, c.written)
		sound.disk.SetHook(func(c crashdisk.Call) crashdisk.Fault { calls = append(calls, c.Op); return crashdisk.Fault{} })
		sound.run()
		if len(sound.errs) > 0 || len(calls) < 50 {
			t.Fatalf("durability %v: sound run of %d calls: %v", durability, len(calls), sound.errs)
		}
		for call, op := range calls {
			for _, f := range []failure{
				{err: syscall.EIO}, {err: syscall.ENOSPC}, {err: syscall.EIO, short: true}, {err: syscall.ENOSPC, short: true},
				{err: syscall.EIO, forever: true}, {err: syscall.ENOSPC, forever: true}, {err: syscall.EIO, done: true},
			} {
				if f.done && op != crashdisk.Rename {
					continue
				}
				f.call = call
				failCall(t, newScript(durability, c.written), f)
			}
			if t.Failed() {
				return // the other calls say the same
			}
		}
		t.Logf("durability %v, written %t: each of %d calls failed in 6 ways, a rename in 7", durability, c.written, len(calls))
	}
}

func failCall(t *testing.T, s *script, f failure) {
	t.Helper()
	failed, harmless := s.inject(f)
	name := fmt.Sprintf("durability %v, written %t, call %d (%v) fails, short %t, done %t, forever %t: %v",
		s.options.Durability, s.options.written, f.call, failed, f.short, f.done, f.forever, f.err)
	for _, err := range s.errs {
		if !errors.Is(err, errInjected) {
			t.Errorf("%s: an operation failed for another reason: %v", name, err)
		}
	}
	if len(s.errs) == 0 && !harmless {
		t.Errorf("%s: nobody was told", name)
	}
	if err := s.check(s.disk.AfterKill(), true); err != nil {
		t.Errorf("%s: killed: %v", name, err)
	}
	for seed := range uint64(4) {
		random := rand.New(rand.NewPCG(seed, uint64(f.call)))
		if err := s.check(s.disk.AfterPowerCut(random), false); err != nil {
			t.Errorf("%s: power cut, seed %d: %v", name, seed, err)
		}
	}
	if s.log != nil {
		s.log.Close()
	}
}

// harmless reports whether a call may fail unseen: zeros and space ahead of
// need, which are tried again; what there is another way for; the end of a file that is
// safe and mapped; the mark that Close leaves; and on a full disk what opening and closing
// write and can do without.
func (f failure) harmless(call crashdisk.Call, edge bool) bool {
	letGo := call.Op == crashdisk.Close && (call.Name == newSegmentName || strings.HasSuffix(call.Name, segmentSuffix))
	return letGo || call.Op == crashdisk.Write || call.Op == crashdisk.Reserve || call.Op == crashdisk.Direct || call.Op == crashdisk.Map ||
		(edge || call.Op == crashdisk.Truncate) && errors.Is(f.err, syscall.ENOSPC)
}
