package trials

import (
	"bytes"
	"errors"
	"fmt"
	"os"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/internal/workload"
	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/rivals/internal/logs"
	"github.com/syncwrite/syncwrite/subject/commitlog"
)

// RivalShare sets our durable log beside what one durable append takes at
// least. N appenders who shared every flush would do N times as many.
func RivalShare() harness.Experiment {
	return harness.Experiment{
		Name:     "rival-share",
		Question: "What part of N times one prepared append and fdatasync does our durable log reach?",
		Unit:     "append",
		Limits: []results.Limit{
			{Experiment: "rival-limits", Variant: "prepared", About: "one prepared append and fdatasync at a time, which a shared flush does for many"},
			{Experiment: "rival-limits", Variant: "batch", About: "64 entries at a time as one batch, which makes a shared flush and wakes nobody"},
		},
		Factors:    []harness.Factor{payloadFactor()},
		Goroutines: []int{8, 64},
		Variants:   []harness.Variant{logs.Ours()[1].Variant()},
	}
}

// RivalLimits is what one durable append takes at least: a write into a file
// that needs to grow no more, and an fdatasync; and what 64 that share a flush
// take, if nobody is woken by it. It is of one goroutine always: nothing keeps
// two from each other.
func RivalLimits() harness.Experiment {
	return harness.Experiment{
		Name:       "rival-limits",
		Question:   "What does one durable append take at least, and one batch of 64?",
		Unit:       "append",
		Factors:    []harness.Factor{payloadFactor()},
		Goroutines: []int{1},
		Fixed:      true,
		Variants:   []harness.Variant{preparedVariant(), batchVariant()},
	}
}

func preparedVariant() harness.Variant {
	return harness.Variant{
		Name: "prepared", About: "the bytes of our record written into a zero-filled, flushed file, then fdatasync",
		Promise: logs.Ordered(logs.PowerCut),
		Open: func(s harness.Setup) (harness.Instance, error) {
			p, err := prepare(logs.Within(s.Dir), recordOf(workload.Payload(s)), s.Ops)
			if err != nil {
				return harness.Instance{}, err
			}
			return harness.Instance{
				Worker: func(int) harness.Operation { return p.append },
				Check:  func(ops int) error { return p.holds(ops) },
				Close:  p.file.Close,
			}, nil
		},
	}
}

// Batched is how many entries the limit batch has in a batch: as many as the most
// appenders put into one flush.
const Batched = 64

// batchVariant counts a batch as one append.
func batchVariant() harness.Variant {
	about := "ours: 64 values in one AppendBatch of a durable log, counted as one append; with its zeros for the next ones"
	return logs.Rival{Name: "batch", About: about, Promise: logs.Ordered(logs.PowerCut), Open: openBatches, Scan: logs.ScanOurs}.VariantOf(Batched)
}

type batchLog struct{ logs.OurLog }

func (l batchLog) Append(value []byte) error { return l.Repeat(value, Batched) }

func openBatches(dir string, _ int) (logs.Appender, error) {
	log, err := commitlog.OpenFile(logs.Within(dir), commitlog.FileOptions{Durability: commitlog.Always})
	return batchLog{logs.OurLog{File: log}}, err
}

// recordOf is as long as the record that our log writes for a value.
func recordOf(value []byte) []byte {
	return bytes.Repeat([]byte{'r'}, recordSize(len(value)))
}

// recordSize is what our log's documentation says: 12 bytes more than the
// value, rounded up to a multiple of eight.
func recordSize(payload int) int { return (payload + 12 + 7) &^ 7 }

// prepared is a file whose space is all there before the first append.
type prepared struct {
	file   *os.File
	record []byte
	end    int64
}

// prepare makes the file, for so many records.
func prepare(path string, record []byte, records int) (*prepared, error) {
	file, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	_, err = file.Write(make([]byte, len(record)*records))
	if err := errors.Join(err, file.Sync()); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &prepared{file: file, record: record}, nil
}

func (p *prepared) append() error {
	if _, err := p.file.WriteAt(p.record, p.end); err != nil {
		return err
	}
	p.end += int64(len(p.record))
	return dataSync(p.file)
}

func (p *prepared) holds(records int) error {
	got, err := os.ReadFile(p.file.Name())
	if err == nil && !bytes.Equal(got, bytes.Repeat(p.record, records)) {
		err = fmt.Errorf("the file does not hold %d records", records)
	}
	return err
}
