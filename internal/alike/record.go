package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/syncwrite/syncwrite/results"
)

// record returns all runs, measured where they are not complete yet, and how long the longest took.
func (p plan) record(ctx context.Context) (all []*results.Run, longest time.Duration, err error) {
	program, err := p.program(ctx)
	if err != nil {
		return nil, 0, err
	}
	for i := range p.runs + p.slowed {
		file := filepath.Join(p.dir, fmt.Sprintf("%02d.jsonl", i+1))
		run, err := complete(file)
		if err == nil && run == nil {
			fmt.Fprintf(os.Stderr, "run %d of %d\n", i+1, p.runs+p.slowed)
			run, err = measure(ctx, program, p.words, file)
		}
		if err != nil {
			return nil, 0, fmt.Errorf("run %d: %w", i+1, err)
		}
		all = append(all, run)
		longest = max(longest, duration(run))
	}
	return all, longest, nil
}

// program is the one that measures, in a folder that it makes: built once, so that runs of one folder are of one program.
func (p plan) program(ctx context.Context) (string, error) {
	if err := os.MkdirAll(p.dir, 0o755); err != nil {
		return "", err
	}
	file, err := filepath.Abs(filepath.Join(p.dir, "syncwrite"))
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
		return file, err
	}
	build := exec.CommandContext(ctx, "go", "build", "-o", file, "./cmd/syncwrite")
	build.Stderr = os.Stderr
	return file, build.Run()
}

// recordTurns returns all pairs whose trials took turns, measured where they are not complete yet.
func (p plan) recordTurns(ctx context.Context) (all []pair, longest time.Duration, err error) {
	program, err := p.program(ctx)
	if err != nil {
		return nil, 0, err
	}
	for i := range p.turns {
		name := filepath.Join(p.dir, fmt.Sprintf("turns-%02d", i+1))
		older, err := complete(name + ".against.jsonl")
		if err != nil {
			return nil, 0, err
		}
		newer, err := complete(name + ".jsonl")
		if err == nil && (older == nil || newer == nil) {
			fmt.Fprintf(os.Stderr, "pair %d of %d\n", i+1, p.turns)
			os.Remove(name + ".jsonl")
			os.Remove(name + ".against.jsonl")
			if newer, err = measure(ctx, program, p.inTurns+" --against "+program, name+".jsonl"); err == nil {
				older, err = complete(name + ".against.jsonl")
			}
		}
		if err == nil && older == nil {
			err = errors.New("the older program's run is not complete")
		}
		if err != nil {
			return nil, 0, fmt.Errorf("pair %d: %w", i+1, err)
		}
		all = append(all, pair{older, newer})
		longest = max(longest, duration(newer)) // from the older one's begin to both ends
	}
	return all, longest, nil
}

func measure(ctx context.Context, program, told, file string) (*results.Run, error) {
	words := append([]string{"run"}, strings.Fields(told)...)
	c := exec.CommandContext(ctx, program, append(words, "--quiet", "-o", file)...)
	c.Stderr = os.Stderr
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	if err := c.Run(); err != nil && !judged(err) {
		return nil, err
	}
	run, err := complete(file)
	if err == nil && run == nil {
		err = errors.New("it is not complete")
	}
	return run, err
}

// judged reports that a program ended as one whose threshold failed, or cannot be told.
func judged(err error) bool {
	var exit *exec.ExitError
	return errors.As(err, &exit) && (exit.ExitCode() == 3 || exit.ExitCode() == 4)
}

// complete is the run of a file; nil if it is not there, or was ended early, which removes it.
func complete(file string) (*results.Run, error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	run, err := results.Read(bytes.NewReader(text), file)
	early := func(e results.End) bool { return e.Status != results.Complete }
	if err != nil || len(run.Ends) == 0 || slices.ContainsFunc(run.Ends, early) {
		return nil, os.Remove(file)
	}
	return run, nil
}

// duration is how long the parts of a run took together.
func duration(run *results.Run) (all time.Duration) {
	for _, end := range run.Ends {
		all += time.Duration(end.WallNS)
	}
	return all
}
