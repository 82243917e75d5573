package commitlog

import (
	"errors"
	"io/fs"
	"slices"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/disk"
)

// An inspection is what the files of a log say, and what opening it would do
// about that. Making one changes nothing.
type inspection struct {
	dir      disk.Dir
	parking  *disk.Parking // of the segments' files
	fresh    bool          // there is no log here yet
	manifest manifest
	opened   []*segment // all of them
	segments []*segment // in order
	dropped  []*segment // those behind the point where the log ends
	doomed   []*segment // those that hold nothing of the log
	strays   []*segment // files with the name of a segment that are none of the log's
	next     uint64     // the index the next entry gets
	promised uint64     // behind the last entry that has to be there
	number   uint64     // of the next file
	largest  int64      // bytes of the largest segment, or leastLargest
	known    uint64     // the entries below have to be there, as an earlier look found
	stood    stand      // what the manifest said at the look of who does not have the lock

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
	in := &inspection{dir: dir, parking: disk.NewParking(dir), known: known, largest: leastLargest}
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
		if err := in.loadSegment(number); err != nil {
			return err
		}
	}
	all := slices.Clone(in.opened)
	err := in.identify(all)
	if err == nil && in.distrusted {
		err = in.tellBases(all)
	}
	if err != nil {
		return err
	}
	all = in.inOrder(all)
	if in.distrusted && len(all) > 0 {
		in.manifest.first = firstOf(all)
	}
	in.next = in.manifest.first
	err = in.walk(in.leaveOut(all))
	in.findHarmless()
	return err
}

// last is the last segment of the log so far; nil if there is none.
func (in *inspection) last() *segment {
	if n := len(in.segments); n > 0 {
		return in.segments[n-1]
	}
	return nil
}
