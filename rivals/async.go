package main

import (
	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/subject/commitlog"
)

// rivalAsync is our file log with an Async before it, against the same without.
// The window of async ends when the file has everything that was accepted.
func rivalAsync() harness.Experiment {
	e := harness.Experiment{
		Name:       "rival-async",
		Question:   "What does an Async before the file log gain, its flush included?",
		Unit:       "append",
		Factors:    []harness.Factor{payloadFactor()},
		Goroutines: []int{1, 4, 8, 64},
	}
	for _, r := range append(ours(),
		asyncBefore("async", "OpenFile, which takes entries at once: nothing is queued", commitlog.None),
		asyncBefore("async-durable", "OpenFile, Durability Always, through a queue", commitlog.Always)) {
		e.Variants = append(e.Variants, r.variant())
	}
	return e
}

func asyncBefore(name, log string, durability commitlog.Durability) rival {
	return rival{name, "ours: commitlog.NewAsync over " + log + "; the rate is the flushed one", ordered(nothing), openAsync(durability), scanOurs}
}

type asyncLog struct{ *commitlog.Async }

func (l asyncLog) Append(value []byte) error {
	_, err := l.Async.Append(value)
	return err
}

// Finish is what makes the log a finisher.
func (l asyncLog) Finish() error { return l.Flush() }

func openAsync(durability commitlog.Durability) func(dir string, _ int) (appender, error) {
	return func(dir string, _ int) (appender, error) {
		file, err := commitlog.OpenFile(within(dir), commitlog.FileOptions{Durability: durability})
		if err != nil {
			return nil, err
		}
		return asyncLog{commitlog.NewAsync(file, commitlog.AsyncOptions{})}, nil
	}
}
