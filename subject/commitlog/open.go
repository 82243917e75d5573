package commitlog

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/disk"
)

// A Recovery is what opening a log found at its end that was never promised:
// writes that a crash left unfinished, or that were not yet flushed when the
// power went. It is cut off. The zero value is that of a log that was closed.
type Recovery struct {
	// CutBytes is the number of bytes from the first byte that was cut off to
	// the last that was not zero.
	CutBytes int64
	// CutEntries is how many intact entries were among them, behind a gap:
	// entries whose Append never returned, or that a power cut was allowed to
	// take with what came before them.
	CutEntries uint64
	// Damage is what does not fit in the log's files and cost no entry, since
	// the records tell the same. Verify tells all damage.
	Damage []*CorruptError
}

// OpenFile opens the log in the directory dir and makes both if there is none.
// It reads the records of segments that are not sealed, mostly the last. Of those that
// are sealed it reads header and trailer: damage to their records, or to their table of
// entries, does not keep the log from being opened. Get of an entry that it struck is a
// *CorruptError, and Verify tells all of it.
//
// What a crash left unfinished at the end was never acknowledged and is cut
// off; Recovery tells what it was. What is left is flushed to the disk. If an
// entry that is known to have been flushed is missing, or is damaged where records are
// read, that is a *CorruptError instead, and nothing is changed. Known are all entries
// of a log that was closed, and those that the last truncation left, even if the file
// that held them is gone. What is appended since makes them no less known. Where the disk was too full to close the
// log so, and after a crash, only the segments tell of the rest: known are the entries
// of sealed ones, and those before the last flush but one, as long as what says so can
// be read. It stands behind these entries. So a last file that is cut short after a
// crash, or removed, takes its entries along without an error, flushed ones included:
// a power cut leaves the same of entries that were not flushed. With None, up to eight
// full segments are not sealed yet: damage there, after a crash, cuts the log off where
// it is, and Recovery tells how many intact entries that took.
//
// A disk too full for that does not keep the log from being read: what is left is
// flushed as it is, and the next append says that there is no space, or finishes
// what opening began. Sync and Close do so, too. Only where a truncation of the suffix
// was interrupted, or no entry is left, does opening take a few kilobytes; Salvage reads
// the log without.
//
// A link, a pipe or the like with the name of the manifest, or of a segment, is an error,
// here as in Verify, Salvage and Repair, and left alone. So is one with the name of the
// lock here and in Repair; Verify and Salvage take no lock, and do not look at it. With
// the name of a file that was not finished, or is not in use yet (manifest.new,
// segment.new, spare), it is removed, here and in Repair, like any file there, and so is
// an empty directory; what a link leads to stays as it is. Verify and Salvage do not look
// at these.
//
// It returns ErrLocked if the log is open already.
func OpenFile(dir string, options FileOptions) (*File, error) {
	if err := makeDirectory(dir, options.FileMode, disk.ReadOnly); err != nil {
		return nil, fmt.Errorf("open log: %w", err)
	}
	opened, err := disk.OS(dir, options.FileMode)
	if err != nil {
		return nil, fmt.Errorf("open log: %w", err)
	}
	return openDir(opened, options)
}

// separator joins names to the directory of a log without cleaning it, as
// filepath.Join does: that changes what is meant where a link or a .. stands in it.
const separator = string(os.PathSeparator)

// makeDirectory makes the directory of a log, and its name safe: that is as
// much part of the log as the names in it. One without a manifest may be what
// an opening that was killed has made. Where its name cannot be made safe, one that
// was made here is removed, so that another opening gives the name anew.
func makeDirectory(dir string, mode fs.FileMode, open func(string) (disk.Dir, error)) error {
	err := os.Mkdir(dir, directoryMode(mode))
	if err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	made := err == nil
	info, err := os.Stat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("%s is a file; a log is a directory", dir)
	}
	if _, err := os.Stat(dir + separator + manifestName); err == nil {
		return nil
	}
	err = flushParent(dir, open)
	switch {
	case err != nil && made:
		return both(err, os.Remove(dir))
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EINVAL): // then nobody like us made it there
		return nil
	}
	return err
}

