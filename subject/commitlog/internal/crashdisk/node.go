package crashdisk

import (
	"slices"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/disk"
)

// A node is a file, whatever its name is.
//
// Byte slices are shared between nodes, and between base and now, as long as
// nobody writes to them: an image of an unchanged file costs no copy.
type node struct {
	base   []byte // the bytes that are certain, before the first of edits; never written to
	now    []byte // the bytes as reads see them
	shared int    // now[:shared] is somebody else's too, and copied before it is written to
	edits  []edit // what was done since base, in order; elements never change
	seq    uint64 // of the last edit
	locked bool
	views  []*disk.Memory // of those who mapped the file

	directs int  // how many have it open for direct writes
	mixed   bool // it was used in the usual way meanwhile
}

// An edit is what one call did to the bytes from..to: it wrote data, or zeros
// where data is nil. A write beyond the end is two, as the zeros before it are
// nothing that anybody wrote.
type edit struct {
	from, to      int
	data          []byte // never written to
	before, after int    // the size of the file
	truncate      bool
	seq           uint64
	fate          fate
}

// forever is beyond the end of every file.
const forever = int(^uint(0) >> 1)

// write writes to the file; it is pending. Nothing written is no edit.
func (n *node) write(data []byte, off int) {
	if len(data) == 0 {
		return
	}
	before, end := len(n.now), off+len(data)
	if before < off {
		n.do(edit{from: before, to: off, before: before, after: before})
	}
	n.do(edit{from: off, to: end, data: slices.Clone(data), before: before, after: max(before, end)})
}

// truncate sets the size; it is pending. What lies beyond the size is gone
// even if an earlier truncation is lost, so it reaches to the end of all.
func (n *node) truncate(size int) {
	before := len(n.now)
	n.do(edit{from: min(size, before), to: forever, before: before, after: size, truncate: true})
}

func (n *node) do(e edit) {
	n.seq++
	e.seq = n.seq
	n.edits = append(n.edits, e)
	if e.after < len(n.now) {
		n.now = n.now[:e.after]
		return
	}
	n.reach(min(e.from, len(n.now)), e.after)
	e.put(n.now, 0, forever)
}

// reach makes the file size bytes long, which is not less than before, and
// those after from its own to write to. New bytes are zero.
func (n *node) reach(from, size int) {
	before := len(n.now)
	if from >= n.shared && size <= cap(n.now) {
		n.now = n.now[:size]
		clear(n.now[before:])
		return
	}
	room := size
	if size > before {
		room += size / 2 // it grows: leave room for the next write
	}
	own := make([]byte, size, room)
	copy(own, n.now)
	n.now, n.shared = own, 0
}

// put does to the bytes lo..hi of an image what the edit does to them.
func (e *edit) put(image []byte, lo, hi int) {
	lo, hi = max(lo, e.from), min(hi, e.to, len(image))
	switch {
	case lo >= hi:
	case e.data == nil:
		clear(image[lo:hi])
	default:
		copy(image[lo:hi], e.data[lo-e.from:])
	}
}

// resize is the size of a file of that size after the edit.
func (e *edit) resize(size int) int {
	if e.truncate {
		return e.after
	}
	return max(size, e.to)
}

// share returns what reads see, for another to keep.
func (n *node) share() []byte {
	n.shared = max(n.shared, len(n.now))
	return n.now[:len(n.now):len(n.now)]
}

// settle makes the pending edits up to mark durable.
func (n *node) settle(mark uint64) {
	open := func(e edit) bool { return e.fate == doomed || e.seq > mark }
	if !slices.ContainsFunc(n.edits, open) {
		n.base, n.edits = n.share(), nil
		return
	}
	edits := slices.Clone(n.edits) // another disk may have the old ones
	for i := range edits {
		if edits[i].fate == pending && edits[i].seq <= mark {
			edits[i].fate = settled
		}
	}
	n.edits = edits
	n.fold()
}

// decide makes the pending edits behind before, up to mark, durable, or dooms
// them. Those before may still be lost.
func (n *node) decide(before, mark uint64, durable bool) {
	n.edits = slices.Clone(n.edits)
	for i := range n.edits {
		if e := &n.edits[i]; e.fate == pending && e.seq > before && e.seq <= mark {
			e.fate = doomed
			if durable {
				e.fate = settled
			}
		}
	}
	n.fold()
}

// fold takes the settled edits that no other precedes into base.
func (n *node) fold() {
	first := slices.IndexFunc(n.edits, func(e edit) bool { return e.fate != settled })
	if first < 0 {
		first = len(n.edits)
	}
	if first == 0 {
		return
	}
	base := slices.Clone(n.base)
	for i := range n.edits[:first] {
		e := &n.edits[i]
		size := e.resize(len(base))
		base = append(base, make([]byte, max(0, size-len(base)))...)[:size]
		e.put(base, 0, forever)
	}
	n.base, n.edits = slices.Clip(base), n.edits[first:]
}

// doom lets no later Sync settle what is pending now.
func (n *node) doom() {
	n.edits = slices.Clone(n.edits)
	for i := range n.edits {
		if n.edits[i].fate == pending {
			n.edits[i].fate = doomed
		}
	}
}
