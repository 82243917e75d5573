package commitlog

import (
	"crypto/rand"
	"encoding/binary"
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
// entries, does not keep the log from being opened. Get of an entry that it struck is a *CorruptError, and
// Verify tells all of it.
//
// What a crash left unfinished at the end was never acknowledged and is cut
// off; Recovery tells what it was. What is left of a durable log is flushed to the disk,
// that of another with its next flush. If an
// entry that is known to have been flushed is missing, or is damaged where records are
// read, that is a *CorruptError instead, and nothing is changed. Known are all entries
// of a log that was closed, and those that the last truncation left, even if the file
// that held them is gone. What is appended since makes them no less known. Where the disk was too full to close the
// log so, and after a crash, only the segments tell of the rest: known are the entries
// of sealed ones, and those before the last flush but one, as long as what says so can
// be read, and its file has its header. It stands behind these entries. So a last file that is cut short after a
// crash, or removed, takes its entries along without an error, flushed ones included:
// a power cut leaves the same of entries that were not flushed. With None, full segments
// may not be sealed yet: damage there, after a crash, cuts the log off where
// it is, and Recovery tells how many intact entries that took. Their bytes go with them, at
// the latest when the segment is sealed: a Repair before that keeps them aside.
//
// A disk too full for that does not keep the log from being read: the next append, Sync or
// Close says that there is no space, or finishes what opening began. Only where no entry is
// left does opening take a few kilobytes.
//
// A log of another version of the format is refused with the version that reads it.
//
// A link, a pipe or the like with the name of the manifest, or of a segment, is an error,
// here as in Verify, Salvage and Repair, and left alone. So is one with the name of the
// lock here and in Repair; Verify and Salvage take no lock, and do not look at it. With
// the name of a file that was not finished (manifest.new, segment.new), it is removed, here
// and in Repair, like any file there, and so is
// an empty directory; what a link leads to stays as it is. Verify and Salvage do not look
// at these.
//
// It returns ErrLocked if the log is open already.
func OpenFile(dir string, options FileOptions) (*File, error) {
	if err := options.complete(); err != nil { // before anything is made
		return nil, fmt.Errorf("open log: %w", err)
	}
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
	parent, err := open(dir + separator + "..")
	if err == nil {
		err = both(parent.Sync(), parent.Close())
	}
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

// openDir is OpenFile on any disk. Closing the log closes the directory; if it does
// not open, the directory is closed as well.
func openDir(dir disk.Dir, options FileOptions) (*File, error) {
	f, err := openLocked(dir, options)
	if err != nil {
		return nil, fmt.Errorf("open log: %w", both(err, dir.Close()))
	}
	err = ifNotFull(f.finish())
	if err == nil { // for the first segment now, so that no append waits for it; one that needs it will say that the disk is full
		err = ifNotFull(f.roller.makeRoom(0))
	}
	if err != nil {
		if closed := f.Close(); !errors.Is(closed, err) { // else the log has stopped, and Close says so once more
			err = both(err, closed)
		}
		return nil, fmt.Errorf("open log: %w", err)
	}
	f.start()
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
	in, err := recoverLog(dir, options.newID)
	if err != nil {
		return nil, both(err, lock.Close())
	}
	return newFile(in, lock, options)
}

func lockDir(dir disk.Dir) (io.Closer, error) {
	lock, err := dir.Lock(lockName)
	if errors.Is(err, disk.ErrLocked) {
		return nil, fmt.Errorf("%s: %w", dir.Path(""), ErrLocked)
	}
	return lock, err
}

// recoverLog inspects the log, writes its manifest, and removes what is none of it; a new one gets an id that is
// drawn by newID. A crash meanwhile leaves as much to be done again.
func recoverLog(dir disk.Dir, newID func() uint64) (*inspection, error) {
	in, err := inspect(dir)
	if err != nil {
		return nil, err
	}
	if damage := append(in.damage, in.holes...); len(damage) > 0 {
		return nil, both(damage[0], in.close())
	}
	if in.fresh {
		in.manifest.id = newID()
	}
	if err := in.clean(); err != nil {
		return nil, both(err, in.close())
	}
	in.cut.Damage = in.harmless
	return in, nil
}

// clean writes the manifest once more, since it may be one whose flush had failed, and removes
// on its word what holds nothing of the log, and what a repair did not finish. A
// disk too full for that is no reason to refuse the log: the manifest's name, at least, is
// made safe, and the rest is left to the next opening.
func (in *inspection) clean() error {
	if len(in.segments) == 0 && max(in.number, in.next) > 0 { // else nothing tells how far numbers have come
		if in.number == 0 {
			in.number = farAhead
		}
		in.manifest = in.manifest.cutting(cut{in.next, in.number})
	}
	err := writeManifest(in.dir, in.manifest)
	if full := err != nil && ifNotFull(err) == nil && len(in.segments) > 0; full {
		return flush(in.dir)
	}
	if err == nil {
		err = removeIfThere(in.dir, newSegmentName)
	}
	if err != nil {
		return err
	}
	return in.remove(&in.doomed)
}

// remove removes segments, once, and flushes that.
func (in *inspection) remove(lists ...*[]*segment) (err error) {
	var gone []*segment
	for _, list := range lists {
		gone, *list = append(gone, *list...), nil
	}
	for _, s := range gone {
		if err = both(err, s.file.Close()); err == nil {
			err = in.dir.Remove(s.name)
			delete(in.names, s.name)
		}
	}
	if len(gone) == 0 || err != nil {
		return err
	}
	return flush(in.dir)
}

// newID returns a random number, as ids are.
func newID() uint64 {
	var b [8]byte
	rand.Read(b[:]) // never fails
	return binary.LittleEndian.Uint64(b[:])
}
