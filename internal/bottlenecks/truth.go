package main

import (
	"embed"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/results"
)

// A bottleneck is an operation with the truth about it.
type bottleneck struct {
	name  string
	about string
	n     int      // goroutines
	kinds []string // any of which may come first: several where nobody can reckon it
	share float64  // of the kinds together; 0 where nobody can reckon it
	at    string   // the mark of the line where most of it is lost; empty where there is none
	open  func(harness.Setup) (harness.Instance, error)
}

// catalogue is all there are.
func catalogue() []bottleneck {
	return slices.Concat(locks(), libraryLocks(), channels(), conditions(), files(), network(), processors(), regimes(), collector())
}

// doing has each goroutine call a function.
func doing(op func(g int)) func(harness.Setup) (harness.Instance, error) {
	return func(harness.Setup) (harness.Instance, error) { return instance(op, nil), nil }
}

func instance(op func(g int), end func() error) harness.Instance {
	return harness.Instance{Close: end, Worker: func(g int) harness.Operation {
		return func() error { op(g); return nil }
	}}
}

//go:embed *.go
var source embed.FS

// lineOf is where a mark stands, as in "locks.go:12".
func lineOf(mark string) string {
	files, _ := source.ReadDir(".")
	for _, file := range files {
		text, _ := source.ReadFile(file.Name())
		if before, _, found := strings.Cut(string(text), "// at: "+mark+"\n"); found {
			return fmt.Sprintf("%s:%d", file.Name(), strings.Count(before, "\n")+1)
		}
	}
	return "no such line"
}

// What is made of a bottleneck.
const (
	right  = "right"
	silent = "silent"
	wrong  = "wrong"
)

// A judgement is what was told of a bottleneck, and whether it is so.
type judgement struct {
	bottleneck
	first, where string  // the largest part that is explained, and its first place
	share, left  float64 // of it, and of what is unexplained
	sum          float64 // of the kinds together
	call, why    string
	source       string
}

// near is how far a share may be off.
const near = 0.05

// judge holds what was told to the truth. Who is silent says no share.
func judge(b bottleneck, e results.Explanation) judgement {
	j := judgement{bottleneck: b, source: e.Source}
	for _, p := range e.Parts {
		share := float64(p.NS) / float64(max(e.TimeNS, 1))
		if slices.Contains(b.kinds, p.Kind) {
			j.sum += share
		}
		switch {
		case p.Kind == results.TimeUnknown:
			j.left = share
		case j.first == "" || share > j.share:
			j.first, j.share, j.where = p.Kind, share, ""
			if len(p.Places) > 0 {
				j.where = p.Places[0].Where
			}
		}
	}
	switch {
	case !e.Shares:
		j.call, j.why = silent, e.Text
		if slices.Contains(b.kinds, j.first) {
			j.why = "the order is right: " + e.Text
		}
	case j.left > j.share: // nobody knows of most of it, which is said
		j.call, j.why = silent, e.Text
	case !slices.Contains(b.kinds, j.first):
		j.call, j.why = wrong, "another kind"
	case b.at != "" && j.where != lineOf(b.at):
		j.call, j.why = wrong, fmt.Sprintf("at %s, not %s", j.where, lineOf(b.at))
	case b.share > 0 && (j.sum > b.share+near || j.sum < b.share-near-j.left):
		j.call, j.why = wrong, fmt.Sprintf("by %.0f points", 100*math.Abs(j.sum-b.share))
	default:
		j.call = right
	}
	return j
}
