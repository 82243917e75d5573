package commitlog

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/disk"
)

// An inspection is what the files of a log say, and what opening it would do
// about that. Making one changes nothing.
type inspection struct {
	dir      disk.Dir
	fresh    bool // there is no log here yet
	manifest manifest
	opened   []*segment // all of them
	segments []*segment // in order
	dropped  []*segment // those behind the point where the log ends
	doomed   []*segment // those that hold nothing of the log
	leftover []*segment // of these, what a full disk has kept
	strays   []*segment // files with the name of a segment that are none of the log's
	next     uint64     // the index the next entry gets
	promised uint64     // behind the last entry that has to be there
	number   uint64     // of the next file
	largest  int64      // bytes of the largest segment
	known    uint64     // the entries below have to be there, as an earlier look found

	distrusted bool            // the manifest is damaged, or not there
	names      map[string]bool // of all segments' files
	cut        Recovery        // what opening cuts off

	damage   []*CorruptError // files that cannot be trusted, or are missing
	holes    []*CorruptError // damage to records that were safe
	harmless []*CorruptError // damage to what the records tell as well
}

// inspect reads the manifest and as much of the segments as it takes to know
// which entries there are: trailers of those that are sealed, every record of
// the others. Where entries are missing it looks once more: of batches that have to be there what is
// left counts, also if they are not whole. An error is one of reading. The caller closes the inspection.
func inspect(dir disk.Dir) (*inspection, error) {
	in, err := inspectKnowing(dir, 0)
	if err != nil || len(in.damage)+len(in.holes) == 0 || in.promised <= in.manifest.known {
		return in, err
	}
	if err := in.close(); err != nil {
		return nil, err
	}
	return inspectKnowing(dir, in.promised)
}

// inspectKnowing is inspect for who knows that the entries below an index have to be there.
func inspectKnowing(dir disk.Dir, known uint64) (*inspection, error) {
	in := &inspection{dir: dir, known: known}
	numbers, err := in.list()
	if err == nil {
		err = in.loadManifest(len(numbers) > 0)
	}
	if err == nil && !in.fresh {
		err = in.loadSegments(numbers)
	}
	if err != nil {
		return nil, both(err, in.close())
	}
	return in, nil
}

func (in *inspection) close() (err error) {
	for _, s := range in.opened {
		err = both(err, s.close())
	}
	return err
}

// list returns the numbers of the segments in the directory, in order.
func (in *inspection) list() (numbers []uint64, err error) {
	names, err := in.dir.Names() // sorted, and the digits are padded
	in.names = map[string]bool{}
	for _, name := range names {
		if number, ok := numberOf(name); ok {
			in.names[name] = true
			numbers = append(numbers, number)
			in.comesBehind(number)
		}
	}
	return numbers, err
}

// comesBehind has the number of the next file be behind another, unless nobody would look for it then: somebody
// has put that file here.
func (in *inspection) comesBehind(number uint64) {
	if number < mostNumber {
		in.number = max(in.number, number+1)
	}
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
		in.distrust(reason)
	}
	in.manifest.known = max(in.manifest.known, in.known)
	return nil
}

// distrust goes on without the manifest: the segments tell the rest.
func (in *inspection) distrust(reason string) {
	in.report(&CorruptError{Path: in.dir.Path(manifestName), Offset: -1, Reason: reason})
	in.manifest, in.distrusted = manifest{known: in.known}, true
}

func (in *inspection) report(damage *CorruptError) { in.damage = append(in.damage, damage) }

// loadSegments goes through the segments in order. Damage in one does not hide
// the next.
func (in *inspection) loadSegments(numbers []uint64) error {
	for _, number := range numbers {
		s, err := loadSegment(in.dir, number)
		if errors.Is(err, fs.ErrNotExist) {
			continue // somebody who has the log open has truncated it meanwhile
		}
		if err != nil {
			return err
		}
		in.opened = append(in.opened, s)
		in.largest = max(in.largest, s.size.Load())
	}
	all := slices.Clone(in.opened)
	in.identify(all)
	err := in.revive(all)
	if err == nil {
		all, err = in.inOrder(all)
	}
	if err == nil && in.distrusted && len(all) > 0 {
		in.manifest.first, err = all[0].firstEntry()
	}
	if err != nil {
		return err
	}
	in.next = in.manifest.first
	err = in.walk(in.leaveOut(all))
	in.findHarmless()
	return err
}

