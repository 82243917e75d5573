package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/syncwrite/syncwrite/results"
)

var missing = math.NaN()

// ourQuantiles reads the one trial of a run.
func ourQuantiles(_ job, out []byte) ([]float64, error) {
	run, err := results.Read(bytes.NewReader(out), "stdout")
	if err != nil {
		return nil, err
	}
	if len(run.Trials) != 1 || run.Trials[0].Latency.Hist == nil {
		return nil, errNoQuantiles
	}
	h := run.Trials[0].Latency.Hist
	return []float64{h.Carried(0.90) / 1e6, h.Carried(0.95) / 1e6, h.Carried(0.99) / 1e6}, nil
}

// A report is what was measured, tool by tool.
type report struct {
	absent  []string
	blocks  int
	seconds int
	stalled int
	took    map[string][]measured
	paced   map[string][]measured // at pacedRate
	stalls  map[string][]float64
}

// measure runs a tool once and keeps how it did.
func (r *report) measure(ctx context.Context, s *server, t tool, j job) error {
	took, err := s.measure(ctx, t, j)
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "generators: %s, rate %d: %.0f requests/s, %.1f µs of processor each\n", t.name, j.rate, took.rate, took.cpu*1e6)
	into := &r.took
	if j.rate > 0 {
		into = &r.paced
	}
	if *into == nil {
		*into = map[string][]measured{}
	}
	(*into)[t.name] = append((*into)[t.name], took)
	return nil
}

func (r *report) stall(name string, quantiles []float64) {
	if r.stalls == nil {
		r.stalls = map[string][]float64{}
	}
	r.stalls[name] = quantiles
}

func (r *report) write(w io.Writer, there []tool) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# Load generators\n\nWritten by `go run ./generators` in rivals/. One generator processor against one server processor (fasthttp), %d connections,\n", users)
	fmt.Fprintf(&b, "%d interleaved blocks of %d s; medians, and ours ÷ theirs as the median of the blocks (lowest–highest). The server counts the requests, the operating system the processor time.\n\n", r.blocks, r.seconds)
	b.WriteString("| generator | requests/s | processor time a request | requests/s, ours ÷ theirs | processor time, ours ÷ theirs |\n|---|---:|---:|---:|---:|\n")
	ours := r.took["syncwrite"]
	for _, t := range there {
		all := r.took[t.name]
		rate, cpu := func(t measured) float64 { return t.rate }, func(t measured) float64 { return t.cpu }
		fmt.Fprintf(&b, "| %s | %.0f | %.1f µs | %s | %s |\n", t.name, median(each(all, rate)), median(each(all, cpu))*1e6,
			ratio(each(ours, rate), each(all, rate)), ratio(each(ours, cpu), each(all, cpu)))
	}
	fmt.Fprintf(&b, "\nAt %d requests/s, which must be kept:\n\n| generator | requests/s | processor time a request | processor time, ours ÷ theirs |\n|---|---:|---:|---:|\n", pacedRate)
	for _, t := range there {
		if all := r.paced[t.name]; len(all) > 0 {
			rate, cpu := func(t measured) float64 { return t.rate }, func(t measured) float64 { return t.cpu }
			fmt.Fprintf(&b, "| %s | %.0f | %.1f µs | %s |\n", t.name, median(each(all, rate)), median(each(all, cpu))*1e6, ratio(each(r.paced["syncwrite"], cpu), each(all, cpu)))
		}
	}
	fmt.Fprintf(&b, "\n## A server that stalls\n\nIt answers at once but for %v at the beginning of every %v. Of requests that are due evenly, a tenth waits 300 ms and longer, a twentieth 400, a hundredth 480:\n", stallLength, stallPeriod)
	fmt.Fprintf(&b, "so many users of the service do. %d requests/s for %d s where a tool can be told a rate, else as fast as %d connections go.\n\n", stallRate, r.stalled, users)
	b.WriteString("| generator | p90 ms | p95 ms | p99 ms |\n|---|---:|---:|---:|\n| the truth | 300 | 400 | 480 |\n")
	for _, t := range there {
		b.WriteString("| " + t.name)
		for _, q := range r.stalls[t.name] {
			if math.IsNaN(q) {
				b.WriteString(" | –")
				continue
			}
			fmt.Fprintf(&b, " | %.3g", q)
		}
		b.WriteString(" |\n")
	}
	if len(r.absent) > 0 {
		fmt.Fprintf(&b, "\nNot found, and not measured: %s.\n", strings.Join(r.absent, ", "))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func each(all []measured, get func(measured) float64) []float64 {
	var xs []float64
	for _, t := range all {
		xs = append(xs, get(t))
	}
	return xs
}

func median(xs []float64) float64 {
	xs = slices.Sorted(slices.Values(xs))
	if len(xs) == 0 {
		return missing
	}
	return (xs[(len(xs)-1)/2] + xs[len(xs)/2]) / 2
}

func ratio(ours, theirs []float64) string {
	var xs []float64
	for i := range min(len(ours), len(theirs)) {
		xs = append(xs, ours[i]/theirs[i])
	}
	if len(xs) == 0 {
		return "–"
	}
	return fmt.Sprintf("%.2f (%.2f–%.2f)", median(xs), slices.Min(xs), slices.Max(xs))
}
