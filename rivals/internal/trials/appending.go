package trials

import (
	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/rivals/internal/logs"
)

func payloadFactor() harness.Factor {
	return harness.Factor{Name: "payload", About: "bytes of a value", Default: "3", Check: harness.Between(0, largest)}
}

// RivalLog is one log, N goroutines, and every rival at it.
func RivalLog() harness.Experiment {
	e := harness.Experiment{
		Name:       "rival-log",
		Question:   "How does our log compare with other people's, at equal promises?",
		Unit:       "append",
		Factors:    []harness.Factor{payloadFactor()},
		Goroutines: []int{1, 4, 8, 64},
	}
	for _, r := range logs.Rivals() {
		e.Variants = append(e.Variants, r.Variant())
	}
	return e
}

// largest payload in bytes: the least that a rival takes in one piece, which is
// badger's value threshold.
const largest = 1 << 20
