package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"github.com/syncwrite/syncwrite/stats"
)

// A row is a cell that was measured.
type row struct {
	cell   cell
	ours   []float64
	theirs map[string][]float64
	best   string // the rival that leaves our ratio worst
	value  stats.Interval
}

// measure measures all cells, block by block: in each, every log has its turn, in an
// order that goes round.
func (o options) measure() ([]row, error) {
	var rows []row
	for _, c := range chosen(o.only) {
		fmt.Fprintln(os.Stderr, "cold:", c.Name)
		r := row{cell: c, theirs: map[string][]float64{}}
		all := append([]string{c.ours}, c.rivals...)
		for b := range o.blocks {
			for i := range all {
				log := all[(b+i)%len(all)]
				got, err := o.one(c.trial, log)
				if err != nil {
					return nil, fmt.Errorf("%s, %s: %w", c.Name, log, err)
				}
				if log == c.ours {
					r.ours = append(r.ours, got)
				} else {
					r.theirs[log] = append(r.theirs[log], got)
				}
			}
		}
		r.judge()
		rows = append(rows, r)
	}
	return rows, nil
}

// one measures one trial in a process and a directory of its own. Behind it nothing
// waits for the disk.
func (o options) one(t trial, log string) (got float64, err error) {
	if t.Dir, err = os.MkdirTemp(o.dir, "cold-"); err != nil {
		return 0, err
	}
	defer os.RemoveAll(t.Dir)
	if t.Dir, err = filepath.Abs(t.Dir); err != nil {
		return 0, err
	}
	t.Log, t.Window = log, o.window
	c, err := t.command()
	if err != nil {
		return 0, err
	}
	out, err := c.Output()
	if err != nil {
		return 0, err
	}
	if err := os.RemoveAll(t.Dir); err != nil {
		return 0, err
	}
	syscall.Sync()
	return got, json.NewDecoder(bytes.NewReader(out)).Decode(&got)
}

func (t trial) words() string {
	text, err := json.Marshal(t)
	if err != nil {
		panic(err) // it has numbers and words alone
	}
	return string(text)
}

// judge finds the rival that counts.
func (r *row) judge() {
	if r.cell.kind == figure {
		r.value = stats.MedianInterval(r.ours, confidence)
		return
	}
	for _, name := range r.cell.rivals {
		value := stats.PairedRatio(r.ours, r.theirs[name], confidence)
		if r.best == "" || r.worse(value.Median) {
			r.best, r.value = name, value
		}
	}
}

func (r *row) worse(median float64) bool {
	if r.cell.kind == quotient {
		return median > r.value.Median
	}
	return median < r.value.Median
}

const confidence = 0.95

const (
	holds   = "holds"
	doubt   = "at its threshold"
	fails   = "fails"
	reaches = "goal"
)

// verdict says whether the must holds: on the whole interval, on a part, or on none.
func (r row) verdict() string {
	low, high, must, goal := r.value.Low, r.value.High, r.cell.must, r.cell.goal
	if r.cell.kind != ratio { // less is better
		low, high, must, goal = -high, -low, -must, -goal
	}
	switch {
	case must == 0:
		return ""
	case low >= goal:
		return reaches
	case low >= must:
		return holds
	case high < must:
		return fails
	}
	return doubt
}
