package commitlog

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/disk"
)

// An inspection is what the files of a log say, and what opening it would do
// about that. Making one changes nothing.
type inspection struct {
	dir      disk.Dir
	fresh    bool // there is no log here yet
	manifest manifest
	segments []*segment  // in order
	dropped  []*segment  // those behind the point where the log ends
	next     uint64      // the index the next entry gets
	again    []string    // segments that have to be given their names
	misnamed []candidate // segments that have the name of another one; they are with the others
	strays   []candidate // files that have the name of a segment and hold none
	remove   []string    // segments that hold nothing of the log, as the manifest says
	empty    []string    // segments without an entry
	cut      Recovery    // what opening cuts off
	dirtyEnd int64       // where the bytes to be cut off end; 0 if none

	damage   []*CorruptError // files that cannot be trusted, or are missing
	holes    []*CorruptError // damage to records that were safe
	harmless []*CorruptError // damage to what the records tell as well
	promised uint64          // the index behind the last entry that has to be there
	claimed  uint64          // the entries below were in sealed segments, as marks and trailers say
}

// inspect reads the manifest and as much of the segments as it takes to know
// which entries there are: trailers of those that are sealed, every record of
// the others. An error is one of reading. The caller closes the inspection.
func inspect(dir disk.Dir) (*inspection, error) {
	in := &inspection{dir: dir}
	names, err := in.list()
	if err == nil {
		err = in.loadManifest(len(names) > 0)
	}
	if err == nil && !in.fresh {
		err = in.loadSegments(names)
	}
	if err != nil {
		return nil, both(err, in.close())
	}
	return in, nil
}

func (in *inspection) close() error {
	var err error
	for _, s := range slices.Concat(in.segments, in.dropped) {
		err = both(err, s.file.Close())
	}
	return both(err, closeAll(in.strays))
}

// list returns the names of the segments in the directory, in order.
func (in *inspection) list() ([]string, error) {
	names, err := in.dir.Names() // sorted, and the digits are padded
	return slices.DeleteFunc(names, func(name string) bool {
		_, ok := baseOf(strings.TrimSuffix(name, againSuffix))
		return !ok
	}), err
}

func (in *inspection) loadManifest(anySegments bool) error {
	m, reason, err := readManifest(in.dir)
	if errors.Is(err, fs.ErrNotExist) {
		in.fresh = !anySegments
		reason, err = "manifest is missing", nil
	}
	if err != nil {
		return err
	}
	if in.manifest = m; reason != "" && !in.fresh {
		in.report(&CorruptError{Path: in.dir.Path(manifestName), Offset: -1, Reason: reason})
		in.manifest = manifest{limit: unlimited} // the segments tell the rest
	}
	return nil
}

func (in *inspection) report(damage *CorruptError) { in.damage = append(in.damage, damage) }

// loadSegments goes through the segments in order. Damage in one does not hide
// the next.
func (in *inspection) loadSegments(names []string) error {
	if err := in.openSegments(names); err != nil {
		return err
	}
	if in.manifest.id == 0 && len(in.dropped) > 0 {
		in.manifest.first = in.dropped[0].base
	}
	in.next = in.manifest.first
	if err := in.leaveOut(); err != nil {
		return err
	}
	for len(in.dropped) > 0 { // which are those still to come
		ended, err := in.addSegment()
		if err != nil {
			return err
		}
		if ended {
			break
		}
	}
	in.promised = max(in.promised, in.next)
	in.missEnd()
	in.missTrailers()
	if in.next < in.manifest.first && len(in.damage)+len(in.holes) == 0 {
		return in.forget()
	}
	return in.endOfTable()
}

// missEnd reports entries that the manifest knows of, and that no segment tells of
// any more: the last files of the log are gone, or have other names.
func (in *inspection) missEnd() {
	if in.end() > max(in.promised, in.manifest.first) {
		in.missing(max(in.promised, in.manifest.first), in.end())
	}
}

// end is the index behind the last entry that has to be in the log.
func (in *inspection) end() uint64 { return max(in.promised, in.manifest.known) }

