package figure

import "slices"

// A tag is a label at the end of a line: where it wants to stand, how high it
// is, and where it came to stand (all in pixels, its middle).
type tag struct {
	lines        []string
	soft         int // the first line that is less important than the name
	class        string
	x, want, mid float64
}

func (t tag) height() float64 { return float64(len(t.lines)) * lineHeight }

func heightOf(tags []tag) float64 {
	sum := 0.0
	for _, t := range tags {
		sum += t.height()
	}
	return sum
}

// spread moves tags apart so that none overlaps another and all lie between
// top and bottom, each as near as it can to where it wants to stand. Tags that
// touch move as one heap, whose middle is the mean of their wishes. The space
// must hold them all.
func spread(tags []tag, top, bottom float64) {
	slices.SortStableFunc(tags, func(a, b tag) int {
		switch {
		case a.want < b.want:
			return -1
		case a.want > b.want:
			return 1
		}
		return 0
	})
	var heaps []heap
	for i := range tags {
		heaps = append(heaps, heap{first: i, count: 1, start: within(tags[i].want-tags[i].height()/2, tags[i].height(), top, bottom), size: tags[i].height()})
		for n := len(heaps); n > 1 && heaps[n-2].start+heaps[n-2].size > heaps[n-1].start; n = len(heaps) {
			heaps = append(heaps[:n-2], merged(heaps[n-2], heaps[n-1], tags, top, bottom))
		}
	}
	for _, h := range heaps {
		y := h.start
		for i := h.first; i < h.first+h.count; i++ {
			tags[i].mid = y + tags[i].height()/2
			y += tags[i].height()
		}
	}
}

// A heap is a run of tags that touch.
type heap struct {
	first, count int
	start, size  float64
}

func merged(a, b heap, tags []tag, top, bottom float64) heap {
	h := heap{first: a.first, count: a.count + b.count, size: a.size + b.size}
	offset, wish := 0.0, 0.0
	for i := h.first; i < h.first+h.count; i++ {
		wish += tags[i].want - tags[i].height()/2 - offset
		offset += tags[i].height()
	}
	h.start = within(wish/float64(h.count), h.size, top, bottom)
	return h
}

func within(start, size, top, bottom float64) float64 {
	return max(min(start, bottom-size), top)
}
