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
// nothing was appended. If the segment that is first then has lost its second header, too, and has no trailer,
// indexes are those that its entries tell, which are less than 2³².
//
// What a segment says of itself counts, and not its file's name. A file that has the name of
// a segment and is a copy of one of which no fewer entries can be read, or belongs to another
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
	in := &inspection{dir: dir}
	numbers, err := in.list()
	if err != nil || len(numbers) > 0 {
		return err
	}
	all, err := dir.Names()
	if err == nil && !slices.Contains(all, manifestName) {
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
	options := FileOptions{Durability: Always, alone: true}
	log, err := newFile(in, lock, options)
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
	if len(v.Damage) > 0 {
		if err := mend(dir); err != nil {
			return v, nil, err
		}
	}
	if err := keepTail(dir); err != nil {
		return v, nil, err
	}
	in, err = recoverLog(dir, newSalt)
	return v, in, err
}

// keepTail keeps what intact entries will be cut off.
func keepTail(dir disk.Dir) error {
	in, err := inspect(dir)
	if err != nil {
		return err
	}
	tail := in.droppedEntries()
	if s := in.last(); in.cutsIntact(s) {
		tail = append(tail, s)
	}
	return both(keepAll(dir, tail), in.close())
}

// droppedEntries are the segments behind the log's end that can have intact entries.
func (in *inspection) droppedEntries() []*segment {
	return slices.DeleteFunc(slices.Clone(in.dropped), func(s *segment) bool {
		return s.found.spare || s.found.surveyed && s.entries() == 0 && s.rest() == 0
	})
}

// cutsIntact reports whether intact entries are cut off the end of a segment.
func (in *inspection) cutsIntact(s *segment) bool {
	return s == in.last() && s.endsByRecords() && s.rest() > 0
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
		in.manifest.id = newSalt()
	}
	err = in.secureKnown()
	if err == nil && !in.distrusted { // it says what was truncated; the next one, where the log ends instead
		if err = writeManifest(dir, in.manifest); err == nil {
			err = in.removeDoomed()
		}
	}
	if err == nil {
		err = m.all()
	}
	if err == nil { // now, since what is behind the log's end can be all that tells of holes before it
		err = keepAll(dir, in.droppedEntries())
	}
	if err == nil {
		in.manifest.cut, in.manifest.since = m.at, in.number // and that is there no more
		err = writeManifest(dir, in.manifest)
	}
	if err == nil && m.late != nil {
		err = m.late()
	}
	if err == nil {
		err = in.setStraysAside()
	}
	return both(err, in.close())
}

// secureKnown flushes the log's segments, and has the manifest know of all entries that have to be there.
func (in *inspection) secureKnown() error {
	for _, s := range in.segments {
		if !s.sealed {
			if err := flush(s.file); err != nil {
				return err
			}
		}
	}
	in.manifest.known = max(in.manifest.known, in.promised)
	return nil
}

