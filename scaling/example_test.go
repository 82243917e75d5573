package scaling_test

import (
	"fmt"

	"github.com/syncwrite/syncwrite/scaling"
)

// The machine lost a third of its speed during the run. Paired within each
// block, the percentage does not notice.
func ExamplePercentOfSerial() {
	x1 := []float64{600_000, 560_000, 520_000, 480_000, 440_000, 400_000}
	x16 := []float64{150_000, 145_600, 130_000, 124_800, 110_000, 100_000}

	p := scaling.PercentOfSerial(x16, x1, 0.95)
	fmt.Printf("%.0f %% of serial, %.0f to %.0f\n", p.Median, p.Low, p.High)
	fmt.Printf("%.0f operations a second at 2 µs each\n", scaling.SerialRate(2_000))
	// Output:
	// 25 % of serial, 25 to 26
	// 500000 operations a second at 2 µs each
}

// Six blocks at six levels, of a machine that gets slower. Contention and coherency
// do not notice; one goroutine's rate does.
func ExampleFitUSL() {
	truth := scaling.Law{Lambda: 1000, Sigma: 0.05, Kappa: 0.002}
	sweep := scaling.Sweep{N: []int{1, 2, 4, 8, 16, 32}}
	for block := range 6 {
		var row []float64
		for i, n := range sweep.N {
			noise := 0.01 * float64((3*block+2*i)%5-2)
			row = append(row, truth.Throughput(float64(n))*(1-0.02*float64(block))*(1+noise))
		}
		sweep.X = append(sweep.X, row)
	}
	fit, err := scaling.FitUSL(sweep, 0.95)
	if err != nil {
		panic(err)
	}
	fmt.Printf("contention %.1f %% (%.1f to %.1f)\n", 100*fit.Sigma, 100*fit.SigmaIn.Low, 100*fit.SigmaIn.High)
	fmt.Printf("peak near N = %.0f (%.0f to %.0f), by the %s law\n", fit.PeakN.Value, fit.PeakN.Low, fit.PeakN.High, fit.Best)
	fmt.Printf("at N = 100: %v\n", fit.At(100).Value)
	// Output:
	// contention 4.9 % (4.4 to 5.4)
	// peak near N = 22 (21 to 23), by the USL law
	// at N = 100: NaN
}