// directoryMode lets whoever may read or write files find them.
func directoryMode(files fs.FileMode) fs.FileMode {
	if files = files.Perm(); files == 0 {
		return 0o755
	}
	return files | files&0o444>>2
}

func flushParent(dir string, open func(string) (disk.Dir, error)) error {
	parent, err := open(dir + separator + "..")
	if err != nil {
		return err
	}
	return both(parent.Sync(), parent.Close())
}

// openDir is OpenFile on any disk. Closing the log closes the directory; if it does
// not open, the directory is closed as well.
func openDir(dir disk.Dir, options FileOptions) (*File, error) {
	f, err := openLocked(dir, options)
	if err != nil {
		return nil, fmt.Errorf("open log: %w", both(err, dir.Close()))
	}
	if err := f.makeFirst(); err != nil {
		if closed := f.Close(); !errors.Is(closed, err) { // else the log has stopped, and Close says so once more
			err = both(err, closed)
		}
		return nil, fmt.Errorf("open log: %w", err)
	}
	return f, nil
}

// openLocked locks and recovers the log, of which it adds nothing yet.
func openLocked(dir disk.Dir, options FileOptions) (*File, error) {
	if err := options.complete(); err != nil {
		return nil, err
	}
	lock, err := lockDir(dir)
	if err != nil {
		return nil, err
	}
	in, err := recoverLog(dir, options.salt)
	if err != nil {
		return nil, both(err, lock.Close())
	}
	return newFile(in, lock, options), nil
}

// makeFirst makes the first segment now, so that no append has to wait for it. On a
// full disk the append that needs it will say so: the log can still be read.
func (f *File) makeFirst() error {
	if f.tail.segment != nil || f.rest.Load() {
		return nil
	}
	f.roster.take(preparing)
	defer f.roster.give(preparing)
	return f.orStop(ifNotFull(f.roll(0)))
}

func lockDir(dir disk.Dir) (io.Closer, error) {
	lock, err := dir.Lock(lockName)
	if errors.Is(err, disk.ErrLocked) {
		return nil, fmt.Errorf("%s: %w", dir.Path(""), ErrLocked)
	}
	return lock, err
}

// recoverLog inspects the log and makes it one that ends behind its last
// whole entry; a new one gets an id that is drawn by salt. A crash meanwhile
// leaves as much to be done again.
func recoverLog(dir disk.Dir, salt func() uint64) (*inspection, error) {
	in, err := inspect(dir)
	if err != nil {
		return nil, err
	}
	err = in.apply(salt)
	if err != nil {
		return nil, both(err, in.close())
	}
	in.cut.Damage = in.harmless
	return in, nil
}

func (in *inspection) apply(salt func() uint64) error {
	if damage := append(in.damage, in.holes...); len(damage) > 0 {
		return damage[0]
	}
	if in.fresh {
		in.manifest = manifest{id: salt(), limit: unlimited}
		return writeManifest(in.dir, in.manifest)
	}
	if err := in.clean(); err != nil {
		return err
	}
	if err := in.secureAll(); err != nil {
		return err
	}
	if in.manifest.limit != unlimited {
		return in.finishTruncation()
	}
	return nil
}

// secure makes what is served from here on safe, whoever wrote it, and what was
// cut off stay away from behind something new: now, or when an opening before
// cut it off and was killed.
//
// What nothing vouches for is written once more: if its flush had failed, the
// system holds it for clean, and this flush would leave it out. Where files are
// copied as they are written that takes space. If there is none, what the system
// has is flushed, and the rest left to the append that comes first: without it
// nothing may be added to the log.
func (in *inspection) secure(s *segment) error {
	err := s.writeAgain()
	if err == nil {
		err = flush(s.file)
	}
	if err == nil {
		err = in.secureName(s)
	}
	if in.manifest.limit == unlimited && isFull(err) && !isFlushError(err) {
		s.unsecured, err = err, flush(s.file)
	}
	return err
}

