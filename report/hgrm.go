package report

import (
	"bufio"
	"fmt"
	"io"
	"math"

	"github.com/syncwrite/syncwrite/results"
)

// A Distribution is the latencies of one cell, those of all its trials.
type Distribution struct {
	Name string // of its file, without ending; lower case, digits and dashes; that of no other
	cell results.Summary
}

// Distributions are those of a report's cells, in its order. A cell whose trials have no
// histograms has none.
func Distributions(r *results.Report) []Distribution {
	var cells []results.Summary
	var names []string
	for _, f := range r.Findings {
		for _, s := range f.Summaries {
			if s.Hist != nil && s.Hist.Count() > 0 {
				cells, names = append(cells, s), append(names, s.Cell().Name())
			}
		}
	}
	var all []Distribution
	for i, name := range fileNames(names) {
		all = append(all, Distribution{name, cells[i]})
	}
	return all
}

// Hgrm writes a distribution in the text format of HdrHistogram, in milliseconds: for
// each step of the histogram its highest value, the share of operations up to it, how
// many those are, and 1 ÷ (1 − share). Of sampled operations it is the samples.
func (d Distribution) Hgrm(w io.Writer) error {
	s, out := d.cell, bufio.NewWriter(w)
	total, sum, squares := s.Hist.Count(), uint64(0), 0.0
	fmt.Fprintf(out, "#[%s, %s]\n", results.OneLine(s.Cell().Name()), results.Count(int(total), "operation")+" timed")
	fmt.Fprintf(out, "%14s %14s %10s %14s\n\n", "Value", "Percentile", "TotalCount", "1/(1-Percentile)")
	for b := range s.Hist.Buckets() {
		sum += b.Count
		off := float64(b.Low)/2 + float64(b.High)/2 - s.Hist.Mean()
		squares += off * off * float64(b.Count)
		share := float64(sum) / float64(total)
		beyond := "inf"
		if sum < total {
			beyond = fmt.Sprintf("%.2f", 1/(1-share))
		}
		fmt.Fprintf(out, "%14.6f %14.12f %10d %14s\n", float64(b.High)/1e6, share, sum, beyond)
	}
	fmt.Fprintf(out, "#[Mean    = %12.6f, StdDeviation   = %12.6f]\n", s.Hist.Mean()/1e6, math.Sqrt(squares/float64(total))/1e6)
	fmt.Fprintf(out, "#[Max     = %12.6f, Total count    = %12d]\n", float64(s.Hist.Max())/1e6, total)
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write histogram: %w", err)
	}
	return nil
}
