package harness

import (
	"github.com/syncwrite/syncwrite/hist"
	"github.com/syncwrite/syncwrite/results"
)

// latency sums up the operations of a trial. A quantile with fewer than ten
// samples beyond it is missing, and so are p99.9 and the maximum of a sampled
// operation: the rare slow one was probably not among the samples.
func latency(all *hist.Histogram, t results.Trial, each bool, chunk int64) results.Latency {
	l := results.Latency{
		Mode: results.Sampled, Samples: all.Count(), Hist: all,
		MeanNS: results.Number(t.GoroutineNS) / results.Number(t.Ops),
		P50NS:  carried(all, 0.50), P90NS: carried(all, 0.90), P99NS: carried(all, 0.99),
		P999NS: results.Missing(), MaxNS: results.Missing(), ChunkNS: results.Number(chunk),
	}
	if each {
		l.Mode = results.Each
		l.P999NS = carried(all, 0.999)
		l.MaxNS = results.Number(all.Max())
		l.ChunkNS = results.Missing()
	}
	return l
}

func carried(all *hist.Histogram, q float64) results.Number {
	return results.Number(all.Carried(q))
}
