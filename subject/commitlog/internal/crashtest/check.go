package crashtest

import (
	"errors"
	"fmt"

	"github.com/syncwrite/syncwrite/subject/commitlog"
)

// An ack is how far one goroutine had got when the crash began.
type ack struct {
	start, next uint64 // appends [start, next) were acknowledged in this run
	index       int64  // of append next-1; -1 if not known
}

// check opens the log at path and compares it with what was acknowledged.
func check(b Backend, path string, acks [writers]ack) Outcome {
	var o Outcome
	for _, a := range acks {
		o.Acknowledged += int(a.next - a.start)
	}
	log, err := b.Open(path)
	if err != nil {
		o.Refused = err
		return o
	}
	o.Wrong = errors.Join(o.read(b, log, acks), log.Close())
	for g, a := range acks {
		if found := o.found[g]; found < a.next {
			o.Lost += int(a.next - found)
		}
	}
	return o
}

// read goes through the log from 0 to its end. The sequence of each goroutine
// must count up from 0: then nothing is in the log twice or in another order
// or was never appended, and what is missing is missing at the end.
func (o *Outcome) read(b Backend, log commitlog.Log, acks [writers]ack) error {
	scratch := make([]byte, 0, valueHeader+longestFill+8)
	for index := uint64(0); ; index++ {
		entry, err := log.Get(index)
		if errors.Is(err, commitlog.ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		g, seq, err := parseValue(entry.Value, scratch)
		if err != nil {
			return fmt.Errorf("entry %d: %w", index, err)
		}
		if seq != o.found[g] {
			return fmt.Errorf("entry %d: append %d of goroutine %d where its append %d was due", index, seq, g, o.found[g])
		}
		a := acks[g]
		if seq+1 == a.next && a.index >= 0 && !b.Unindexed && uint64(a.index) != index {
			return fmt.Errorf("entry %d: append %d of goroutine %d, which was acknowledged as entry %d", index, seq, g, a.index)
		}
		o.found[g]++
		o.Kept++
	}
}
