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
