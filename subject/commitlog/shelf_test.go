package commitlog

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/crashdisk"
)

// shelved returns a log of entries 0 to n-1, all of one length, whose full segments
// have tables, and its disk.
func shelved(t *testing.T, n int) (*File, *crashdisk.Disk) {
	t.Helper()
	if !hasShort {
		t.Skip("this processor has no instructions for shelves")
	}
	disk := crashdisk.New()
	log := openOn(t, disk, None)
	for i := range n {
		mustAppend(t, log, shelvedValue(i))
	}
	log.keep()
	v := log.view.Load()
	if found := len(v.shelves.list) + len(v.last.list); found < 3 {
		t.Fatalf("%d shelves", found)
	}
	return log, disk
}

func shelvedValue(i int) string { return fmt.Sprintf("value %06d", i) }

// onShelves reads every entry from the shelves alone, and returns how many are there.
func onShelves(t *testing.T, log *File) int {
	t.Helper()
	found := 0
	v := log.view.Load()
	for index := range log.Next() {
		buf, ok := v.shelves.get(index, nil)
		if !ok {
			buf, ok = v.last.get(index, nil)
		}
		if index < log.First() || !ok {
			continue
		}
		found++
		if string(buf) != shelvedValue(int(index)) {
			t.Errorf("entry %d reads %q", index, buf)
		}
	}
	return found
}

// Every entry is on a shelf, also when the log was opened anew, the first ones are
// truncated, or the last segment has just begun.
func TestShelves(t *testing.T) {
	for n := 40; n < 60; n++ {
		log, disk := shelved(t, n)
		begun := log.view.Load().segments
		if begun[len(begun)-1].entries() == 1 {
			continue // one record has no pace
		}
		if found := onShelves(t, log); found != n {
			t.Errorf("%d of %d entries on shelves", found, n)
		}
		if again := openOn(t, disk.AfterKill(), None); onShelves(t, again) != n {
			t.Errorf("opened anew: %d of %d entries on shelves", onShelves(t, again), n)
		}
		if err := log.TruncatePrefix(9); err != nil {
			t.Fatal(err)
		}
		if found := onShelves(t, log); found != n-9 {
			t.Errorf("truncated: %d of %d entries on shelves", found, n-9)
		}
	}
}

// An entry that is in another segment than it mostly would be is found there.
func TestShelvesOfSeveralCounts(t *testing.T) {
	log, _ := shelved(t, 20)
	for next := 20; next < 200; {
		var batch [][]byte
		for range next%5 + 1 {
			batch = append(batch, []byte(shelvedValue(next)))
			next++
		}
		if _, err := log.AppendBatch(batch); err != nil {
			t.Fatal(err)
		}
		log.keep()
		for i := range next {
			if entry, err := log.Get(uint64(i)); err != nil || string(entry.Value) != shelvedValue(i) {
				t.Fatalf("entry %d of %d reads %q, %v", i, next, entry.Value, err)
			}
		}
	}
}

// A segment whose entries are not like those before it is no shelf: they are
// smaller, so that they would be looked for behind its end.
func TestShelfOfOtherEntries(t *testing.T) {
	log, _ := shelved(t, 40)
	for i := range 30 {
		mustAppend(t, log, fmt.Sprint(i%10))
		for j := range i + 1 {
			if entry, err := log.Get(uint64(40 + j)); err != nil || string(entry.Value) != fmt.Sprint(j%10) {
				t.Fatalf("entry %d reads %q, %v", 40+j, entry.Value, err)
			}
		}
	}
	if found := onShelves(t, log); found < 24 || found > 40 {
		t.Errorf("%d entries on shelves, not those of the first segments", found)
	}
}

// A batch that is larger than a segment, of entries like those on the shelves before
// it, is read as far as it is in memory, and where it is not.
func TestShelfOfLargeBatch(t *testing.T) {
	log, _ := shelved(t, 40)
	batch := make([][]byte, 200)
	for i := range batch {
		batch[i] = []byte(shelvedValue(40 + i))
	}
	if _, err := log.AppendBatch(batch); err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 0, 100)
	for i := range 240 {
		if entry, err := log.GetInto(uint64(i), buf); err != nil || string(entry.Value) != shelvedValue(i) {
			t.Errorf("entry %d reads %q, %v", i, entry.Value, err)
		}
	}
}

// A shelf has the records that are in memory as a whole.
func TestShelfEndsWithItsMemory(t *testing.T) {
	for size := range 100 {
		var s shelf
		s.put(make([]byte, size), pace{start: 8, stride: 24})
		if want := uint64(max(0, size-8) / 24); s.count != want {
			t.Errorf("%d bytes: %d records, want %d", size, s.count, want)
		}
	}
}

// What a Get may not show it does not show because it stands on a shelf.
func TestShelvesShowWhatIsThere(t *testing.T) {
	log, _ := shelved(t, 50)
	buf := make([]byte, 0, 100)
	wantErr := func(index uint64, want error) {
		t.Helper()
		if entry, err := log.GetInto(index, buf); !errors.Is(err, want) {
			t.Errorf("entry %d reads %q, %v; want %v", index, entry.Value, err, want)
		}
	}
	if err := log.TruncatePrefix(3); err != nil {
		t.Fatal(err)
	}
	wantErr(2, ErrTruncated)
	wantErr(3, nil)
	if err := log.TruncateSuffix(20); err != nil {
		t.Fatal(err)
	}
	wantErr(19, nil)
	wantErr(20, ErrNotFound)
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	wantErr(10, ErrClosed)
}

