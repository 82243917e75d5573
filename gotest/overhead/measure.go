package main

import (
	"context"
	"fmt"
	"os"
	"slices"

	"github.com/syncwrite/syncwrite/gotest"
)

func measure(ctx context.Context, dir string) error {
	for _, name := range []string{"BenchmarkEmpty", "BenchmarkTwenty", "BenchmarkCrowd"} {
		if err := distortion(ctx, dir, name, "30ms"); err != nil {
			return err
		}
	}
	if err := latencies(ctx, dir); err != nil {
		return err
	}
	return sums(ctx, dir)
}

// rounds is how often each binary runs; the fastest counts.
const rounds = 3

// distortion holds the wall time of a benchmark in our binaries against that in
// go test's, layout by layout, and go test's against itself.
func distortion(ctx context.Context, dir, name, time string) error {
	best := map[string]map[string][]float64{} // by processors, by kind, one a layout
	for layout := range layouts {
		least := map[string]float64{}
		for range rounds {
			for _, kind := range kinds {
				f, err := bench(ctx, binary(dir, kind, layout), "^"+name+"$", time, "")
				if err != nil {
					return err
				}
				for _, procs := range []string{"1", "2"} {
					values := f[name[len("Benchmark"):]+"-"+procs]
					wall, ours := values["wall-ns/op"]
					if !ours {
						wall = values["ns/op"]
					}
					if had := least[procs+kind]; had == 0 || wall < had {
						least[procs+kind] = wall
					}
				}
			}
		}
		for _, procs := range []string{"1", "2"} {
			if best[procs] == nil {
				best[procs] = map[string][]float64{}
			}
			for _, kind := range kinds {
				best[procs][kind] = append(best[procs][kind], least[procs+kind])
			}
		}
	}
	for _, procs := range []string{"1", "2"} {
		tell(name, procs, best[procs])
	}
	return nil
}

// tell prints the ratios of the layouts: median, the interval of it that holds
// 95 % (order statistics 6 and 15 of 20), and all.
func tell(name, procs string, best map[string][]float64) {
	ratio := func(kind string) []float64 {
		var all []float64
		for i, ns := range best[kind] {
			all = append(all, ns/best["stock"][i])
		}
		slices.Sort(all)
		return all
	}
	fmt.Printf("%s at %s: go test %.3f wall ns/op, ours %.3f (medians of %d layouts)\n", name, procs, mid(best["stock"]), mid(best["ours"]), layouts)
	for _, kind := range []string{"again", "ours"} {
		r := ratio(kind)
		fmt.Printf("  %-5s ÷ stock: median %+.1f %% (%+.1f to %+.1f), all from %+.1f to %+.1f %%\n", kind,
			percent(mid(r)), percent(r[5]), percent(r[14]), percent(r[0]), percent(r[len(r)-1]))
	}
}

func percent(ratio float64) float64 { return (ratio - 1) * 100 }

func mid(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}

// latencies holds our quantiles against those of a recorder that times every
// operation, one right after the other in each layout.
func latencies(ctx context.Context, dir string) error {
	for _, name := range []string{"Sampled", "Each"} {
		ratios := map[string][]float64{}
		for layout := range layouts {
			f, err := bench(ctx, binary(dir, "ours", layout), "^Benchmark"+name+"(Own)?$", "60ms", "")
			if err != nil {
				return err
			}
			for _, procs := range []string{"1", "2"} {
				for _, q := range []string{"p50-ns", "p99-ns"} {
					ratios[procs+" "+q] = append(ratios[procs+" "+q], f[name+"-"+procs][q]/f[name+"Own-"+procs]["own-"+q])
				}
			}
		}
		for _, procs := range []string{"1", "2"} {
			for _, q := range []string{"p50-ns", "p99-ns"} {
				r := ratios[procs+" "+q]
				fmt.Printf("%s at %s: %s against a recorder of every operation: median %+.2f %%, from %+.2f to %+.2f %%\n",
					name, procs, q, percent(mid(r)), percent(slices.Min(r)), percent(slices.Max(r)))
			}
		}
	}
	return nil
}

// sums holds what is accounted for, operations and the stretches between them,
// against goroutine time.
func sums(ctx context.Context, dir string) error {
	side, err := os.MkdirTemp("", "overhead-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(side)
	if _, err := bench(ctx, binary(dir, "ours", 0), "Twenty|Sampled$|Each$", "300ms", side); err != nil {
		return err
	}
	told, err := gotest.ReadTrials(side)
	if err != nil {
		return err
	}
	for _, t := range told.Trials {
		fmt.Printf("%s: recorded %d of %d ns of goroutine time: %+.4f %%\n", t.Name, t.RecordedNS, t.GoroutineNS,
			percent(float64(t.RecordedNS)/float64(t.GoroutineNS)))
	}
	return nil
}
