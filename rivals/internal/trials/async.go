package trials

import (
	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/rivals/internal/logs"
	"github.com/syncwrite/syncwrite/subject/commitlog"
)

// RivalAsync is our file log with an Async before it, against the same without.
// The window of async ends when the file has everything that was accepted.
func RivalAsync() harness.Experiment {
	e := harness.Experiment{
		Name:       "rival-async",
		Question:   "What does an Async before the file log gain, its flush included?",
		Unit:       "append",
		Factors:    []harness.Factor{payloadFactor()},
		Goroutines: []int{1, 4, 8, 64},
	}
	for _, r := range append(logs.Ours(),
		asyncBefore("async", "OpenFile, which takes entries at once: nothing is queued", commitlog.None),
		asyncBefore("async-durable", "OpenFile, Durability Always, through a queue", commitlog.Always)) {
		e.Variants = append(e.Variants, r.Variant())
	}
	return e
}

func asyncBefore(name, log string, durability commitlog.Durability) logs.Rival {
	return logs.Rival{Name: name, About: "ours: commitlog.NewAsync over " + log + "; the rate is the flushed one",
		Promise: logs.Ordered(logs.Nothing), Open: openAsync(durability), Scan: logs.ScanOurs}
}

type asyncLog struct{ *commitlog.Async }

func (l asyncLog) Append(value []byte) error {
	_, err := l.Async.Append(value)
	return err
}

// Finish is what makes the log a finisher.
func (l asyncLog) Finish() error { return l.Flush() }

func openAsync(durability commitlog.Durability) func(dir string, _ int) (logs.Appender, error) {
	return func(dir string, _ int) (logs.Appender, error) {
		file, err := commitlog.OpenFile(logs.Within(dir), commitlog.FileOptions{Durability: durability})
		if err != nil {
			return nil, err
		}
		return asyncLog{commitlog.NewAsync(file, commitlog.AsyncOptions{})}, nil
	}
}
