package analysis

import "github.com/syncwrite/syncwrite/results"

// unit is what one operation of the trials is. A factor that mixes others among those of the
// experiment makes it another one, and does for all trials: a sentence may speak of several
// levels.
func unit(e results.Experiment, trials []results.Trial) string {
	for _, f := range e.Factors {
		for _, t := range trials {
			if level, has := t.Factors[f.Name]; f.Unit != "" && has && level != f.Default {
				return f.Unit
			}
		}
	}
	return e.Unit
}