// setStraysAside keeps what is none of the log's, and removes it.
func (in *inspection) setStraysAside() error {
	if err := keepAll(in.dir, in.strays); err != nil {
		return err
	}
	in.doomed, in.strays, in.dropped = slices.Concat(in.doomed, in.strays, in.dropped), nil, nil
	return in.clean()
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

// A mending goes through the segments of a damaged log.
type mending struct {
	*inspection
	at   uint64 // the entries below are accounted for
	free uint64 // the least number that no file before has

	// late writes the last segment anew, which is sealed then, once the manifest says that the log ends
	// there: before, it would vouch for what is behind it.
	late func() error
}

// all sees to it that all entries are in sound segments.
func (m *mending) all() error {
	for i, s := range m.segments {
		if err := m.segment(s, m.segmentEnd(i)); err != nil {
			return err
		}
		m.free = s.number + 1
	}
	m.number = max(m.number, m.free)
	if m.promised > m.at {
		m.number++
		return m.fillUp(m.promised, m.number-1)
	}
	return nil
}

// segment sees to it that the entries up to end are in sound segments. Those that are missing
// before it get a segment in the place of the file that had them, or else become a part of it.
func (m *mending) segment(s *segment, end uint64) error {
	if s.base > m.at && s.number > m.free {
		if err := m.fillUp(s.base, s.number-1); err != nil {
			return err
		}
	}
	from := min(m.at, s.base)
	m.at = end
	stays, err := m.sound(s, end)
	stays = stays && from == s.base
	if err == nil && (!stays || m.cutsIntact(s)) {
		err = keep(m.dir, s)
	}
	switch {
	case err != nil || stays:
		return err
	case s == m.last() && m.promised <= end:
		m.late = func() error { return m.rewrite(s, from, end) }
		return nil
	}
	return m.rewrite(s, from, end)
}

// fillUp adds a segment that says that the entries up to another are lost.
func (m *mending) fillUp(end, number uint64) error {
	name := segmentName(number)
	for m.names[name] { // another file is called so
		name = segmentName(m.number)
		m.number++
	}
	m.names[name] = true
	from := m.at
	m.at = end
	return m.rewrite(newSegment(m.dir, name, header{number: number, base: from}, nil), from, end)
}

// sound reports whether a segment can stay as it is. It has to tell itself where it was cut: the
// manifest will, of the last one alone.
func (m *mending) sound(s *segment, end uint64) (bool, error) {
	sound := s.found.flaw == "" && s.id == m.manifest.id && s.next() == end && (s.tellsItsEnd() || s == m.last() && !s.sealed) && !m.lostTrailer(s)
	a := audit{s: s, next: end,
		entry: func(uint64, []byte) error { return nil },
		damage: func(damage *CorruptError, lost uint64) error {
			sound = sound && damage.Lost
			return nil
		},
	}
	err := a.run()
	return sound, err
}

// tellsItsEnd reports whether the segment has no entries but those that were not truncated.
func (s *segment) tellsItsEnd() bool {
	if s.sealed {
		return s.until >= s.base+s.count
	}
	return !s.found.longer
}

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

// newSegmentName is what a segment is called until it is whole.
const newSegmentName = "segment.new"

// rewrite replaces a segment by a sealed one that holds what is intact of it,
// and a lost record for each other entry from an index on and below end.
func (m *mending) rewrite(s *segment, from, end uint64) error {
	file, err := createAnew(m.dir, newSegmentName)
	if err != nil {
		return err
	}
	fresh := newSegment(m.dir, s.name, header{id: m.manifest.id, salt: newSalt(), number: s.number, base: from}, file)
	err = m.fill(fresh, s, end)
	if err == nil {
		fresh, err = fresh.index()
	}
	if err == nil {
		_, err = fresh.seal()
	}
	if err = both(err, file.Close()); err != nil {
		return err
	}
	if err := m.dir.Rename(newSegmentName, s.name); err != nil {
		return err
	}
	return flush(m.dir)
}

func (m *mending) fill(fresh, s *segment, end uint64) error {
	if err := fresh.begin(); err != nil {
		return err
	}
	if s.file == nil { // entries of which nothing is left
		return fresh.addLost(end - fresh.base)
	}
	if err := fresh.addLost(s.base - fresh.base); err != nil {
		return err
	}
	a := audit{s: s, next: end,
		entry: func(index uint64, value []byte) error {
			if index >= end {
				return nil
			}
			return fresh.add(headFor(len(value)), value)
		},
		damage: func(damage *CorruptError, lost uint64) error { return fresh.addLost(lost) },
	}
	if err := a.run(); err != nil {
		return err
	}
	return fresh.addLost(end - fresh.next())
}

// lostPiece is how many lost records are written at once.
const lostPiece = 4096

func (s *segment) addLost(n uint64) error {
	for n > 0 {
		some := min(n, lostPiece)
		if err := s.add(lostHead, make([][]byte, some)...); err != nil {
			return err
		}
		n -= some
	}
	return nil
}

// add writes a record for each value behind the last.
func (s *segment) add(h head, values ...[]byte) error {
	var b []byte
	for _, value := range values {
		at := s.end + int64(len(b))
		if at > maxOffset-h.record() {
			return fmt.Errorf("%s: entries do not fit into one segment", s.path)
		}
		b = appendRecord(b, s.seed, s.next(), h, value)
		s.offsets.add(uint32(at))
	}
	if _, err := s.file.WriteAt(b, s.end); err != nil {
		return err
	}
	s.end += int64(len(b))
	return nil
}
