// Package processors tells which processors of the machine a process may use, and holds
// processes to some of them. Nothing is held where that is not Linux.
package processors

import "slices"

// Split deals processors out to a server and to what asks it, as many to that as it has
// workers; none to either where there are not enough: both then use all.
func Split(processors []int, workers int) (server, generator []int) {
	if len(processors) <= workers {
		return nil, nil
	}
	split := len(processors) - workers
	return processors[:split], processors[split:]
}

// Rest are those of all that are not among taken; nil unless there are some of both: two
// that do not keep apart share.
func Rest(all, taken []int) []int {
	var rest []int
	for _, p := range all {
		if !slices.Contains(taken, p) {
			rest = append(rest, p)
		}
	}
	if len(taken) == 0 {
		return nil
	}
	return rest
}
