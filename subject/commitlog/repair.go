package commitlog

import (
	"fmt"
	"slices"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/disk"
)

// Repair makes the log in dir one that opens, and keeps every entry that can
// be read at its index. A segment with damage in it is written anew; what was
// there is kept beside it, under its name with ".damaged" behind, up to the 5
// GiB that a segment can have. One whose entries are whole, and whose trailer alone
// is damaged or has something behind it, is sealed again as it stands, without a copy.
// An entry that is lost keeps its index, and reading it says so. What opening would cut
// off the end is cut off, and kept likewise if there are intact entries in it.
//
// Without its manifest, which alone knows of it, a truncation of the prefix
// that did not end where a segment does is undone in part, and one of the suffix behind which
// nothing was appended. If the segment that is first then has lost its header, too, and has no trailer,
// indexes are those that its entries tell, which are less than 2³². Where no segment has a header left, nobody can tell
// which log it is, and no entry can be read.
//
// What a segment says of itself counts, and its file's name where it has lost that. A file that has the name of
// a segment and is a copy of one that has its own name, or belongs to another
// log, is set aside, with ".damaged" behind its name, and costs no entry. A log with so many entries missing that a file must
// come from elsewhere is refused, and stays as it is.
//
// It returns what Verify found before. Nothing is done to a log without
// damage, but what opening and closing it does. It returns ErrLocked if the log is open,
// and fs.ErrNotExist if there is none.
func Repair(dir string) (*Verification, error) {
	opened, err := disk.OS(dir, 0)
	if err != nil {
		return nil, fmt.Errorf("repair log: %w", err)
	}
	v, err := repairDir(opened)
	if err != nil {
		return v, fmt.Errorf("repair log: %w", err)
	}
	return v, nil
}

// anyLog returns an error where there is no log: then no lock shall be made there
// either. It asks for names alone: whoever has the log open may be changing it.
func anyLog(dir disk.Dir) error {
	names, err := dir.Names()
	if err == nil && !slices.ContainsFunc(names, func(name string) bool {
		_, is := numberOf(name)
		return is || name == manifestName
	}) {
		return fmt.Errorf("%s: %w", dir.Path(""), errNoLog)
	}
	return err
}

// repairDir repairs the log, and closes the directory.
func repairDir(dir disk.Dir) (v *Verification, err error) {
	if err := anyLog(dir); err != nil {
		return nil, both(err, dir.Close())
	}
	lock, err := lockDir(dir)
	if err != nil {
		return nil, both(err, dir.Close())
	}
	v, in, err := mendLocked(dir)
	if err != nil {
		return v, both(err, both(lock.Close(), dir.Close()))
	}
	log, err := newFile(in, lock, FileOptions{Durability: Always})
	if err != nil {
		return v, both(err, dir.Close())
	}
	err = log.finish() // cuts off the end, and flushes what is left
	return v, both(err, log.Close())
}

// mendLocked makes the log one that opens.
func mendLocked(dir disk.Dir) (v *Verification, in *inspection, err error) {
	if v, err = verify(dir, func(Entry, error) bool { return true }); err != nil {
		return v, nil, err
	}
	if slices.ContainsFunc(v.Damage, func(d *CorruptError) bool { return !d.Lost }) {
		if err := mend(dir); err != nil {
			return v, nil, err
		}
	}
	if err := keepTail(dir); err != nil {
		return v, nil, err
	}
	in, err = recoverLog(dir, newID)
	return v, in, err
}

// mend writes what is damaged anew.
func mend(dir disk.Dir) error {
	in, err := inspect(dir)
	if err != nil {
		return err
	}
	if err := in.mendable(); err != nil {
		return both(err, in.close())
	}
	m := mending{inspection: in, at: in.manifest.first}
	if in.manifest.id == 0 { // neither the manifest nor a segment tells
		in.manifest.id = newID()
	}
	for _, step := range []func() error{
		in.keepDropped,    // before anything stands in their place
		in.setStraysAside, // before the log's own files are fewer than another's
		in.secureKnown, in.removeTruncated, m.all, m.endHere, in.removeDropped,
	} {
		if err := step(); err != nil {
			return both(err, in.close())
		}
	}
	return in.close()
}

// secureKnown makes the log's segments safe, and has the manifest know of all entries that have to be there.
func (in *inspection) secureKnown() error {
	for _, s := range slices.Backward(in.segments) {
		if s.sealed {
			if err := s.secureTrailer(in.dir); err != nil { // which vouches for those before it
				return err
			}
			break
		}
		s.unsure.from, s.unsure.to = recordsStart, max(s.end, s.found.dirty) // whatever else vouches for it
		if s.found.flaw == "" {                                              // else the file is written anew, and kept as it is before
			s.unsure.from = 0
		}
		if err := s.secure(s.end); err != nil {
			return err
		}
	}
	in.manifest.known = max(in.manifest.known, in.promised)
	return nil
}

// removeTruncated removes what was truncated while the manifest says that it was: the next one
// says where the log ends instead.
func (in *inspection) removeTruncated() error {
	if in.distrusted {
		return nil
	}
	if err := writeManifest(in.dir, in.manifest); err != nil {
		return err
	}
	return in.remove(&in.doomed)
}

// mostFilled is how many bytes of lost records a repair writes, beyond what the
// segments have.
const mostFilled = 256 << 20

// mendable returns an error if there are so many entries missing that a file must
// have a wrong name: each would get a record in its place.
func (in *inspection) mendable() error {
	bytes := int64(mostFilled)
	for _, s := range in.segments {
		bytes += min(s.size.Load(), maxOffset)
	}
	next := in.manifest.first
	if len(in.segments) > 0 {
		next = min(next, in.segments[0].base)
	}
	most := uint64(bytes / recordSize(0)) // entries that these bytes can hold
	for i, s := range in.segments {
		end := max(next, in.segmentEnd(i))
		if end-next > most {
			return tooMany(s.path, end-next)
		}
		most -= end - next
		next = end
	}
	if end := max(next, in.promised); end-next > most {
		return tooMany(in.dir.Path(""), end-next)
	}
	return nil
}

func tooMany(path string, missing uint64) error {
	return fmt.Errorf("%s: up to %d entries are missing, too many to put a record in each place: has a file another name than it had?", path, missing)
}
