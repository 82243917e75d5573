package trials

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/internal/workload"
	"github.com/syncwrite/syncwrite/rivals/internal/logs"
)

// RivalPastLimits is rival-log once the page cache has taken all it takes
// without looking at the disk. Each trial appends more than the kernel's dirty
// limit before its window, in batches, since that is quicker.
func RivalPastLimits() harness.Experiment {
	payload := payloadFactor()
	payload.Default = "1024"
	e := harness.Experiment{
		Name:       "rival-past-limits",
		Question:   "What does an append cost once the log is larger than the kernel's dirty limit?",
		Unit:       "append",
		Factors:    []harness.Factor{payload, beforeFactor(), pagesFactor()},
		Goroutines: []int{1, 8},
	}
	for _, r := range logs.Rivals() {
		switch r.Name {
		case "file", "etcd", "prometheus":
			e.Variants = append(e.Variants, pastLimitsVariant(r))
		}
	}
	return e
}

// dirtyLimitLevel is the level of before that follows the machine.
const dirtyLimitLevel = "dirty-limit"

func beforeFactor() harness.Factor {
	return harness.Factor{
		Name: "before", About: "bytes of values appended before the window; dirty-limit: 1.25 times what the kernel lets wait in the page cache",
		Default: dirtyLimitLevel, Check: checkBefore,
	}
}

func checkBefore(level string) error {
	if level == dirtyLimitLevel {
		return nil
	}
	return harness.Between(1, 1<<40)(level)
}

func bytesBefore(level string) (int64, error) {
	if level != dirtyLimitLevel {
		return strconv.ParseInt(level, 10, 64)
	}
	limit, err := dirtyLimit()
	return limit + limit/4, err
}

// A batcher appends a value many times as one batch.
type batcher interface {
	logs.Appender
	Repeat(value []byte, times int) error
}

// pastLimitsVariant throws the log away before closing it: the flush of what
// nobody needs would take longer than the window. That the entries are there is
// what the check of rival-log finds out.
func pastLimitsVariant(r logs.Rival) harness.Variant {
	return harness.Variant{Name: r.Name, About: r.About, Promise: r.Promise, Open: func(s harness.Setup) (harness.Instance, error) {
		log, err := r.Open(s.Dir, s.Goroutines)
		if err != nil {
			return harness.Instance{}, err
		}
		throw := func() error { return errors.Join(discardAll(s.Dir), log.Close()) }
		if err := fillUpBeside(log.(batcher), s); err != nil {
			return harness.Instance{}, errors.Join(err, throw())
		}
		value := workload.Payload(s)
		return harness.Instance{
			Worker: func(int) harness.Operation { return func() error { return log.Append(value) } },
			Close:  throw,
		}, nil
	}}
}

// fillUpBeside appends what is to be there before the window, beside the memory
// of the window's pages: that is given back when all is appended, so that the
// window begins with warm pages and with as much waiting for the disk as ever.
func fillUpBeside(log batcher, s harness.Setup) error {
	before, err := bytesBefore(s.Factors["before"])
	if err != nil {
		return err
	}
	release, err := holdPages(s)
	if err != nil {
		return err
	}
	return errors.Join(fillUp(log, workload.Payload(s), before), release())
}

// fillUp appends at least so many bytes of values, about 1 MiB at a time.
func fillUp(log batcher, value []byte, bytes int64) error {
	if len(value) == 0 {
		return errors.New("no payload, however often, passes a limit")
	}
	times := 1<<20/len(value) + 1
	for appended := int64(0); appended < bytes; appended += int64(times * len(value)) {
		if err := log.Repeat(value, times); err != nil {
			return fmt.Errorf("after %d bytes: %w", appended, err)
		}
	}
	return nil
}

// discardAll drops the content of every file below dir, so that nothing of it
// is left to be written to the disk.
func discardAll(dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		return discard(path)
	})
}

// PastLimitsRivals are those that make table measures: the best of them, since
// a trial takes 10 to 40 seconds.
func PastLimitsRivals() []string { return []string{"prometheus"} }
