package results

// Fit is how one variant scales with goroutines, as far as the Universal Scalability
// Law tells (package scaling): what N goroutines get done is one's rate λ, times N,
// ÷ (1 + σ(N-1) + κN(N-1)).
type Fit struct {
	Variant string
	Factors map[string]string

	Lambda Interval // operations a second of one goroutine, by the law
	Sigma  Interval // contention
	Kappa  Interval // coherency
	PeakN  Interval // missing where no peak is told
	Peak   Interval // operations a second there

	// Efficiency is the throughput at the highest N in percent of that of one goroutine
	// for each processor that they can use: min(N, processors, a quota of them).
	Efficiency Interval
	Most       int // the highest N

	Told bool   // the numbers say something: there are levels enough, and they follow the law
	Text string // what they mean, or why there are none
}

// Crossover is where one variant overtakes another of equal promise.
type Crossover struct {
	Factors       map[string]string
	Ahead, Behind string // variants: Ahead is faster from N = From on
	Until, From   int    // Behind is certainly faster at N = Until, the last such before From
}