// missing reports that the entries from one on and below another are not there.
func (in *inspection) missing(from, to uint64) {
	reason := fmt.Sprintf("entries %d to %d are missing", from, to-1)
	in.report(&CorruptError{Path: in.dir.Path(segmentName(from)), Index: from, Offset: -1, Reason: reason})
}

// missTrailers reports segments that were sealed and have no trailer any more.
func (in *inspection) missTrailers() {
	for _, s := range in.segments {
		if !s.sealed && s.entries() > 0 && s.next() <= in.claimed {
			in.harmless = append(in.harmless, s.corrupt(s.next(), s.end, "segment has no intact trailer"))
		}
	}
}

// endOfTable sees to it that the table of a full segment is cut off if what came
// behind the segment is dropped, and entries will be added to it again.
func (in *inspection) endOfTable() (err error) {
	if s := in.active(); s != nil && len(in.dropped) > 0 && in.dirtyEnd == 0 {
		sc := newScan(s.file, s.header, s.scannable())
		sc.at = s.end
		in.dirtyEnd, err = sc.dirtyEnd()
	}
	return err
}

// mostOpen is how many segments have their files open while a log is inspected, beside
// those that are not sealed.
const mostOpen = 64

// openSegments opens all segments that there are. They are to be dropped until they
// turn out to belong to the log.
func (in *inspection) openSegments(names []string) error {
	var files []candidate
	for _, name := range names {
		c, err := in.loadCandidate(name)
		if errors.Is(err, fs.ErrNotExist) && c.named < in.manifest.first {
			continue // somebody who has the log open has truncated it meanwhile
		}
		if err != nil {
			return both(err, closeAll(files))
		}
		if files = append(files, c); c.sealed && len(files) > mostOpen && !strings.HasSuffix(name, againSuffix) {
			c.crowded = true
			if err := c.leave(); err != nil {
				return both(err, closeAll(files))
			}
		}
	}
	if err := in.place(files); err != nil {
		in.dropped, in.strays = nil, nil
		return both(err, closeAll(files))
	}
	return nil
}

// leaveOut leaves out the segments that the manifest does not count to the log.
func (in *inspection) leaveOut() error {
	all := in.dropped
	in.dropped = nil
	for i, s := range all {
		following := uint64(unlimited)
		if i+1 < len(all) && all[i+1].base < in.manifest.limit {
			following = all[i+1].base
		}
		if s.base < in.manifest.limit && following > in.manifest.first {
			in.dropped = append(in.dropped, s)
			continue
		}
		in.remove = append(in.remove, segmentName(s.base))
		if err := s.file.Close(); err != nil {
			return err
		}
	}
	return nil
}

// forget gives up all segments up to the log's end: what they hold was truncated, and
// a power cut has undone that they were removed, or taken the name of a file behind.
func (in *inspection) forget() (err error) {
	for _, s := range in.segments {
		err = both(err, s.file.Close())
		in.remove = append(in.remove, segmentName(s.base))
	}
	in.segments, in.dirtyEnd, in.next, in.promised = nil, 0, in.manifest.first, in.manifest.first
	return err
}

// addSegment adds the next segment to the log, and reports whether the log ends
// there.
func (in *inspection) addSegment() (ended bool, err error) {
	s, later := in.dropped[0], in.dropped[1:]
	following := uint64(unlimited)
	if len(later) > 0 {
		following = later[0].base
	}
	if s.base > in.next && s.flaw == "" {
		behind, err := vouched(in.dropped)
		if err != nil {
			return false, err
		}
		if behind.safe <= in.next && !in.knows(s.base) { // a power cut took the segment between
			in.cutAll(behind)
			return true, nil
		}
	}
	in.segments, in.dropped = append(in.segments, s), later
	if s.flaw != "" {
		known, err := in.flawed(s, following)
		if err != nil || !known {
			return false, err
		}
	}
	in.checkPlace(s)
	if s.sealed && s.next() <= in.manifest.limit {
		in.next = s.next()
		in.claimed = max(in.claimed, in.next)
		return false, nil
	}
	return in.scanRecords(s, following)
}

