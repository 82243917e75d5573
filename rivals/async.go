package main

import (
	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/subject/commitlog"
)

// rivalAsync is our file log with a queue before it, against the same without.
// The window of async ends when the file has everything that was accepted.
func rivalAsync() harness.Experiment {
	file := ours()[0]
	async := rival{"async", "ours: commitlog.NewAsync over OpenFile; the rate is the flushed one", ordered(nothing), openAsync, scanOurs}
	return harness.Experiment{
		Name:       "rival-async",
		Question:   "Does a queue before the file log make it faster, its flush included?",
		Unit:       "append",
		Factors:    []harness.Factor{payloadFactor()},
		Goroutines: []int{1, 4, 8, 64},
		Variants:   []harness.Variant{file.variant(), async.variant()},
	}
}

type asyncLog struct{ *commitlog.Async }

func (l asyncLog) Append(value []byte) error {
	_, err := l.Async.Append(value)
	return err
}

// Finish is what makes the log a finisher.
func (l asyncLog) Finish() error { return l.Flush() }

func openAsync(dir string, _ int) (appender, error) {
	file, err := commitlog.OpenFile(within(dir), commitlog.FileOptions{})
	if err != nil {
		return nil, err
	}
	return asyncLog{commitlog.NewAsync(file, commitlog.AsyncOptions{})}, nil
}
