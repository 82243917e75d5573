package trials

import (
	"github.com/syncwrite/syncwrite/experiments"
	"github.com/syncwrite/syncwrite/harness"
)

// RivalAggregate is our mailboxes, whose receiver handles runs, against what
// everybody has: a Go channel, and a receiver that handles one event after
// another. It is the experiment aggregate, held to its musts.
func RivalAggregate() harness.Experiment {
	e := experiments.Aggregate()
	e.Name = "rival-aggregate"
	return e
}