// identify finds out which log it is: without a manifest, that of most segments. If none is
// of the manifest's log, but has entries by that, or two are of one other, it is the manifest
// that does not belong here.
func (in *inspection) identify(all []*segment) {
	count, most := map[uint64]int{}, uint64(0)
	for _, s := range all {
		if !s.found.headless {
			if count[s.id]++; count[s.id] > count[most] {
				most = s.id
			}
		}
	}
	if m := in.manifest; !in.distrusted && count[m.id] == 0 && (count[most] > 1 || count[most] > 0 && m.known > m.first) {
		in.distrust("manifest belongs to another log")
	}
	if in.distrusted {
		in.manifest.id = most
	}
}

// setAside makes strays of the segments for which there is a reason.
func (in *inspection) setAside(all []*segment, why func(*segment) string) (others []*segment) {
	for _, s := range all {
		if reason := why(s); reason != "" {
			in.strays = append(in.strays, s)
			in.report(s.corrupt(in.manifest.first, -1, reason))
		} else {
			others = append(others, s)
		}
	}
	return others
}

// inOrder puts segments into their order, whatever their files are called. What belongs to
// another log, or is a copy, is none of this one's.
func (in *inspection) inOrder(all []*segment) ([]*segment, error) {
	ranks, err := in.ranksOf(all)
	if err != nil {
		return all, err
	}
	slices.SortStableFunc(all, func(a, b *segment) int {
		return cmp.Or(cmp.Compare(a.number, b.number), ranks[a].compare(ranks[b]))
	})
	var last *segment
	return in.setAside(all, func(s *segment) string {
		if !s.found.headless && s.id != in.manifest.id {
			return "segment belongs to another log"
		}
		switch {
		case last == nil || last.number != s.number:
		case s.found.headless:
			return fmt.Sprintf("%s, and %s is the segment of that number", s.found.flaw, last.path)
		default:
			return fmt.Sprintf("file is a copy of %s", last.path)
		}
		last = s
		return ""
	}), nil
}

// leaveOut leaves out what was truncated, and files that were made for entries to come.
func (in *inspection) leaveOut(all []*segment) (others []*segment) {
	until := uint64(unlimited)
	for _, s := range slices.Backward(all) {
		if in.comesBehind(s.number); s.number < in.manifest.since {
			until = min(until, in.manifest.cut)
		}
		s.until = until
		unmade := s.found.spare && (s.found.headless || len(others) == 0)
		if unmade || s.found.told && s.base >= until || until <= in.manifest.first || in.truncated(s) {
			in.doomed = append(in.doomed, s)
		} else {
			others = append(others, s)
		}
		if s.found.told {
			until = min(until, s.base)
		}
	}
	in.number = max(in.number, in.manifest.since)
	slices.Reverse(others)
	return others
}

// truncated reports whether all entries of a sealed segment were truncated from the front.
func (in *inspection) truncated(s *segment) bool { return s.sealed && s.next() <= in.manifest.first }

// baseAfter is the base of the first segment that tells one; 0 if there is none.
func baseAfter(behind []*segment) uint64 {
	for _, s := range behind {
		if s.found.told {
			return s.base
		}
	}
	return 0
}

// walk goes through the segments up to the log's end.
func (in *inspection) walk(all []*segment) error {
	for i, s := range all {
		if !s.found.told {
			if err := in.settleBase(s); err != nil {
				return err
			}
			if s.base > in.next && s.base >= s.until { // its own entries say so
				in.doomed = append(in.doomed, s)
				continue
			}
		}
		in.dropTruncated(s.base)
		if last := in.last(); s.base > in.next || s.found.headless && last.endsByRecords() {
			if ended, err := in.gap(all, i); err != nil || ended {
				return err
			}
		}
		in.segments = append(in.segments, s)
		if err := in.add(s, all[i+1:]); err != nil {
			return err
		}
	}
	return in.end()
}

