package commitlog

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"slices"
	"time"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/disk"
)

// A Verification is what reading all of a log's files found.
type Verification struct {
	// First is the index of the first entry, Next the one that an append
	// would get once the log is opened, or repaired.
	First, Next uint64
	// Segments are the log's files, in order.
	Segments []SegmentInfo
	// Lost counts the entries from First on whose records cannot be read: neither
	// Salvage nor Repair gives these back. Get can fail for more, with a *CorruptError,
	// until a repair: it goes by a segment's table of entries, and damage to that
	// costs no record. An intact record that stands alone, with the heads of those before it
	// damaged as well, counts as lost where too many places were tried to tell it from chance. So do
	// those behind bytes that were left out of a file, where what is left has no room for their indexes.
	Lost uint64
	// Damage is everything that is not as it was written and that somebody reads, but for what a
	// crash can leave so: the trailers of full segments behind the last one that has one, and a header of one of
	// which nothing says that the disk has an entry. It need not have cost an entry: some of it is told
	// elsewhere as well, and Repair puts that right.
	Damage []*CorruptError
	// Untold are the files at the log's end that lost their header, by more than a crash takes, and every entry: nobody can tell how
	// many they held. Lost counts those alone that are known to have been there.
	Untold []string
	// Opens reports whether OpenFile opens the log as it is, given space.
	Opens bool
	// Tail is what opening cuts off the end: writes that were not finished,
	// or never promised to survive. It is no damage.
	Tail Recovery

	restless bool // the log was truncated meanwhile, and what was found since may be of that
	leftOut  bool // and some of that is not told
}

// SegmentInfo describes one file of a log.
type SegmentInfo struct {
	Path string
	// First is the index of its first entry, Entries how many it has.
	First, Entries uint64
	// Bytes is the size of the file, space prepared for more included.
	Bytes int64
	// Sealed reports whether it is full.
	Sealed bool
	// Lost is how many of its entries cannot be read.
	Lost uint64
}

// Verify reads every byte of the log in dir and changes none. It takes no
// lock: of a log that is being written it may see the last entries half
// written, or undone where the disk is full; one that is truncated all the time it may give up, and of one that is
// being repaired it may tell what it was. An error is one of reading
// otherwise, fs.ErrNotExist if there is no log.
//
// Of each file it reads no more than the 5 GiB that a segment can have, however large
// it is said to be; a hole takes the time that zeros do. Tables and records are read
// in pieces, so that memory goes by the entries and the damage that are really there.
func Verify(dir string) (*Verification, error) {
	for range mostLooks {
		v, err := verifyAt(dir, func(Entry, error) bool { return true })
		if err != nil {
			return nil, fmt.Errorf("verify log: %w", err)
		}
		if !v.restless {
			return v, nil
		}
	}
	return nil, fmt.Errorf("verify log: %w", errRestless)
}

// Salvage returns every entry of the log in dir that can be read, in order,
// those behind damage included, but for what Verification.Lost says of one that stands alone. For what cannot be read it yields a *CorruptError and goes on; any
// other error ends it. It takes no lock and changes nothing: of a log that somebody truncates
// meanwhile it may show entries that are gone by then. Where the end was truncated, so that it cannot
// tell what is missing from what is gone, its last error says that.
func Salvage(dir string) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		more := true
		_, err := SalvageAll(dir, func(e Entry, err error) bool {
			more = yield(e, err)
			return more
		})
		if err != nil && more {
			yield(Entry{}, err)
		}
	}
}

// SalvageAll is Salvage for who has to know where the log begins and ends, too: visit gets what
// Salvage yields, but for the error that ends it, as long as it returns true. Of what was not visited
// then the verification tells nothing but First, Next, and what Segments and Damage have so far. Where
// the beginning is truncated meanwhile, First is where it is by then, and Lost can count entries before that.
func SalvageAll(dir string, visit func(Entry, error) bool) (*Verification, error) {
	v, err := verifyAt(dir, visit)
	if err == nil && v.leftOut {
		err = errCutMeanwhile
	}
	if err != nil {
		return v, fmt.Errorf("salvage log: %w", err)
	}
	return v, nil
}

// errNoLog says that a directory holds no log.
var errNoLog = fmt.Errorf("no log here: %w", fs.ErrNotExist)