// knows reports whether the manifest knows of entries that are due, up to the base
// of a segment behind them. One that begins further behind is none of the log's.
func (in *inspection) knows(base uint64) bool {
	return in.next < in.manifest.known && base <= in.manifest.known
}

// vouched looks through segments for what says that entries in them, or before
// them, had been flushed: their marks, and trailers.
func vouched(segments []*segment) (remainder, error) {
	all := remainder{}
	for _, s := range segments {
		if s.sealed {
			all.safe = max(all.safe, s.next())
			all.sealed = max(all.sealed, s.next())
		}
		if s.headless() {
			continue
		}
		if s.found == nil {
			found, err := newScan(s.file, s.header, s.scannable()).survey()
			if err != nil {
				return all, err
			}
			s.found = &found
			if err := s.leave(); err != nil {
				return all, err
			}
		}
		found := s.found
		all.safe = max(all.safe, found.safe)
		all.sealed = max(all.sealed, found.sealed)
		all.entries += found.entries
		all.dirtyEnd += max(0, found.dirtyEnd-recordsStart)
	}
	return all, nil
}

// cutAll counts what is in the segments that are dropped.
func (in *inspection) cutAll(behind remainder) {
	in.cut.CutBytes += behind.dirtyEnd
	in.cut.CutEntries += behind.entries
}

// flawed deals with a segment whose header is damaged, and reports whether its
// records can be read nevertheless. The header is safe before the first record
// is written, so that a segment at the log's end with nothing behind the header
// is what a crash left of making it.
func (in *inspection) flawed(s *segment, following uint64) (known bool, err error) {
	if following == unlimited && s.base == in.next && s.base >= in.manifest.known {
		dirty, err := newScan(s.file, s.header, s.scannable()).dirtyEnd()
		if err != nil {
			return false, err
		}
		if dirty == 0 && s.size.Load() <= maxOffset { // none is made larger
			return false, in.dropEmpty(s)
		}
	}
	damage := s.corrupt(s.base, 0, s.flaw)
	if !s.headless() {
		in.harmless = append(in.harmless, damage)
		return true, nil
	}
	in.report(damage)
	in.next = s.base
	if following != unlimited {
		in.next = following
	} else {
		in.promised = max(in.promised, in.manifest.known) // which can only have been in here
	}
	return false, nil
}

// checkPlace compares a segment with what the ones before it say.
func (in *inspection) checkPlace(s *segment) {
	if in.manifest.id == 0 {
		in.manifest.id = s.id
	}
	switch {
	case s.id != in.manifest.id:
		in.report(s.corrupt(s.base, 0, "segment belongs to another log"))
	case s.base > in.next:
		in.missing(in.next, s.base)
	case s.base < in.next && len(in.segments) > 1:
		in.report(s.corrupt(s.base, -1, fmt.Sprintf("segment overlaps with one that ends before entry %d", in.next)))
	}
}

// scanRecords reads a segment that has no trailer, or only up to the limit of
// the log. It reports whether the log ends there.
func (in *inspection) scanRecords(s *segment, following uint64) (ended bool, err error) {
	sc := newScan(s.file, s.header, s.scannable())
	if s.proven, err = s.collect(sc, in.manifest.limit, in.manifest.known); err != nil {
		return false, err
	}
	in.next, in.claimed = s.next(), max(in.claimed, s.claimed)
	if in.next == following {
		return false, nil
	}
	behind, err := vouched(in.dropped)
	if err != nil {
		return false, err
	}
	sc.at, sc.next = s.end, in.next
	rest, err := sc.survey()
	if err != nil {
		return false, err
	}
	safe := min(max(rest.safe, behind.safe), in.manifest.limit)
	if known := in.known(rest); safe <= in.next && known > in.next {
		reached, err := in.extent(s, known)
		if err != nil {
			return false, err
		}
		ended = following > reached // then what follows is none of the log's
		if safe = known; ended {
			following = unlimited
		}
	}
	if safe > in.next {
		return ended, in.hole(s, following, max(safe, in.manifest.known))
	}
	in.cutAll(behind)
	if rest.dirtyEnd > 0 && in.manifest.limit == unlimited {
		in.cut.CutBytes += rest.dirtyEnd - s.end
		in.cut.CutEntries += rest.entries
	}
	switch {
	case s.entries() > 0:
		in.dirtyEnd = rest.dirtyEnd
	case rest.entries > 0: // then it is to be dropped like those behind, of which a repair keeps copies
		in.segments, in.dropped = in.segments[:len(in.segments)-1], slices.Insert(in.dropped, 0, s)
	default:
		return true, in.dropEmpty(s)
	}
	return true, nil
}

