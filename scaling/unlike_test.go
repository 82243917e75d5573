package scaling

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/syncwrite/syncwrite/internal/racing"
)

// Where one level is noisier than the others, what depends on it is as wide as that takes, and
// no law is refused for it.
func TestUnlikeNoise(t *testing.T) {
	racing.Simulation(t)
	n := []int{1, 2, 4, 8}
	for _, noise := range [][]float64{{0.04, 0.04, 0.04, 0.04}, {0.02, 0.02, 0.02, 0.1}, {0.1, 0.02, 0.02, 0.02}, {0.01, 0.01, 0.01, 0.2}} {
		for name, law := range map[string]Law{"both": {1e5, 0.05, 0.01}, "level": {1e5, 1, 0}, "linear": {1e5, 0, 0}} {
			for _, blocks := range []int{6, 13} {
				random := rand.New(rand.NewPCG(1, 2))
				covered := map[string]*coverage{"λ": {}, "σ": {}, "κ": {}, "X at 8": {}, "X at 16": {}}
				alone, refused := 0, 0
				for range draws() {
					s := draw(random, law, n, blocks, 0, 0.05)
					for _, row := range s.X {
						for j := range row {
							row[j] *= math.Exp(noise[j] * random.NormFloat64())
						}
					}
					f, err := FitUSL(s, 0.95)
					if err != nil {
						t.Fatal(err)
					}
					if !f.Follows {
						refused++
						continue
					}
					covered["λ"].add(f.LambdaIn, law.Lambda)
					covered["σ"].add(f.SigmaIn, law.Sigma)
					covered["κ"].add(f.KappaIn, law.Kappa)
					covered["X at 8"].add(f.At(8), law.Throughput(8))
					if e := f.At(16); !math.IsNaN(e.Value) {
						covered["X at 16"].add(e, law.Throughput(16))
					}
					if f.PeakN.High == 1 {
						alone++
					}
				}
				text := fmt.Sprintf("%v, %s, %d blocks: %d refused, %d alone", noise, name, blocks, refused, alone)
				for what, c := range covered {
					text += fmt.Sprintf("; %s %v", what, c)
					if c.share() < 0.92 {
						t.Errorf("%v, %s, %d blocks: %s: %v", noise, name, blocks, what, c)
					}
				}
				t.Log(text)
				if refused > draws()*3/100 || law.Sigma == 1 && alone > draws()*3/100 {
					t.Errorf("%v, %s, %d blocks: of %d, %d refused, %d alone", noise, name, blocks, draws(), refused, alone)
				}
			}
		}
	}
}

// What follows no law is refused as often as if nobody had looked for a noisier level: nine times of
// ten, in six blocks of trials that are all off alike.
func TestRefusesWhereNoiseIsAlike(t *testing.T) {
	racing.Simulation(t)
	n := []int{1, 2, 4, 8, 16}
	for name, c := range map[string]struct {
		does  []float64
		noise float64
	}{
		"level from four on":      {[]float64{1, 2, 4, 4, 4}, 0.1},
		"a quarter more by eight": {[]float64{1, 1, 1, 1.25, 1.25}, 0.05},
		"an eighth less by eight": {[]float64{1, 2, 4, 7, 16}, 0.05},
	} {
		random, refused := rand.New(rand.NewPCG(5, 6)), 0
		for range draws() {
			s := draw(random, Law{1e5, 0, 0}, n, 6, c.noise, 0.05)
			for _, row := range s.X {
				for j := range row {
					row[j] *= c.does[j] / float64(n[j])
				}
			}
			f, err := FitUSL(s, 0.95)
			if err != nil {
				t.Fatal(err)
			}
			if !f.Follows {
				refused++
			}
		}
		t.Logf("%s: %d of %d refused", name, refused, draws())
		if refused < draws()*85/100 {
			t.Errorf("%s: %d of %d refused", name, refused, draws())
		}
	}
}