// An entry that waits for its flush is not shown because the view was made anew.
func TestShelvesHideWhatIsNotSafe(t *testing.T) {
	if !hasShort {
		t.Skip("this processor has no instructions for shelves")
	}
	log := openOn(t, crashdisk.New(), Always)
	for range 4 {
		batch := slices.Repeat([][]byte{[]byte(shelvedValue(0))}, 10) // a segment's: a mark between entries would leave it no pace
		if _, err := log.AppendBatch(batch); err != nil {
			t.Fatal(err)
		}
	}
	log.keep()
	if len(log.view.Load().shelves.list) == 0 {
		t.Fatal("no shelves")
	}
	index, b, leads, err := log.write([][]byte{[]byte("waits")})
	if err != nil {
		t.Fatal(err)
	}
	next := log.turn.Take()
	log.reshape(func(*view) {})
	log.turn.Give(next)
	if entry, err := log.Get(index); !errors.Is(err, ErrNotFound) {
		t.Errorf("before its flush it reads %q, %v", entry.Value, err)
	}
	if err := log.commit(b, leads); err != nil {
		t.Fatal(err)
	}
	if entry, err := log.Get(index); err != nil || string(entry.Value) != "waits" {
		t.Errorf("after its flush it reads %q, %v", entry.Value, err)
	}
}

// Readers who may see the entries before next are shown these, and no others.
func TestShelvesEndBeforeNext(t *testing.T) {
	log, _ := shelved(t, 50)
	v := log.view.Load()
	for next := range uint64(30) {
		a := v.shelvesTo(next)
		for index := range uint64(60) {
			if _, shown := a.get(index, nil); shown != (index < next) {
				t.Fatalf("entry %d before %d: shown: %t", index, next, shown)
			}
		}
	}
}

// Values whose records have one size, and who differ in length, are all found.
func TestShelvesOfSeveralLengths(t *testing.T) {
	disk := crashdisk.New()
	log := openOn(t, disk, None)
	value := func(i int) string { return strings.Repeat("x", 5+i%8) }
	for i := range 60 {
		mustAppend(t, log, value(i))
	}
	log.keep()
	for _, buf := range [][]byte{nil, make([]byte, 0, 6), make([]byte, 0, 100)} {
		for i := range 60 {
			if entry, err := log.GetInto(uint64(i), buf); err != nil || string(entry.Value) != value(i) {
				t.Errorf("entry %d reads %q, %v; want %q", i, entry.Value, err, value(i))
			}
		}
	}
}

// A bit that flips beneath a shelf is met by the read of its entry.
func TestFlippedBitBeneathShelf(t *testing.T) {
	log, disk := shelved(t, 30)
	name := segmentsOn(t, disk)[1]
	s := log.view.Load().segments[1]
	clean := disk.Bytes(name)
	buf := make([]byte, 0, 100)
	for at := s.pace.start; at < s.end; at++ {
		data := append([]byte{}, clean...)
		data[at] ^= 1 << (at % 8)
		disk.SetBytes(name, data)
		hit := s.base + uint64((at-s.pace.start)/s.pace.stride)
		for index := s.base; index < s.next(); index++ {
			entry, err := log.GetInto(index, buf)
			if index == hit {
				wantCorrupt(t, fmt.Sprint("byte ", at), err, name)
			} else if err != nil || string(entry.Value) != shelvedValue(int(index)) {
				t.Fatalf("byte %d: entry %d reads %q, %v", at, index, entry.Value, err)
			}
		}
	}
	disk.SetBytes(name, clean)
}

// Who was told that the log ends before an entry does not read that entry from a
// shelf any more.
func TestShelvesDuringTruncation(t *testing.T) {
	const keep, rounds = 3, 300
	log := openOn(t, crashdisk.New(), None)
	var clock atomic.Int64 // 2r: round r appends; 2r+1: it truncates
	var done atomic.Bool
	var readers sync.WaitGroup
	readers.Go(func() {
		buf := make([]byte, 0, 100)
		for !done.Load() {
			now := clock.Load()
			if now%2 == 0 || log.Next() != keep {
				continue
			}
			if entry, err := log.GetInto(keep, buf); err == nil && string(entry.Value) <= shelvedValue(int(now/2)) {
				t.Errorf("round %d is truncated, and its entry reads %q", now/2, entry.Value)
				return
			}
		}
	})
	for r := range rounds {
		clock.Store(2 * int64(r))
		for log.Next() < 40 {
			mustAppend(t, log, shelvedValue(r))
		}
		log.keep()
		clock.Store(2*int64(r) + 1)
		if err := log.TruncateSuffix(keep); err != nil {
			t.Fatal(err)
		}
	}
	done.Store(true)
	readers.Wait()
}
