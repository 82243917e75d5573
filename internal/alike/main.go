// Command alike measures one program again and again and holds each run to each: whatever compare
// calls different is a false alarm. Then it plants a slowdown into the records of runs of their own, one
// variant at a time, and holds those to the first: which thresholds fail, and which should. It does the same
// to pairs of runs whose trials took turns.
//
// Runs that are complete in its folder are not measured again, so that it goes on where it was
// ended. Nothing else heavy may run meanwhile.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"time"
)

func main() {
	var p plan
	flag.StringVar(&p.dir, "dir", "tmp.alike", "folder of the runs")
	flag.IntVar(&p.runs, "runs", 10, "runs that are held to each other; 0: pairs in turns alone")
	flag.IntVar(&p.slowed, "slowed", 4, "runs that a slowdown is planted in")
	flag.IntVar(&p.baselines, "baselines", 5, "of the runs, those that the slowed ones are held to")
	flag.Float64Var(&p.drop, "drop", 0.05, "largest drop that passes")
	flag.Float64Var(&p.slower, "slower", 0.1, "slowdown that is planted")
	flag.StringVar(&p.words, "run", "log --trials 12 --processes 12", "what syncwrite run is told")
	flag.IntVar(&p.turns, "turns", 3, "pairs of runs whose trials take turns")
	flag.StringVar(&p.inTurns, "run-turns", "log --time 130ms --fail-above 5%", "what syncwrite run --against is told for these")
	out := flag.String("o", "", "file to write what came out to, too")
	flag.Parse()
	if err := p.check(); err != nil || flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "alike:", err, flag.Args())
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := p.all(ctx, *out); err != nil {
		fmt.Fprintln(os.Stderr, "alike:", err)
		os.Exit(1)
	}
}

// A plan is what is measured and planted.
type plan struct {
	dir                     string
	runs, slowed, baselines int
	drop, slower            float64
	words                   string
	turns                   int
	inTurns                 string
}

func (p plan) check() error {
	switch {
	case p.turns < 0:
		return fmt.Errorf("%d pairs in turns: at least 0", p.turns)
	case p.runs == 0 && p.turns > 0: // these alone
	case p.runs < 2 || p.slowed < 0 || p.baselines < 1 || p.baselines > p.runs:
		return fmt.Errorf("%d runs, %d slowed, %d baselines: at least 2, 0 and 1, and no more baselines than runs", p.runs, p.slowed, p.baselines)
	case !(p.drop > 0 && p.drop < 1 && p.slower > 0 && p.slower < 1):
		return fmt.Errorf("a drop of %v and a slowdown of %v: between 0 and 1", p.drop, p.slower)
	}
	return nil
}

// all measures what is not there yet, and says what came out.
func (p plan) all(ctx context.Context, out string) error {
	var text strings.Builder
	if p.runs > 0 {
		if err := p.behind(ctx, &text); err != nil {
			return err
		}
	}
	if p.turns > 0 {
		if err := p.turned(ctx, &text); err != nil {
			return err
		}
	}
	if _, err := io.WriteString(os.Stdout, text.String()); err != nil || out == "" {
		return err
	}
	return os.WriteFile(out, []byte(text.String()), 0o644)
}

// behind says what came of runs that were measured one behind the other.
func (p plan) behind(ctx context.Context, text io.Writer) error {
	all, took, err := p.record(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(text, "`syncwrite run %s`, %d times, on %s: up to %.0f s a run\n\n", p.words, len(all), all[0].Envs[0].Start.UTC().Format(time.DateOnly), took.Seconds())
	p.alike(text, each(all[:p.runs]))
	p.planted(text, across(all[:p.baselines], all[p.runs:]))
	return nil
}

// turned says what came of pairs of runs that took turns.
func (p plan) turned(ctx context.Context, text io.Writer) error {
	pairs, took, err := p.recordTurns(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(text, "\n`syncwrite run %s --against` the same program, %d times, on %s: up to %.0f s a pair\n\n", p.inTurns, len(pairs), pairs[0].newer.Envs[0].Start.UTC().Format(time.DateOnly), took.Seconds())
	p.alike(text, pairs)
	p.planted(text, pairs)
	return nil
}
