package trials

import (
	"maps"
	"slices"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/rivals/internal/actors"
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

// Experiment finds one by its name, also among those that programs of their own run.
func Experiment(name string) (harness.Experiment, bool) {
	all := slices.AppendSeq(Catalogue(), maps.Values(actors.Programs()))
	i := slices.IndexFunc(all, func(e harness.Experiment) bool { return e.Name == name })
	if i < 0 {
		return harness.Experiment{}, false
	}
	return all[i], true
}
