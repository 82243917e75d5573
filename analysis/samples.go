package analysis

import (
	"math"

	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/stats"
)

// samples are values of the newer run and of the older one: two independent samples, or where the
// runs took turns, pairs that were measured side by side.
type samples struct {
	newer, older []float64
	paired       bool
	loose        float64 // by how much wider intervals are than independent values have them; less than 1: by nothing
}

// samplesOf are values of the trials of a cell.
func (s sides) samplesOf(value func(results.Trial) float64) samples {
	newer, older := s.newer.trials, s.older.trials
	if tookTurns(s.older.run, s.newer.run) { // what drifts took both along
		newer, older = pairs(newer, older)
		return samples{newer: each(newer, value), older: each(older, value), paired: true}
	}
	return samples{newer: each(newer, value), older: each(older, value), loose: s.loose()}
}

// ratio is that of the newer values to the older ones.
func (s samples) ratio(confidence float64) stats.Interval {
	if s.paired {
		return stats.SignedRankRatio(s.newer, s.older, confidence)
	}
	return s.loosened(stats.RatioInterval(s.newer, s.older, confidence))
}

// loosened is an interval as much wider as the samples are loose.
func (s samples) loosened(i stats.Interval) stats.Interval {
	if s.loose > 1 {
		i.Low, i.High = i.Median*math.Pow(i.Low/i.Median, s.loose), i.Median*math.Pow(i.High/i.Median, s.loose)
	}
	return i
}

// p is how likely the two are as far apart by chance.
func (s samples) p() results.Number {
	if s.paired {
		return results.Number(stats.SignedRank(s.newer, s.older))
	}
	p, err := stats.MannWhitney(s.older, s.newer)
	if err != nil {
		return results.Missing()
	}
	return results.Number(p)
}

// normal is ratio, if logarithms are normal, at any confidence.
func (s samples) normal(confidence float64) stats.Interval {
	if s.paired {
		return stats.PairedT(s.newer, s.older, confidence)
	}
	return s.loosened(stats.WelchRatio(s.newer, s.older, confidence))
}

// most is the highest confidence at which ratio has bounds.
func (s samples) most() float64 {
	if s.paired {
		return stats.MostPairedConfidence(len(s.newer))
	}
	return stats.MostConfidence(len(s.newer), len(s.older))
}

// falsely is how often any of what a comparison calls different may be so by chance.
const falsely = 1 - Confidence

// surely is the ratio at a confidence at which, of so many such intervals, any lies beyond 1
// by chance no more often than one alone does (Bonferroni). Samples that are too small for
// that have the interval of their extremes, made as wide as that of a t test has it, which
// can be had at any confidence; or none, where they are so small that of so many, if trials had one
// of two rates by the toss of a coin, one would have all of one side at one rate and all of the other
// at the other: each side would scatter by nothing.
func (s samples) surely(many int) stats.Interval {
	confidence := 1 - falsely/float64(max(many, 1))
	most := s.most()
	if confidence <= most || many <= 1 {
		return s.ratio(confidence)
	}
	ratio, normal := s.ratio(most), s.normal(confidence)
	if s.partByTosses(many) {
		return stats.Interval{Median: ratio.Median, Low: 0, High: math.Inf(1)}
	}
	ratio.Low, ratio.High = min(ratio.Low, normal.Low), max(ratio.High, normal.High)
	return ratio
}

// partByTosses reports that of so many pairs of samples one parts wholly by chance, if values are one of
// two by the toss of a coin.
func (s samples) partByTosses(many int) bool {
	return 2*math.Pow(0.5, float64(len(s.newer)+len(s.older)))*float64(many) > falsely
}
