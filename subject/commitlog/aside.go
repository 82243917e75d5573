package commitlog

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/disk"
)

// damagedSuffix is what the name of a file gets before a repair replaces it.
const damagedSuffix = ".damaged"

// keepTail keeps what intact entries will be cut off.
func keepTail(dir disk.Dir) error {
	in, err := inspect(dir)
	if err != nil {
		return err
	}
	err = in.keepDropped()
	for _, s := range in.segments {
		if err == nil && s.cutsIntact() {
			err = keep(dir, s)
		}
	}
	return both(err, in.close())
}

// keepDropped keeps the segments behind the log's end that can have intact entries: where there is damage, also
// those whose bytes tell none. Of those that hold nothing of the log it keeps what lost its header by damage: that may be
// why all of it seems to have been truncated.
func (in *inspection) keepDropped() error {
	if err := keepAll(in.dir, slices.DeleteFunc(slices.Clone(in.doomed), func(s *segment) bool { return !s.found.struck })); err != nil {
		return err
	}
	hurt := len(in.damage)+len(in.holes)+len(in.harmless) > 0
	return keepAll(in.dir, slices.DeleteFunc(slices.Clone(in.dropped), func(s *segment) bool {
		none := s.found.surveyed && s.entries() == 0 && s.rest() == 0
		return s.found.spare || none && !(hurt && s.found.dirty > recordsStart)
	}))
}

// cutsIntact reports whether intact entries are cut off the end of a segment.
func (s *segment) cutsIntact() bool { return s.endsByRecords() && s.rest() > 0 }

// setStraysAside keeps what is none of the log's, and removes it.
func (in *inspection) setStraysAside() error {
	if err := keepAll(in.dir, in.strays); err != nil {
		return err
	}
	return in.remove(&in.strays)
}

// removeDropped removes what is behind the log's end, or holds nothing of it.
func (in *inspection) removeDropped() error { return in.remove(&in.doomed, &in.dropped) }

// mostKept is how many bytes a segment can have: records, a table, and a trailer.
// What damage has put behind them is not kept.
const mostKept = maxOffset + maxOffset/4 + blockSize

func keepAll(dir disk.Dir, segments []*segment) error {
	for _, s := range segments {
		if err := keep(dir, s); err != nil {
			return err
		}
	}
	return nil
}

// keep copies a segment to where its replacement will not touch it, and no
// later repair. If it fails it leaves nothing behind.
func keep(dir disk.Dir, s *segment) error {
	name := s.name + damagedSuffix
	file, err := dir.Create(name)
	for n := 2; errors.Is(err, fs.ErrExist); n++ {
		name = fmt.Sprintf("%s%s.%d", s.name, damagedSuffix, n)
		file, err = dir.Create(name)
	}
	if err != nil {
		return err
	}
	size, err := s.file.Size()
	if err == nil {
		err = copyHoles(file, s.file, min(size, mostKept))
	}
	if err == nil {
		err = flush(file)
	}
	if err = both(err, file.Close()); err != nil {
		return both(err, dir.Remove(name))
	}
	return flush(dir)
}

// copyHoles copies the first size bytes of a file. Where it has nothing but zeros the
// copy gets holes, which take no space.
func copyHoles(to disk.File, from io.ReaderAt, size int64) error {
	b := make([]byte, min(size, scanWindow))
	for at := int64(0); at < size; at += int64(len(b)) {
		n, err := from.ReadAt(b[:min(int64(len(b)), size-at)], at)
		if unlessEnd(err) != nil {
			return err
		}
		if lastDirty(b[:n]) == 0 {
			continue
		}
		if _, err := to.WriteAt(b[:n], at); err != nil {
			return err
		}
	}
	return to.Truncate(size)
}
