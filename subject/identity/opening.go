package identity

import (
	"crypto/rand"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/syncwrite/syncwrite/subject/commitlog"
)

// OpenKept opens the server of a directory, which it makes if there is none. One that it
// begins in has to be empty, but for lost+found and hidden files: else the log that was there
// may be gone, and it returns [ErrNothingKept]. One process at a time has it: another one
// gets [commitlog.ErrLocked].
func OpenKept[R any](dir string, options KeptOptions[R]) (*Kept[R], error) {
	options.Options = options.Options.check()
	replica, err := options.Replica.check()
	if err != nil {
		return nil, err
	}
	k := &Kept[R]{reply: options.Reply, block: options.Block, replica: replica}
	if k.block == 0 {
		k.block = defaultBlock
	}
	if err := k.open(dir, options.Floor); err != nil {
		return nil, fmt.Errorf("open %s: %w", dir, err)
	}
	return k, nil
}

func (k *Kept[R]) open(dir string, floor uint64) (err error) {
	if err := makeLog(dir, k.replica, floor); err != nil {
		return err
	}
	if k.log, err = openLog(filepath.Join(dir, logName)); err != nil {
		return err
	}
	if err := k.begin(floor); err != nil {
		return errors.Join(err, k.log.Close())
	}
	return nil
}

const logSegment = 1 << 20

func openLog(dir string) (*commitlog.File, error) {
	return commitlog.OpenFile(dir, commitlog.FileOptions{Durability: commitlog.Always, SegmentSize: logSegment})
}

// begin goes on behind what the log says was reserved.
func (k *Kept[R]) begin(floor uint64) error {
	next := k.log.Next()
	if next == 0 {
		return ErrNothingKept
	}
	entry, err := k.log.Get(next - 1)
	if err != nil {
		return err
	}
	m, err := decodeMark(entry.Value)
	if err != nil {
		return err
	}
	if m.replica != k.replica {
		return fmt.Errorf("%w: it is that of replica %v, and not of %v", ErrReplica, m.replica, k.replica)
	}
	var session Session
	rand.Read(session[:]) // never fails
	k.instance, k.past = m.instance, m.opened(session)
	k.counted = max(m.reserved, k.replica.upTo(floor))
	if k.heard = floor; len(m.past) > 0 { // nobody has raised what was never open
		k.heard = min(k.replica.id(k.counted+1)-1, Max)
	}
	k.began = max(k.heard, k.idOf(k.counted))
	return k.reserve(k.counted)
}
