package trials

import (
	"slices"

	"github.com/syncwrite/syncwrite/harness"
)

// Catalogue lists the experiments.
func Catalogue() []harness.Experiment {
	return []harness.Experiment{
		OnWarmPages(RivalLog()), OnWarmPages(RivalShare()), OnWarmPages(RivalLimits()), RivalMemory(), OnWarmPages(RivalAsync()),
		RivalGet(), OnWarmPages(RivalMixed()), RivalPastLimits(), OnWarmPages(RivalSteady()),
		RivalSet(), RivalAggregate(),
		RivalCounter(), RivalMap(),
	}
}

func Experiment(name string) (harness.Experiment, bool) {
	all := Catalogue()
	i := slices.IndexFunc(all, func(e harness.Experiment) bool { return e.Name == name })
	if i < 0 {
		return harness.Experiment{}, false
	}
	return all[i], true
}
