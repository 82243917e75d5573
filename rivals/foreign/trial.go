package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/syncwrite/syncwrite/rivals/internal/memory"
)

// A trial is one timed window of a driver, a process of its own.
type trial struct {
	Record   string `json:"record"` // foreign-trial
	Driver   string `json:"driver"`
	Survives string `json:"survives"`
	Payload  int    `json:"payload"`
	Block    int    `json:"block"`
	timing
}

func (t trial) opsPerS() float64 { return float64(t.Ops) / (float64(t.WallNS) / 1e9) }

// A job is a driver in a cell, with as many operations as its windows need.
type job struct {
	driver driver
	cell   cell
	ops    int
}

// beforeWindow is how much memory a driver takes before its window: 246 MiB, the
// one in Java with its warm-up; the others take less.
const beforeWindow = 256 << 20 // bytes

// run makes a trial in a fresh directory within dir, with memory that was used a
// moment ago, as the trials of the Go logs have it.
func (j job) run(ctx context.Context, h home, dir string) (timing, error) {
	var t timing
	err := inFresh(dir, func(fresh string) error {
		c := j.cell
		if err := memory.Warm(beforeWindow + memory.Wanted(j.ops, c.payload)); err != nil {
			return fmt.Errorf("warm pages: %w", err)
		}
		warmup := j.driver.warmup(c.threads)
		out, err := j.driver.output(ctx, h, fresh, strconv.Itoa(c.threads), strconv.Itoa(c.payload), strconv.Itoa(j.ops), strconv.Itoa(warmup))
		if err != nil {
			return err
		}
		t, err = parseTiming(out, j.ops, c.threads)
		return err
	})
	if err != nil {
		err = fmt.Errorf("%v: %w", j.cell, err)
	}
	return t, err
}

const (
	firstOps = 200    // of a log on a disk
	fastOps  = 50_000 // of one in the page cache
	mostOps  = 1 << 24
)

// calibrate sets ops so that a window lasts about so long.
func (j *job) calibrate(ctx context.Context, h home, dir string, window time.Duration) error {
	j.ops = max(firstOps, 4*j.cell.threads)
	if j.cell.survives == processCrash {
		j.ops = fastOps
	}
	for range 8 {
		t, err := j.run(ctx, h, dir)
		if err != nil {
			return err
		}
		var enough bool
		if j.ops, enough = nextOps(t, window); enough {
			return nil
		}
	}
	return errors.New("calibration did not end: " + j.driver.name)
}

// nextOps is how many operations a window needs at the rate of t. A window that
// was far too short says little, so that t is not enough to go by.
func nextOps(t timing, window time.Duration) (ops int, enough bool) {
	times := float64(window.Nanoseconds()) / float64(t.WallNS)
	ops = min(int(float64(t.Ops)*min(times, 20)), mostOps)
	return max(ops, t.Threads), times < 4 || ops == mostOps
}
