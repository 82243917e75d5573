package main

import "strconv"

// A cell is what ours and the rivals are compared in.
type cell struct {
	survives string
	payload  int
	n        int
}

func (c cell) String() string {
	return c.survives + ", " + strconv.Itoa(c.payload) + " B, N = " + strconv.Itoa(c.n)
}

// A mark is how many times the best rival ours must be, and is meant to be.
type mark struct{ must, goal float64 }

// musts are the cells of the table with their marks.
func musts() ([]cell, map[cell]mark) {
	var order []cell
	marks := map[cell]mark{}
	set := func(survives string, payload, n int, m mark) {
		c := cell{survives, payload, n}
		order = append(order, c)
		marks[c] = m
	}
	for _, n := range []int{1, 4, 8, 64} {
		set(processCrash, 3, n, mark{5, 12})
	}
	set(processCrash, 1024, 1, mark{1.2, 5})
	for _, n := range []int{4, 8, 64} {
		set(processCrash, 1024, n, mark{2, 5})
	}
	for _, payload := range []int{3, 1024} {
		set(powerCut, payload, 1, mark{1, 1})
		set(powerCut, payload, 4, mark{})
		set(powerCut, payload, 8, mark{1.5, 2.5})
		set(powerCut, payload, 64, mark{1.8, 3.3})
	}
	return order, marks
}