// writeAgain writes the bytes of which nothing says that they are safe, and zeros
// where the log's end was cut off.
func (s *segment) writeAgain() error {
	if err := writeZeros(s.file, s.end, s.torn); err != nil {
		return err
	}
	b := make([]byte, min(secureWindow, s.end-s.proven))
	for at := s.proven; at < s.end; at += int64(len(b)) {
		b = b[:min(int64(len(b)), s.end-at)]
		if _, err := s.file.ReadAt(b, at); unlessEnd(err) != nil {
			return err
		}
		if _, err := s.file.WriteAt(b, at); err != nil {
			return err
		}
	}
	return nil
}

// secureName makes the name of a segment safe, unless a mark in it says that it
// is; where a truncation was interrupted, the mark can have been copied from the
// file that had the name before. It is given once more: if the flush that should
// have made it safe failed, a flush that finds nothing new would be no better.
func (in *inspection) secureName(s *segment) error {
	if s.proven > recordsStart && in.manifest.limit == unlimited {
		return nil
	}
	return nameAgain(in.dir, segmentName(s.base))
}

// nameAgain takes up where an earlier try failed.
func nameAgain(dir disk.Dir, name string) error {
	if err := dir.Rename(name, name+againSuffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := dir.Rename(name+againSuffix, name); err != nil {
		return err
	}
	return flush(dir)
}

// An unfinished is what opening had no space for.
type unfinished struct{ *core }

// finishOpening makes safe what opening had no space for, and ends a truncation.
func (u *unfinished) finishOpening() error {
	if !u.rest.Load() {
		return nil
	}
	defer u.roster.exclude()()
	if err := u.usable(); err != nil { // it was closed meanwhile, and another process may have the directory
		return err
	}
	return u.orStop(u.secureRest())
}

// secureOpened makes safe what opening had no space for, if anything. What was in doubt
// may have been truncated since; then there is only that to note.
func (u *unfinished) secureOpened() error {
	if !u.rest.Load() {
		return nil
	}
	defer u.roster.exclude()()
	if u.doubt.Load() == unlimited { // it is the end of a truncation that is due, which can wait
		return nil
	}
	if err := u.usable(); err != nil {
		return err
	}
	return u.orStop(u.secureRest())
}

// secureRest is finishOpening while all locks are held.
func (u *unfinished) secureRest() error {
	if !u.rest.Load() {
		return nil
	}
	for _, s := range u.view.Load().segments {
		if s.unsecured == nil {
			continue
		}
		if err := u.secure(s); err != nil {
			return fmt.Errorf("write the log's end once more: %w", err)
		}
		s.unsecured = nil
	}
	u.doubt.Store(unlimited)
	if m := u.view.Load().manifest; m.limit != unlimited {
		m.limit = unlimited
		if err := writeManifest(u.dir, m); err != nil {
			return fmt.Errorf("end a truncation: %w", err)
		}
		u.show(u.turn.Next(), func(v *view) { v.manifest = m })
	}
	u.rest.Store(false)
	return nil
}

// secure makes a segment safe for which opening had no space.
func (u *unfinished) secure(s *segment) error {
	if s.sealed {
		return s.writeTrailer()
	}
	err := s.writeAgain()
	if err == nil {
		err = flush(s.file)
	}
	if err == nil && s.proven == recordsStart {
		err = nameAgain(u.dir, segmentName(s.base))
	}
	return err
}

// finishNames gives the segments their names that a crash left without.
func (in *inspection) finishNames() error {
	for _, name := range in.again {
		if err := in.dir.Rename(name+againSuffix, name); err != nil {
			return err
		}
	}
	return nil
}

// secureWindow is how many bytes are written once more at a time.
const secureWindow = 1 << 20

// secureAll makes all segments safe, and seals those that are full.
func (in *inspection) secureAll() error {
	full := false // the disk
	for i, s := range in.segments {
		if s.sealed {
			if err := s.secureTrailer(in.segments[i+1:]); err != nil {
				return err
			}
			full = full || s.unsecured != nil
			continue
		}
		if err := in.secure(s); err != nil {
			return err
		}
		full = full || s.unsecured != nil
		if full || i == len(in.segments)-1 {
			continue
		}
		sealed, err := s.indexAndSeal(func() error { return flush(in.dir) })
		if err := ifNotFull(err); err != nil {
			return err
		}
		if full = sealed == nil; !full {
			in.segments[i] = sealed
		}
	}
	return nil
}

// secureTrailer writes a trailer once more, and flushes it, unless a trailer or a mark in
// one of the segments behind proves that it was flushed. That can be missing for the last
// trailer only, so that a log of many segments costs one flush. Without space what is there
// is flushed, and the rest left to the append that comes first.
func (s *segment) secureTrailer(behind []*segment) error {
	for _, b := range behind {
		if b.sealed || b.claimed >= s.next() {
			return nil
		}
	}
	err := s.writeTrailer()
	if isFull(err) && !isFlushError(err) {
		s.unsecured, err = err, flush(s.file)
	}
	return err
}

// confirm writes the manifest once more, since it may be one whose flush had
// failed. A disk too full for that is no reason to refuse the log: the manifest's
// name, at least, is made safe, and what would be removed on its word stays for
// another opening. Only the end of a truncated suffix cannot stay: new entries would
// come before it.
func (in *inspection) confirm() error {
	err := writeManifest(in.dir, in.manifest)
	if err == nil || len(in.segments) == 0 || ifNotFull(err) != nil {
		return err
	}
	if in.manifest.limit != unlimited && len(in.remove) > 0 {
		return err
	}
	in.remove = nil
	return flush(in.dir)
}

// active returns the segment that is written to, or nil.
func (in *inspection) active() *segment {
	if n := len(in.segments); n > 0 && !in.segments[n-1].sealed {
		return in.segments[n-1]
	}
	return nil
}

// clean removes segments that hold nothing any more.
func (in *inspection) clean() error {
	if err := in.finishNames(); err != nil {
		return err
	}
	if err := in.removeAll(in.empty); err != nil {
		return err
	}
	if err := in.confirm(); err != nil {
		return err
	}
	if err := in.removeAll(in.remove); err != nil {
		return err
	}
	if err := in.drop(); err != nil {
		return err
	}
	if s := in.active(); s != nil {
		s.torn = in.dirtyEnd
	}
	return nil
}

// drop removes the segments behind the log's end, the spare one, and what a
// truncation or a repair did not finish.
func (in *inspection) drop() error {
	var names []string
	for _, s := range in.dropped {
		names = append(names, segmentName(s.base))
		if err := s.file.Close(); err != nil {
			return err
		}
	}
	in.dropped = nil
	unfinished := both(removeIfThere(in.dir, spareName), removeIfThere(in.dir, newSegmentName))
	return both(unfinished, in.removeAll(names))
}

func (in *inspection) removeAll(names []string) error {
	for _, name := range names {
		if err := in.dir.Remove(name); err != nil {
			return err
		}
	}
	if len(names) == 0 {
		return nil
	}
	return flush(in.dir)
}

// finishTruncation ends a TruncateSuffix whose entries are gone.
func (in *inspection) finishTruncation() error {
	if s := in.active(); s != nil {
		if err := s.endTruncated(); err != nil {
			return err
		}
	}
	in.manifest.limit = unlimited
	return writeManifest(in.dir, in.manifest)
}

// endTruncated marks a segment's end, which is safe: the entries left may be
// half a batch, which the mark ends.
func (s *segment) endTruncated() error {
	mark := newMark(s.seed, s.next(), pledge{safe: s.next()})
	if _, err := s.file.WriteAt(mark, s.end); err != nil {
		return err
	}
	s.end += int64(len(mark))
	s.size.Store(max(s.size.Load(), s.end))
	return flush(s.file)
}
