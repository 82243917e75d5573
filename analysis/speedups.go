package analysis

import "github.com/syncwrite/syncwrite/results"

// speedups are what more workers brought, in each cell where there are users enough for all
// of them, and what bounds it.
func speedups(run *results.Run, e results.Experiment, allSeries []*series) []results.Scaled {
	var all []results.Scaled
	for _, s := range e.Scales {
		for _, of := range allSeries {
			if of.variant.Name != s.Of {
				continue
			}
			to := counterpart(results.Claim{To: results.Side{Variant: s.To}}, of, allSeries)
			if to == nil {
				continue
			}
			for _, l := range of.cells {
				one := to.at(l.goroutines)
				if xs, _ := pairs(l.trials, one); len(xs) == 0 || l.goroutines < s.Workers {
					continue
				}
				amdahl, machine := speedupBounds(one, s.Workers, machineOf(run, one[0]))
				all = append(all, results.Scaled{Scale: s, Factors: of.factors, Users: l.goroutines,
					Ratio: interval(ratioOf(l.trials, one)), Amdahl: amdahl, Machine: machine})
			}
		}
	}
	return all
}

// speedupBounds are those of so many workers, by what one of them and the server used.
func speedupBounds(one []results.Trial, workers int, processors results.Number) (amdahl, machine results.Number) {
	serial := median(one, func(t results.Trial) float64 {
		server := cpuOf(t, results.Server)
		return float64(server / (server + cpuOf(t, results.Generator)))
	})
	busy := median(one, func(t results.Trial) float64 {
		return float64(cpuOf(t, results.Server)+cpuOf(t, results.Generator)) / float64(t.WallNS)
	})
	return 1 / (serial + (1-serial)/results.Number(workers)), processors / busy
}
