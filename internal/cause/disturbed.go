package cause

import (
	"fmt"

	"github.com/syncwrite/syncwrite/results"
)

const (
	disturbedShare = 0.10 // of the processors' time in the window
	throttledShare = 0.01 // of the window
)

// Disturbed is the doubt of a window in which others took much of so many processors.
func Disturbed(u results.Usage, windowNS int64, processors int) (doubt results.Warning, is bool) {
	share := taken(u, windowNS, processors)
	return results.Warning{Code: results.WarnDisturbed,
		Text: fmt.Sprintf("other processes or the hypervisor took %.0f %% of the processors", share*100)}, share > disturbedShare
}

// taken is the share of all processors' time that others took. Windows are short
// against the 10 ms ticks of the source, so one tick is forgiven.
func taken(u results.Usage, windowNS int64, processors int) float64 {
	sum := results.Number(0)
	for _, n := range []results.Number{u.StealNS, u.OthersNS} {
		if n.Known() {
			sum += n
		}
	}
	return max(float64(sum)-tickNS, 0) / (float64(windowNS) * float64(processors))
}

// Throttled is the doubt of a window in which a quota held the process back.
func Throttled(u results.Usage, windowNS int64) (doubt results.Warning, is bool) {
	held := u.ThrottledNS
	return results.Warning{Code: results.WarnThrottled, Text: fmt.Sprintf("throttled: the cgroup's quota took %s of processor time in a window of %s",
		held.Nanoseconds(), results.Number(windowNS).Nanoseconds())}, float64(held) > throttledShare*float64(windowNS)
}
