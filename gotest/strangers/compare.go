package main

import (
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"

	"github.com/syncwrite/syncwrite/results"
)

// ran is what one run of go test said.
type ran struct {
	Exit  int
	Lines map[string]map[string][]float64 // by benchmark, by unit, a value a repetition
	Bad   int                             // lines that are not the benchmark format
}

// pair is one module run both ways.
type pair struct {
	Stranger    stranger
	Stock, Ours ran
}

func parse(output string, err error) (ran, error) {
	r := ran{Lines: map[string]map[string][]float64{}}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		r.Exit = exit.ExitCode()
	} else if err != nil {
		return r, err
	}
	in := benchfmt.NewReader(strings.NewReader(output), "go test")
	for in.Scan() {
		switch line := in.Result().(type) {
		case *benchfmt.SyntaxError:
			r.Bad++
		case *benchfmt.Result:
			r.take(line)
		}
	}
	return r, in.Err()
}

func (r *ran) take(line *benchfmt.Result) {
	name := string(line.Name)
	if pkg := line.GetConfig("pkg"); pkg != "" {
		name = pkg + " " + name
	}
	if r.Lines[name] == nil {
		r.Lines[name] = map[string][]float64{}
	}
	for _, v := range line.Values {
		value, unit := v.Value, v.Unit
		if v.OrigUnit != "" {
			value, unit = v.OrigValue, v.OrigUnit
		}
		r.Lines[name][unit] = append(r.Lines[name][unit], value)
	}
}

// parallel counts the benchmarks that ran in parallel.
func (p pair) parallel() (n int) {
	for _, units := range p.Ours.Lines {
		if len(units["goroutines"]) > 0 {
			n++
		}
	}
	return n
}

// same says in a word whether both runs did the same.
func (p pair) same() string {
	switch {
	case p.Stock.Exit != p.Ours.Exit:
		return fmt.Sprintf("no: exit codes %d and %d", p.Stock.Exit, p.Ours.Exit)
	case p.Ours.Bad > p.Stock.Bad:
		return fmt.Sprintf("no: %d lines do not parse", p.Ours.Bad)
	}
	for name, units := range p.Stock.Lines {
		if len(p.Ours.Lines[name]["ops/s"]) == 0 && len(units["ns/op"]) > 0 {
			return "no: no " + name
		}
	}
	if len(p.Stock.Lines) != len(p.Ours.Lines) {
		return fmt.Sprintf("no: %d and %d benchmarks", len(p.Stock.Lines), len(p.Ours.Lines))
	}
	if p.Stock.Exit != 0 {
		return fmt.Sprintf("yes (both fail: %d)", p.Stock.Exit)
	}
	return "yes"
}

func (p pair) line() string {
	return fmt.Sprintf("%s %s: %d benchmarks, %d parallel, alike: %s", p.Stranger.name(), p.Stranger.Version, len(p.Ours.Lines), p.parallel(), p.same())
}

// A turn is a benchmark whose ns/op falls with GOMAXPROCS under go test, and
// whose wall-ns/op does in our run, while its operations take longer.
type turn struct {
	name                 string
	wall, honest         [2]float64 // medians of wall-ns/op and ns/op of one run, at 1 and 2 processors
	throughput, slowdown float64
}

// clearly is how far every repetition must lie from every other.
const clearly = 1.1

// turns finds them, the greatest slowdown first.
func (p pair) turns() []turn {
	var all []turn
	for name, two := range p.Ours.Lines {
		base, isTwo := strings.CutSuffix(name, "-2")
		one := p.Ours.Lines[base]
		stockOne, stockTwo := p.Stock.Lines[base]["ns/op"], p.Stock.Lines[name]["ns/op"]
		if !isTwo || len(two["goroutines"]) == 0 || len(one["ns/op"]) == 0 || len(stockOne) == 0 || len(stockTwo) == 0 {
			continue
		}
		wallOne, wallTwo := one["wall-ns/op"], two["wall-ns/op"]
		faster := slices.Min(stockOne) > clearly*slices.Max(stockTwo) && slices.Min(wallOne) > clearly*slices.Max(wallTwo)
		slower := slices.Min(two["ns/op"]) > clearly*slices.Max(one["ns/op"])
		if faster && slower {
			t := turn{name: base, wall: [2]float64{median(wallOne), median(wallTwo)}, honest: [2]float64{median(one["ns/op"]), median(two["ns/op"])}}
			t.throughput, t.slowdown = t.wall[0]/t.wall[1], t.honest[1]/t.honest[0]
			all = append(all, t)
		}
	}
	slices.SortFunc(all, func(a, b turn) int {
		if a.slowdown > b.slowdown {
			return -1
		}
		return 1
	})
	return all
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}

func writeTables(w io.Writer, all []pair, s settings) error {
	var b strings.Builder
	fmt.Fprintf(&b, "<!-- made by go run ./gotest/strangers -benchtime %s -count %d; %s -->\n\n", s.time, s.count, runtime.Version())
	b.WriteString("| module | version | benchmarks | parallel | as under go test |\n|---|---|---|---|---|\n")
	for _, p := range all {
		version := p.Stranger.Version
		if version == "" {
			version = runtime.Version()
		}
		fmt.Fprintf(&b, "| %s | %s | %d | %d | %s |\n", p.Stranger.name(), version, len(p.Ours.Lines), p.parallel(), p.same())
	}
	b.WriteString("\nWhere the conclusion turns around: from 1 to 2 processors wall time ÷ N, what go test calls ns/op, falls, and operations take longer (all of one run; go test's own run agrees).\n\n")
	b.WriteString("| benchmark | wall-ns/op | ns/op: an operation took | throughput |\n|---|---|---|---|\n")
	for _, p := range all {
		for _, t := range p.turns()[:min(4, len(p.turns()))] {
			fmt.Fprintf(&b, "| %s %s | %s → %s | %s → %s | × %s |\n", p.Stranger.name(), short(t.name),
				ns(t.wall[0]), ns(t.wall[1]), ns(t.honest[0]), ns(t.honest[1]), results.Number(t.throughput).Three())
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func ns(v float64) string { return results.Number(v).Nanoseconds() }

// short is a benchmark's name without its package.
func short(name string) string {
	_, after, found := strings.Cut(name, " ")
	if !found {
		return name
	}
	return after
}
