package results

// History is what several runs of one workload say of their cells, in the order in
// which they are given.
type History struct {
	Runs []string `json:"runs"` // when each began; its place where it does not say
	// Comparison is of the last run with the first. Its Unlike is what lies
	// between any two of the runs.
	Comparison Comparison   `json:"comparison"`
	Rates      [][]Interval `json:"ops_per_s"` // of each of its Changes, one a run; missing where that has no trial of the cell
}
