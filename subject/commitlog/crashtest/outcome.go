package crashtest

import (
	"errors"
	"fmt"

	"github.com/syncwrite/syncwrite/subject/commitlog"
)

// An ack is how many appends of a goroutine were acknowledged, and the index
// of the last one.
type ack struct{ count, index uint64 }

type snapshot [Goroutines]ack

func (s snapshot) total() uint64 {
	n := uint64(0)
	for _, ack := range s {
		n += ack.count
	}
	return n
}

// An Outcome is what one crash did to a log.
type Outcome struct {
	// Acknowledged is how many appends had returned, Kept how many entries
	// the log had when it was opened again, Lost how many of the acknowledged
	// ones were not among them.
	Acknowledged, Kept, Lost uint64
	// NotOpened is why the log could not be opened.
	NotOpened error
	// Wrong is what the log holds that it must not: an entry that was never
	// appended, one twice, or one out of order.
	Wrong error
	// Fsck says that the file system could not be mounted as it was.
	Fsck bool
}

// examine opens the log at path and compares it with what was acknowledged.
func examine(b Backend, path string, told snapshot) Outcome {
	o := Outcome{Acknowledged: told.total()}
	log, err := b.Open(path)
	if err != nil {
		o.NotOpened, o.Lost = err, o.Acknowledged
		return o
	}
	found, err := read(b, log, told)
	o.Wrong = errors.Join(err, log.Close())
	for g, n := range found {
		o.Kept += n
		o.Lost += told[g].count - min(n, told[g].count)
	}
	return o
}

// read goes through a log and returns how many entries of each goroutine are
// in it, without a gap from the first on.
func read(b Backend, log Log, told snapshot) (found [Goroutines]uint64, err error) {
	for index := uint64(0); ; index++ {
		entry, err := log.Get(index)
		if errors.Is(err, commitlog.ErrNotFound) {
			return found, nil
		}
		if err != nil {
			return found, err
		}
		g, seq, err := parseValue(entry.Value)
		switch {
		case err != nil:
			return found, fmt.Errorf("entry %d: %w", index, err)
		case seq != found[g]:
			return found, fmt.Errorf("entry %d is append %d of goroutine %d, want its append %d", index, seq, g, found[g])
		case !b.Unindexed && seq+1 == told[g].count && index != told[g].index:
			return found, fmt.Errorf("append %d of goroutine %d is entry %d, and entry %d was acknowledged", seq, g, index, told[g].index)
		}
		found[g]++
	}
}