// dropTruncated leaves out all segments so far if the next one begins behind them, and no later than the log: what
// is missing between them was truncated, too.
func (in *inspection) dropTruncated(base uint64) {
	if base > in.next && max(base, in.reached()) <= in.manifest.first {
		in.doomed = append(in.doomed, in.segments...)
		in.segments, in.next = nil, base
	}
}

// add goes to the end of a segment, which those behind it tell if it does not itself: where
// none tells its base, their entries will.
func (in *inspection) add(s *segment, behind []*segment) error {
	if s.found.headless {
		in.report(s.corrupt(s.base, 0, s.found.flaw))
		i := slices.IndexFunc(behind, func(b *segment) bool { return !b.found.headless })
		switch {
		case i < 0:
			in.next = max(in.next, in.manifest.known)
		case behind[i].found.told:
			in.next = behind[i].base
		}
		in.promised = max(in.promised, in.next, baseAfter(behind))
		return nil
	}
	if !s.sealed {
		if err := s.survey(in.manifest); err != nil {
			return err
		}
	}
	in.next = s.next()
	return nil
}

// gap deals with entries that are missing before segment i. If something says that they had
// been flushed, that is damage; else a crash was allowed to take them, and the log ends
// there. A file is never gone by a crash: its name was safe before its first entry.
func (in *inspection) gap(all []*segment, i int) (ended bool, err error) {
	safe, err := in.vouched(all[i:])
	if err != nil {
		return false, err
	}
	last := in.last()
	if last == nil || last.sealed || last.found.headless {
		safe = all[i].base
	} else {
		safe = max(safe, last.found.safe)
	}
	due := in.due(last, safe)
	if s := all[i]; s.found.headless {
		reached := in.reached()
		if reached > in.next {
			in.miss(last, in.next, reached, max(1, s.number)-1)
			in.next, s.base = reached, reached
			return false, nil
		}
		if due > in.next {
			return false, nil // that will be told
		}
	}
	if due > in.next {
		in.miss(last, in.next, min(due, all[i].base), max(1, all[i].number)-1)
		if due >= all[i].base {
			in.next = all[i].base
			return false, nil
		}
		in.promised = due
	}
	in.dropped = all[i:]
	for _, s := range in.dropped {
		if in.cutOff(s, recordsStart); s.found.headless {
			in.report(s.corrupt(in.next, 0, s.found.flaw))
		}
	}
	return true, in.end()
}

// miss reports entries that are not there, behind the segment with the one before: a file
// that had this number, or damage to that segment.
func (in *inspection) miss(s *segment, from, to, number uint64) {
	if !s.endsByRecords() {
		in.report(&CorruptError{Path: in.dir.Path(segmentName(number)), Index: from, Offset: -1,
			Reason: fmt.Sprintf("entries %d to %d are missing", from, to-1)})
		return
	}
	in.holes = append(in.holes, s.corrupt(from, s.end, fmt.Sprintf("entries up to %d had been flushed to the disk", to-1)))
}

// endsByRecords reports whether there is a segment of which the records alone tell where it ends.
func (s *segment) endsByRecords() bool { return s != nil && !s.sealed && !s.found.headless }

// last is the last segment of the log so far; nil if there is none.
func (in *inspection) last() *segment {
	if n := len(in.segments); n > 0 {
		return in.segments[n-1]
	}
	return nil
}

// vouched looks through segments for what says that entries in them, or before
// them, had been flushed.
func (in *inspection) vouched(segments []*segment) (safe uint64, err error) {
	for i, s := range segments {
		switch {
		case s.sealed:
			safe = max(safe, s.next())
		case s.found.told, i == 0 && !s.found.headless: // of the first the base is settled
			if err := s.survey(in.manifest); err != nil {
				return safe, err
			}
			safe = max(safe, s.found.safe)
		}
	}
	return safe, nil
}

