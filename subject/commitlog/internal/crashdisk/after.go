package crashdisk

import "math/rand/v2"

// A style is how a power cut treats the edits of one file. Any image can come
// of the last one; the others make often what would be rare in it.
type style uint8

const (
	keepAll   style = iota
	anyOrder        // all are kept, but an older one may win
	keepNone        // as if nothing was written back
	keepFirst       // those up to one, which is torn: written back in order
	keepLast        // those from one on, which is torn: the newest went first
	keepWhole       // each wholly or not at all
	versions        // each sector as it was after some edit: pages written back at some time
	each            // each edit in a way of its own
)

// styles holds each style as often as it is to be drawn.
var styles = [...]style{keepAll, anyOrder, anyOrder, keepNone, keepFirst, keepFirst, keepLast, keepLast,
	keepWhole, keepWhole, versions, versions, versions, each, each, each, each, each}

// after draws the bytes that a power cut leaves of the file. Nobody writes to
// them.
func (n *node) after(r *rand.Rand, luck luck) []byte {
	if len(n.edits) == 0 {
		return n.base
	}
	s, size := styles[r.IntN(len(styles))], len(n.now)
	switch luck {
	case spared:
		s = keepAll
	case thorough:
		s, size = keepNone, n.sizeFrom(0, len(n.base))
	default:
		size = n.drawSize(r)
	}
	if s == keepAll && size == len(n.now) {
		return n.share()
	}
	image := make([]byte, size)
	copy(image, n.base)
	n.land(image, r, s)
	return image
}

// drawSize draws the size: often the newest, so that bytes are missing inside
// the file, or the oldest, or one from between.
func (n *node) drawSize(r *rand.Rand) int {
	switch r.IntN(8) {
	case 0, 1, 2:
		return len(n.now)
	case 3:
		return n.sizeFrom(0, len(n.base))
	case 4, 5:
		i := r.IntN(len(n.edits))
		return n.sizeFrom(i+1, n.edits[i].after)
	}
	i := r.IntN(len(n.edits))
	e := &n.edits[i]
	start := max(e.before, e.from) + 1
	if e.truncate || e.fate == settled || e.after <= start {
		return n.sizeFrom(i+1, e.after)
	}
	return n.sizeFrom(i+1, start+drawPlace(r, start, e.after-start))
}

// sizeFrom is the size that a file which had the given one before edit i must
// have, for the sake of the settled edits from there on.
func (n *node) sizeFrom(i, size int) int {
	for ; i < len(n.edits); i++ {
		if e := &n.edits[i]; e.fate == settled {
			size = e.resize(size)
		}
	}
	return size
}

// land puts onto an image of the bytes before the edits what survives of them.
func (n *node) land(image []byte, r *rand.Rand, s style) {
	which := r.IntN(len(n.edits))
	version := sieve{seed: r.Uint64(), unit: drawUnit(r)}
	var room [16]int
	for _, i := range n.order(r, s, room[:0]) {
		e := &n.edits[i]
		if e.fate == settled {
			e.put(image, 0, forever)
			continue
		}
		lo, hi := e.from, min(e.to, len(image))
		if lo >= hi {
			continue
		}
		switch {
		case s == keepAll, s == anyOrder, s == keepFirst && i < which, s == keepLast && i > which:
			e.put(image, lo, hi)
		case s == keepFirst && i == which:
			e.put(image, lo, lo+drawPlace(r, lo, hi-lo))
		case s == keepLast && i == which:
			e.put(image, lo+drawPlace(r, lo, hi-lo), hi)
		case s == keepWhole && r.IntN(2) == 0:
			e.put(image, lo, hi)
		case s == versions:
			version.keep, version.of = uint64(len(n.edits)-i), uint64(len(n.edits)+1)
			version.put(e, image, lo, hi)
		case s == each:
			e.land(image, r, lo, hi)
		}
	}
}

// order is the order in which the edits land. Unsynced ones may land in any,
// but not before a settled one that they came after, nor after one that they
// came before: a file system keeps the newest bytes of a page it has synced.
func (n *node) order(r *rand.Rand, s style, order []int) []int {
	for i := range n.edits {
		order = append(order, i)
	}
	inOrder := s != anyOrder
	if s == keepWhole || s == each {
		inOrder = r.IntN(2) == 0
	}
	if inOrder {
		return order
	}
	start := 0
	for i := range n.edits {
		if n.edits[i].fate == settled {
			start = i + 1
			continue
		}
		j := start + r.IntN(i-start+1)
		order[i], order[j] = order[j], order[i]
	}
	return order
}

// land puts a part of the bytes lo..hi onto the image.
func (e *edit) land(image []byte, r *rand.Rand, lo, hi int) {
	a := lo + drawPlace(r, lo, hi-lo)
	switch r.IntN(8) {
	case 0: // lost
	case 1:
		e.put(image, lo, hi)
	case 2:
		e.put(image, lo, a)
	case 3:
		e.put(image, a, hi)
	case 4: // a hole
		e.put(image, lo, a)
		e.put(image, a+drawPlace(r, a, hi-a), hi)
	case 5: // a piece
		e.put(image, a, a+drawPlace(r, a, hi-a))
	default: // some sectors: few, half of them, most
		few := [...]uint64{1, 4, 7}
		s := sieve{seed: r.Uint64(), unit: drawUnit(r), keep: few[r.IntN(len(few))], of: 8}
		s.put(e, image, lo, hi)
	}
}
