package commitlog

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A candidate is a file with the name of a segment. What it holds counts for
// more than its name: files are copied, and given each other's names.
type candidate struct {
	*segment
	name    string // of the file
	named   uint64 // the base that the name tells
	counted bool   // its records have been read, to know how many entries it has
}

// loadCandidate reads a file with the name of a segment, or the one that it has
// for the moment when a crash came while it was given its name once more.
func (in *inspection) loadCandidate(name string) (candidate, error) {
	whole := strings.TrimSuffix(name, againSuffix)
	named, _ := baseOf(whole)
	s, err := loadSegment(in.dir, whole, name)
	return candidate{segment: s, name: name, named: named}, err
}

// misnamed reports whether the file is a segment of the log under the name of
// another one.
func (c candidate) misnamed(id uint64) bool { return c.told && c.id == id && c.base != c.named }

// rank says which file to believe where two claim to be the same segment: first one
// that also has its name, then one with a trailer, and last one with only the name.
func (c candidate) rank(id uint64) int {
	switch {
	case !c.told || c.id != id:
		return 3
	case c.base == c.named:
		return 0
	case c.sealed:
		return 1
	}
	return 2
}

func closeAll(files []candidate) (err error) {
	for _, c := range files {
		err = both(err, c.file.Close())
	}
	return err
}

// place finds out which files are the segments of the log, and takes these in
// order. A file is a stray if it holds none, but has its place among the entries of
// one, or if it holds one that is there already.
func (in *inspection) place(files []candidate) error {
	id := in.idOf(files)
	files = slices.Clone(files)
	slices.SortStableFunc(files, func(a, b candidate) int { return cmp.Compare(a.rank(id), b.rank(id)) })
	taken := make(map[uint64]candidate)
	var placed []candidate
	for _, c := range files {
		there, ok := taken[c.base]
		switch {
		case c.told && c.id != id && c.base != c.named:
			in.stray(c, fmt.Sprintf("it is of another log, and begins with entry %d there", c.base))
		case ok:
			in.stray(c, fmt.Sprintf("%s begins with entry %d", there.path, c.base))
		default:
			taken[c.base] = c
			placed = append(placed, c)
		}
	}
	slices.SortFunc(placed, func(a, b candidate) int { return cmp.Compare(a.base, b.base) })
	var before *candidate
	for _, c := range placed {
		if before != nil {
			if within, err := in.within(c, before, id); err != nil {
				return err
			} else if within {
				in.stray(c, fmt.Sprintf("its entries are in %s", before.path))
				continue
			}
		}
		before = &c
		in.take(c, id)
	}
	return nil
}

// take makes a file a segment, which is to be dropped until it turns out to belong
// to the log.
func (in *inspection) take(c candidate, id uint64) {
	in.dropped = append(in.dropped, c.segment)
	switch {
	case c.misnamed(id):
		in.misnamed = append(in.misnamed, c)
		in.report(c.corrupt(c.base, -1, fmt.Sprintf("file is %s, under another name", segmentName(c.base))))
	case c.name != segmentName(c.base):
		in.again = append(in.again, segmentName(c.base))
	}
}

// stray leaves a file out. It is known by its name again.
func (in *inspection) stray(c candidate, reason string) {
	c.base = c.named
	in.strays = append(in.strays, c)
	in.report(c.corrupt(c.named, -1, "file is not the segment that its name says: "+reason))
}

// idOf returns the id of the log: without a manifest, that of a segment, of one that
// has its name if there is one.
func (in *inspection) idOf(files []candidate) (id uint64) {
	if in.manifest.id != 0 {
		return in.manifest.id
	}
	for _, c := range files {
		if c.told && c.base == c.named {
			return c.id
		}
		if id == 0 {
			id = c.id
		}
	}
	return id
}

// within reports whether a file has its place among the entries of the segment
// before it, which holds them itself: all that are in a sealed one, and those that
// can be read of another if nothing but the name tells that the file begins there.
// That one is read once, however many files come behind it.
func (in *inspection) within(c candidate, before *candidate, id uint64) (bool, error) {
	told := c.told && c.id == id
	switch {
	case before.headless() || before.id != id:
		return false, nil
	case before.sealed:
		return c.base < before.next() && (!told || !c.sealed || c.next() <= before.next()), nil
	case told:
		return false, nil
	case before.counted:
		return c.base < before.next(), nil
	}
	_, err := before.collect(newScan(before.file, before.header, before.scannable()), in.manifest.limit, in.manifest.known)
	before.counted = err == nil
	return c.base < before.next(), err
}

// putRight sets strays aside and gives segments the names that they had, those that a
// crash left without theirs included. A crash meanwhile leaves as much to be done
// again: where names have been swapped, each file first gets one that no other has,
// and opening knows that as well.
func (in *inspection) putRight() error {
	for _, c := range in.strays {
		if err := keep(in.dir, c.segment); err != nil {
			return both(err, in.close())
		}
	}
	if err := in.close(); err != nil { // not every system lets go of the name of an open file
		return err
	}
	var strays []string
	for _, c := range in.strays {
		strays = append(strays, c.name)
	}
	if err := in.removeAll(strays); err != nil || len(in.misnamed)+len(in.again) == 0 {
		return err
	}
	names, err := in.dir.Names()
	if err != nil {
		return err
	}
	for _, c := range in.misnamed {
		name := segmentName(c.base)
		if slices.Contains(names, name+againSuffix) {
			return fmt.Errorf("%s is %s, and so is %s%s", c.path, name, name, againSuffix)
		}
		if err := in.dir.Rename(c.name, name+againSuffix); err != nil {
			return err
		}
		in.again = append(in.again, name)
	}
	if err := flush(in.dir); err != nil {
		return err
	}
	if err := in.finishNames(); err != nil {
		return err
	}
	return flush(in.dir)
}
