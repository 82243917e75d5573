package main

import (
	"cmp"
	"fmt"
	"slices"
)

// A cell is what ours and a rival are compared in.
type cell struct {
	survives         string
	payload, threads int
}

func (c cell) String() string {
	return fmt.Sprintf("%s, %d B, N = %d", c.survives, c.payload, c.threads)
}

// goal is how many times the rival ours is meant to be: ahead everywhere, and
// twice as fast from two threads on with the page cache, and at 64 with a disk.
func (c cell) goal() float64 {
	if c.survives == processCrash && c.threads >= 2 || c.threads >= 64 {
		return 2
	}
	return 1
}

func cells(payloads, threads []int) []cell {
	var all []cell
	for _, survives := range []string{processCrash, powerCut} {
		for _, payload := range payloads {
			for _, n := range threads {
				all = append(all, cell{survives, payload, n})
			}
		}
	}
	return all
}

// cellsOf are the cells of the trials in the table's order.
func cellsOf(trials []trial) []cell {
	seen := map[cell]bool{}
	var all []cell
	for _, t := range trials {
		if c := (cell{t.Survives, t.Payload, t.Threads}); !seen[c] {
			seen[c] = true
			all = append(all, c)
		}
	}
	slices.SortFunc(all, func(a, b cell) int {
		return cmp.Or(-cmp.Compare(a.survives, b.survives), cmp.Compare(a.payload, b.payload), cmp.Compare(a.threads, b.threads))
	})
	return all
}
