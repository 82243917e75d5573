package harness

import "github.com/syncwrite/syncwrite/results"

const (
	slowStartShare = 0.05 // of the window
	slowStartTimes = 3    // as long as those after it

	slowStartFaster = 0.1 // in the second half: that is enough, however long first operations took
)

// slowStarted reports whether slow first operations lowered the rate: a longer window has a higher
// one. First operations that wait at a queue which others filled, or for a processor, take long
// and lower nothing. So where halves are known the second one has to be faster, by
// half of what the first operations took, or by a tenth, at least.
func slowStarted(t results.Trial) bool {
	share := float64(t.FirstNS) / float64(t.WallNS)
	if share <= slowStartShare || t.LaterNS == 0 || t.FirstNS <= slowStartTimes*t.LaterNS {
		return false
	}
	if t.HalfNS == 0 || t.HalfOps >= t.Ops {
		return true
	}
	second := float64(t.WallNS-t.HalfNS) / float64(t.WallNS) * float64(t.Ops) / float64(t.Ops-t.HalfOps) // ÷ what an operation took in all of the window
	return second <= 1-min(share/2, slowStartFaster)
}