// end looks at what is behind the last entry.
func (in *inspection) end() error {
	last := in.last()
	safe := uint64(0)
	if last != nil {
		safe = last.found.safe
	}
	if due := in.due(last, safe); due > max(in.next, in.promised) {
		in.miss(last, in.next, due, in.number)
		in.promised = due
	}
	switch {
	case in.next < in.manifest.first && in.promised < in.manifest.first: // all of it was truncated
		if last.endsByRecords() {
			in.cutBehind(last, in.manifest.first)
		}
		if len(in.dropped) > 0 || in.cut.CutEntries > 0 { // what is behind has to be cut off first
			in.dropped = append(in.segments, in.dropped...)
		} else {
			in.doomed = append(in.doomed, in.segments...)
		}
		in.segments, in.next = nil, in.manifest.first
	case !last.endsByRecords():
	case in.promised > in.next:
		in.cutBehind(last, in.promised)
	default:
		in.cutOff(last, last.end)
		in.dropEmpty()
		if now := in.last(); now != last && now != nil && !now.sealed && now.next() == in.next {
			in.cutOff(now, now.end)
		}
	}
	in.promised = max(in.promised, in.next, in.manifest.first)
	return nil
}

// due is the index behind the last entry that has to be there, of those up to the end of a
// segment, if the entries below safe had been flushed.
func (in *inspection) due(last *segment, safe uint64) uint64 {
	due := max(safe, in.manifest.known)
	if due <= in.manifest.first {
		return 0
	}
	if !last.endsByRecords() || due <= in.next {
		return due
	}
	return last.reach(due)
}

// dropEmpty drops segments without an entry at the log's end, of which something is cut off.
func (in *inspection) dropEmpty() {
	for s := in.last(); s != nil && s.entries() == 0 && s.rest() == 0 && in.active() == nil; s = in.last() {
		in.segments, in.dropped = in.segments[:len(in.segments)-1], append([]*segment{s}, in.dropped...)
	}
}

// cutOff counts what is cut off a segment's file behind an offset.
func (in *inspection) cutOff(s *segment, from int64) {
	f := s.found
	truncated := s.number < in.manifest.since && s.next() >= in.manifest.cut && from > recordsStart
	if !f.surveyed || f.dirty <= from || truncated {
		return
	}
	in.cut.CutBytes += f.dirty - from
	in.cut.CutEntries += s.rest()
	if from == recordsStart {
		in.cut.CutEntries += s.entries()
	}
}

// cutBehind counts what a repair cuts off a damaged segment's file: what follows the entries
// that have to be there.
func (in *inspection) cutBehind(s *segment, due uint64) {
	n, at := s.intactFrom(due)
	if n > 0 {
		in.cut.CutEntries += n
		in.cut.CutBytes += s.found.dirty - at
	}
}

// findHarmless reports what is damaged although it was safe, and is told elsewhere as well:
// headers, and trailers of which there is a later one.
func (in *inspection) findHarmless() {
	sealed, safe := false, in.manifest.known
	for _, s := range slices.Backward(in.segments) {
		f := s.found
		safe = max(safe, f.safe)
		if sealed = sealed || s.sealed; f.headless {
			continue
		}
		if !s.sealed && sealed || in.lostTrailer(s) {
			in.harmless = append(in.harmless, s.corrupt(s.next(), s.end, "segment has no intact trailer"))
		}
		if f.revived {
			in.report(s.corrupt(s.base, 0, f.flaw))
		} else if f.flaw != "" && (f.made || !f.spare && (sealed || min(safe, s.next()) > s.base)) {
			in.harmless = append(in.harmless, s.corrupt(s.base, 0, f.flaw))
		}
	}
	slices.Reverse(in.harmless)
}

// lostTrailer reports whether a sealed segment had a later trailer than the one that counts. Where the
// manifest cuts off entries that this one has, another may just have been under way.
func (in *inspection) lostTrailer(s *segment) bool {
	end := s.base + s.count
	return s.found.torn && in.cutAt(s.number, end) == end
}

// active returns the segment to which entries can be added; nil if there is none. Behind
// what is cut off, or was truncated, a new one begins.
func (in *inspection) active() *segment {
	s := in.last()
	if !s.endsByRecords() || s.number < in.manifest.since || s.found.dirty > s.end || len(in.dropped) > 0 {
		return nil
	}
	return s
}
