package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"time"
)

// A measurement is what is run for the table.
type measurement struct {
	home             home
	dir              string // on the disk to measure
	drivers          []driver
	payloads, levels []int
	window           time.Duration
	blocks           int
	seed             uint64
}

// A plan is what a run is recorded with, so that its order can be repeated.
type plan struct {
	Record   string `json:"record"` // foreign-run
	Seed     uint64 `json:"seed"`
	Blocks   int    `json:"blocks"`
	WindowNS int64  `json:"window_ns"`
}

func (m measurement) plan() plan {
	return plan{"foreign-run", m.seed, m.blocks, m.window.Nanoseconds()}
}

// jobs are the cells of every driver whose promise is contested.
func (m measurement) jobs() []job {
	var all []job
	for _, c := range cells(m.payloads, m.levels) {
		for _, d := range m.drivers {
			if d.survives == c.survives && m.contested(c.survives) {
				all = append(all, job{driver: d, cell: c})
			}
		}
	}
	return all
}

// contested says whether a promise has a rival here.
func (m measurement) contested(survives string) bool {
	for _, d := range m.drivers {
		if d.survives == survives && !d.ours {
			return true
		}
	}
	return false
}

// run measures in randomised blocks, each of every job once, and hands over the
// trials as they are made.
func (m measurement) run(ctx context.Context, each func(trial) error) error {
	return inFresh(m.dir, func(dir string) error {
		jobs := m.jobs()
		if len(jobs) == 0 {
			say("nothing is left to measure")
			return nil
		}
		say("%d cells of %d drivers are calibrated; then %d blocks follow", len(jobs), len(m.drivers), m.blocks)
		for i := range jobs {
			if err := jobs[i].calibrate(ctx, m.home, dir, m.window); err != nil {
				return err
			}
		}
		random := rand.New(rand.NewPCG(m.seed, 0))
		for block := range m.blocks {
			begin := time.Now()
			random.Shuffle(len(jobs), func(i, j int) { jobs[i], jobs[j] = jobs[j], jobs[i] })
			if err := m.block(ctx, dir, block, jobs, each); err != nil {
				return err
			}
			say("block %d of %d took %v", block+1, m.blocks, time.Since(begin).Round(time.Second))
		}
		return nil
	})
}

func (m measurement) block(ctx context.Context, dir string, block int, jobs []job, each func(trial) error) error {
	for _, j := range jobs {
		t, err := j.run(ctx, m.home, dir)
		if err != nil {
			return fmt.Errorf("block %d: %w", block, err)
		}
		c := j.cell
		if err := each(trial{"foreign-trial", j.driver.name, c.survives, c.payload, block, t}); err != nil {
			return err
		}
	}
	return nil
}

// record makes a writer of JSON Lines; without a path it writes nothing.
func record(path string) (*os.File, error) {
	if path == "" {
		return os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	}
	return os.Create(path)
}
