package scaling

import "math"

// A Law is the Universal Scalability Law: N goroutines together do
//
//	X(N) = λN / (1 + σ(N-1) + κN(N-1))
//
// operations a second (Gunther, Guerrilla Capacity Planning, 2007). Without κ it is
// Amdahl's law (1967), without either it is linear.
type Law struct {
	Lambda float64 // λ, the rate: operations a second of one goroutine
	Sigma  float64 // contention σ: the share of an operation that only one goroutine at a time gets done
	Kappa  float64 // coherency κ: what each of the other goroutines adds to an operation, as a share of it
}

// Throughput is X(N) in operations a second.
func (l Law) Throughput(n float64) float64 { return l.Lambda * n / l.delay(n) }

// delay is how many times as long N goroutines have to an operation as one alone.
func (l Law) delay(n float64) float64 { return 1 + l.Sigma*(n-1) + l.Kappa*n*(n-1) }

// PeakN is the N of the highest throughput, √((1-σ)/κ), but at least 1: there,
// every further goroutine costs more than it does. Without κ it is infinite,
// unless σ is 1 or more, where nothing is gained by any.
func (l Law) PeakN() float64 {
	switch {
	case l.Sigma >= 1:
		return 1
	case l.Kappa <= 0:
		return math.Inf(1)
	}
	return math.Max(1, math.Sqrt((1-l.Sigma)/l.Kappa))
}
