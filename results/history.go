package results

// History is what several runs of one workload say of their cells, in the order in
// which they are given.
type History struct {
	Runs     []string     `json:"runs"` // when each began; its place where it does not say
	Rows     []HistoryRow `json:"rows"` // the worst change from the first run to the last comes first
	Warnings []Warning    `json:"warnings,omitempty"`
}

// HistoryRow is one cell over the runs.
type HistoryRow struct {
	Cell   string     `json:"cell"`
	Rates  []Interval `json:"ops_per_s"` // one a run; missing where it has no trial of the cell
	Change Change     `json:"change"`    // from the first run to the last
}
