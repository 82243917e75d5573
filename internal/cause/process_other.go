//go:build !unix

package cause

import "github.com/syncwrite/syncwrite/results"

type processUsage struct{ user, system, voluntary, involuntary results.Number }

// takeProcess has no source here: CPU time is missing.
func takeProcess() processUsage {
	m := results.Missing()
	return processUsage{m, m, m, m}
}
