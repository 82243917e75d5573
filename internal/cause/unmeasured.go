package cause

import "github.com/syncwrite/syncwrite/results"

// Unmeasured names what cannot be told here: the kernel has no /proc, or what
// is in it is hidden, as in some containers.
func Unmeasured() []string { return unmeasured(takeMachine(nil), ownQuotas()) }

func unmeasured(m machineUsage, q quotas) []string {
	var all []string
	if !m.steal.Known() {
		all = append(all, "steal", "other processes")
	}
	if !q.known {
		all = append(all, results.UnmeasuredQuota)
	}
	return all
}