// errCutMeanwhile says that nobody can tell what is missing.
var errCutMeanwhile = errors.New("its end was truncated meanwhile: entries can be missing without a word")

// verifyAt is verify of a real directory.
func verifyAt(path string, visit func(Entry, error) bool) (v *Verification, err error) {
	dir, err := disk.ReadOnly(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = both(err, dir.Close()) }() // visit may panic
	return verify(dir, visit)
}

// verify reads the log and shows each entry, and what is damaged, to visit, as
// long as that returns true.
func verify(dir disk.Dir, visit func(Entry, error) bool) (v *Verification, err error) {
	in, err := inspectTwice(dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = both(err, in.close()) }()
	v, err = in.verify(func(e Entry, err error) error {
		if !visit(e, err) {
			return errEnough
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return v, err
}

// errRestless says that a log changes faster than it can be looked at.
var errRestless = errors.New("it is truncated all the time: verify it while nobody writes it, or a copy of it")

// mostLooks is how often to look for one with which the next agrees.
const mostLooks = 20

// inspectTwice inspects a log that somebody may be writing: a look counts if the log was not
// truncated during it, since of the files that it found all may be gone. What is found wrong counts
// if a second look finds the same, or the twentieth something else. Files that were sealed, or
// removed, between two steps of one look are none the next time.
func inspectTwice(dir disk.Dir) (*inspection, error) {
	before := ""
	for looks := 1; ; looks++ {
		in, rested, err := look(dir)
		wrong := in.wrong(err)
		if rested && (wrong == "" || wrong == before || looks >= mostLooks) {
			return in, err
		}
		if err == nil {
			if err := in.close(); err != nil {
				return nil, err
			}
		}
		if before = ""; rested {
			before = wrong
		}
		if looks >= 2*mostLooks {
			return nil, errRestless
		}
		time.Sleep(time.Duration(looks-1) * 100 * time.Microsecond)
	}
}

// look inspects a log, and reports whether it was not truncated meanwhile, nor a file removed that it had listed.
func look(dir disk.Dir) (in *inspection, rested bool, err error) {
	then, err := standing(dir)
	if err == nil {
		in, err = inspect(dir)
	}
	now, failed := standing(dir)
	if err == nil && failed != nil {
		return nil, true, both(failed, in.close())
	}
	if err == nil {
		in.stood = now
	}
	return in, failed != nil || now.equal(then) && !errors.Is(err, fs.ErrNotExist), err
}

// A stand is what the manifest says, or why nothing.
type stand struct {
	manifest
	reason string
}

func (s stand) equal(other stand) bool {
	return s.reason == other.reason && s.manifest.equal(other.manifest)
}

func standing(dir disk.Dir) (stand, error) {
	m, reason, err := readManifest(dir)
	if errors.Is(err, fs.ErrNotExist) {
		reason, err = err.Error(), nil
	}
	return stand{m, reason}, err
}

// truncatedSince reports whether the log's end was truncated since the look at it, and what its first entry is by now.
// Where truncated entries were, files can have other bytes.
func (in *inspection) truncatedSince() (first uint64, cut bool, err error) {
	now, err := standing(in.dir)
	if first = in.manifest.first; now.first > in.stood.first {
		first = max(first, now.first)
	}
	now.first, now.known = in.stood.first, in.stood.known
	return first, !now.equal(in.stood), err
}

// wrong is all that an inspection found, in words; empty if nothing.
func (in *inspection) wrong(err error) string {
	if err != nil {
		return err.Error()
	}
	text := ""
	for _, damage := range slices.Concat(in.damage, in.holes, in.harmless) {
		text += damage.Error() + "\n"
	}
	return text
}

func (in *inspection) verify(visit func(Entry, error) error) (*Verification, error) {
	if in.fresh {
		return nil, fmt.Errorf("%s: %w", in.dir.Path(""), errNoLog)
	}
	v := &Verification{
		First: in.manifest.first, Next: in.promised, Tail: in.cut,
		Opens: len(in.damage)+len(in.holes) == 0,
	}
	if err := v.tell(visit, append(in.damage, in.harmless...)...); err != nil {
		return v, err
	}
	next := in.manifest.first
	for i, s := range in.segments {
		v.Lost += s.base - min(max(next, in.manifest.first), s.base) // those before the first were truncated
		next = in.segmentEnd(i)
		before := len(v.Damage)
		err := v.audit(in, s, next, visit)
		if errors.Is(err, fs.ErrNotExist) {
			err = v.unlessTruncated(in, next, err)
		}
		if err == nil {
			err = v.tell(visit, in.holesIn(s, next, len(v.Damage) > before)...)
		}
		if err != nil {
			return v, err
		}
	}
	v.Lost += in.promised - min(max(next, in.manifest.first), in.promised)
	v.Untold = in.untold()
	for _, hole := range in.holes { // those in files that are left out
		if slices.ContainsFunc(in.segments, func(s *segment) bool { return s.path == hole.Path }) {
			continue
		}
		if err := v.tell(visit, hole.from(next)); err != nil {
			return v, err
		}
	}
	return v, nil
}

// holesIn are the entries that are missing in a segment, or behind it, and were not told where its records were read, up
// to next. A hole can also be a batch of which only the end is missing.
func (in *inspection) holesIn(s *segment, next uint64, told bool) (holes []*CorruptError) {
	for _, hole := range in.holes {
		if end := hole.Index + hole.Entries; hole.Path == s.path && (end > next || !told) {
			holes = append(holes, hole.from(next))
		}
	}
	return holes
}

// from is the damage as far as it is to entries from an index on.
func (e *CorruptError) from(index uint64) *CorruptError {
	rest, end := *e, e.Index+e.Entries
	rest.Index = min(max(e.Index, index), end)
	rest.Entries = end - rest.Index
	return &rest
}

// tells reports whether files that are missing tell of as many entries from an index on.
func (in *inspection) tells(index, entries uint64) bool {
	return slices.ContainsFunc(in.damage, func(d *CorruptError) bool {
		return d.Index <= index && d.Index+d.Entries >= index+entries
	})
}

// untold names the files without a header at the end of a damaged log of which no entry is intact, unless all that they can have
// is known.
func (in *inspection) untold() (paths []string) {
	if len(in.damage)+len(in.holes) == 0 { // a crash can have left what is behind the end
		return nil
	}
	for _, s := range slices.Concat(in.segments, in.dropped) {
		switch {
		case s.unreadable() && s.until > in.promised:
			paths = append(paths, s.path)
		case s.found.told || s.entries() > 0: // else it can have been made for entries to come
			paths = nil
		}
	}
	return paths
}

// tell notes damage, and shows it to the visitor.
func (v *Verification) tell(visit func(Entry, error) error, all ...*CorruptError) error {
	for _, damage := range all {
		v.Damage = append(v.Damage, damage)
		if err := visit(Entry{}, damage); err != nil {
			return err
		}
	}
	return nil
}

// unlessTruncated returns the error of a file that is not found, unless a truncation has removed it, which had
// entries below next.
func (v *Verification) unlessTruncated(in *inspection, next uint64, err error) error {
	first, cut, failed := in.truncatedSince()
	if failed != nil || !cut && first < next {
		return both(err, failed)
	}
	v.restless, v.leftOut = true, v.leftOut || first < next
	v.First = max(v.First, first)
	return nil
}

// audit tells of one segment.
func (v *Verification) audit(in *inspection, s *segment, next uint64, visit func(Entry, error) error) error {
	info := SegmentInfo{Path: s.path, First: s.base, Entries: next - s.base, Bytes: s.size.Load(), Sealed: s.sealed}
	a := audit{s: s, first: in.manifest.first, next: next,
		entry: func(index uint64, value []byte) error {
			if index < v.First {
				return nil
			}
			return visit(Entry{Index: index, Value: append([]byte{}, value...)}, nil)
		},
		damage: func(damage *CorruptError, lost uint64) error {
			if !damage.Lost { // that is told by an intact record
				first, cut, err := in.truncatedSince()
				v.restless = v.restless || cut || first > v.First
				v.First = max(v.First, first)
				if v.leftOut = v.leftOut || cut; cut || err != nil {
					return err
				}
			}
			if !in.tells(damage.Index, lost) {
				damage.Entries = lost
			}
			info.Lost += lost
			v.Lost += min(lost, max(damage.Index+lost, v.First)-v.First)
			return v.tell(visit, damage)
		},
	}
	err := a.run()
	v.Segments = append(v.Segments, info)
	return err
}