// known is the index below which all entries are known to have been flushed: those that
// were truncated since had been, too. Where nothing but these can be missing, and no
// entry is behind them, there is nothing to miss: a power cut that undoes a truncation
// may bring back some of the files that it removed, and not others.
func (in *inspection) known(rest remainder) uint64 {
	first := in.manifest.first
	if in.manifest.known <= first && rest.entries == 0 {
		return 0
	}
	return max(in.manifest.known, first)
}

// hole deals with damage to records that had been flushed: the entries below
// safe had.
func (in *inspection) hole(s *segment, following, safe uint64) (err error) {
	in.holes = append(in.holes, s.corrupt(in.next, s.end, fmt.Sprintf("entries up to %d had been flushed to the disk", safe-1)))
	if following != unlimited {
		in.next = following
		return nil
	}
	in.promised, err = in.extent(s, safe)
	return err
}

// extent is the index behind the last entry of a segment that has to be there, if those
// below safe have to: what is being truncated has not.
func (in *inspection) extent(s *segment, safe uint64) (uint64, error) {
	end, err := newScan(s.file, s.header, s.scannable()).extent(safe)
	return min(end, in.manifest.limit), err
}

// dropEmpty leaves out the last segment, which has no entry. Its header may
// not be safe yet: a kill may have come while it was made. Another one will be
// made for the next entry.
func (in *inspection) dropEmpty(s *segment) error {
	in.segments = in.segments[:len(in.segments)-1]
	in.empty = append(in.empty, segmentName(s.base))
	return s.file.Close()
}

// collect notes where the records are, up to the first that is not intact and
// below the limit. Of a batch it takes all or nothing, but those below known, which
// the manifest knows of, are no part of an unfinished one: a truncation may have left
// half of one. The limit ends a batch, and so does the mark that a truncation leaves.
// It returns up to where the marks vouch for the segment's bytes, or the manifest.
func (s *segment) collect(sc *scan, limit, known uint64) (proven int64, err error) {
	s.sealed, s.offsets, s.end = false, new(offsets), recordsStart
	whole, safe, markAt, knownAt := uint64(0), uint64(0), int64(recordsStart), int64(recordsStart)
	for sc.next < limit {
		at := sc.at
		r, ok, err := sc.step()
		if err != nil {
			return 0, err
		}
		if !ok {
			break
		}
		if r.kind == markKind {
			safe, markAt = max(safe, r.pledge().safe), at
			s.claimed = max(s.claimed, r.pledge().sealed)
		} else {
			s.offsets.add(uint32(at))
			if sc.next <= known {
				knownAt = sc.at
			}
		}
		if !r.more || sc.next == limit || sc.next <= known {
			whole, s.end = s.offsets.len(), sc.at
		}
	}
	s.offsets.cut(whole)
	return max(min(s.offsetOf(safe), markAt), min(knownAt, s.end)), nil // no mark vouches for itself
}

// offsetOf returns where the record of an entry starts, or would.
func (s *segment) offsetOf(index uint64) int64 {
	switch {
	case index < s.base:
		return recordsStart
	case index >= s.next():
		return s.end
	}
	return s.offsets.at(index - s.base)
}
