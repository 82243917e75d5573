package trials

import (
	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/rivals/internal/logs"
	"github.com/syncwrite/syncwrite/subject/commitlog"
)

// RivalAsync is our durable log with a queue before it, against the same without.
// The window ends when all that was accepted is safe.
func RivalAsync() harness.Experiment {
	e := harness.Experiment{
		Name:       "rival-async",
		Question:   "What does a queue before the durable log gain, its flush included?",
		Unit:       "append",
		Factors:    []harness.Factor{payloadFactor()},
		Goroutines: []int{1, 4, 8, 64},
	}
	queued := logs.Rival{Name: "async-durable", About: "ours: commitlog.NewAsync over OpenFile, Durability Always; the rate is the flushed one",
		Promise: logs.Ordered(logs.Nothing), Open: openAsync, Scan: logs.ScanOurs}
	for _, r := range logs.Ours() {
		if r.Promise.Survives == logs.PowerCut {
			e.Variants = append(e.Variants, r.Variant(), queued.Variant())
		}
	}
	return e
}

type asyncLog struct{ *commitlog.Async }

func (l asyncLog) Append(value []byte) error {
	_, err := l.Async.Append(value)
	return err
}

// Finish is what makes the log a finisher.
func (l asyncLog) Finish() error { return l.Flush() }

func openAsync(dir string, _ int) (logs.Appender, error) {
	file, err := commitlog.OpenFile(logs.Within(dir), commitlog.FileOptions{Durability: commitlog.Always})
	if err != nil {
		return nil, err
	}
	return asyncLog{commitlog.NewAsync(file, commitlog.AsyncOptions{})}, nil
}
