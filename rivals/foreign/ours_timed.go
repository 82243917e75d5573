package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/syncwrite/syncwrite/subject/commitlog"
)

// timed takes the time of the appends, then reads the log again: each of them
// must be there.
func (o oursTrial) timed() error {
	log, err := o.open()
	if err != nil {
		return err
	}
	wall, err := o.window(log)
	if err := errors.Join(err, log.Close()); err != nil {
		return err
	}
	found := 0
	err = oursScan(o.dir, func(value []byte) error {
		found++
		if len(value) != o.payload {
			return fmt.Errorf("a value has %d bytes", len(value))
		}
		return nil
	})
	if err == nil && found != o.ops+o.warmup {
		err = fmt.Errorf("the log holds %d values after %d appends", found, o.ops+o.warmup)
	}
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(timing{Ops: o.ops, WallNS: wall.Nanoseconds(), Threads: o.threads})
}

// A span is when a goroutine left the barrier and when it was done.
type span struct {
	begin, end time.Time
	err        error
}

// window is the time from the barrier to the last finish: from the first
// goroutine that left the barrier to the last that was done.
func (o oursTrial) window(log *commitlog.File) (time.Duration, error) {
	spans := make([]span, o.threads)
	barrier := make(chan struct{})
	var ready, done sync.WaitGroup
	ready.Add(o.threads)
	for i := range spans {
		done.Go(func() { spans[i] = o.oneThread(log, i, ready.Done, barrier) })
	}
	ready.Wait()
	close(barrier)
	done.Wait()
	return wall(spans)
}

func (o oursTrial) oneThread(log *commitlog.File, i int, ready func(), barrier <-chan struct{}) span {
	value := o.value()
	var s span
	s.err = appendTimes(log, value, share(o.warmup, o.threads, i))
	ready()
	<-barrier
	s.begin = time.Now()
	s.err = errors.Join(s.err, appendTimes(log, value, share(o.ops, o.threads, i)))
	s.end = time.Now()
	return s
}

func appendTimes(log *commitlog.File, value []byte, times int) error {
	for range times {
		if _, err := log.Append(value); err != nil {
			return err
		}
	}
	return nil
}

// share is how many of so many operations fall to thread i.
func share(of, threads, i int) int {
	n := of / threads
	if i < of%threads {
		n++
	}
	return n
}

func wall(spans []span) (time.Duration, error) {
	if len(spans) == 0 {
		return 0, errors.New("no threads")
	}
	first, last := spans[0].begin, spans[0].end
	var err error
	for _, s := range spans {
		if s.begin.Before(first) {
			first = s.begin
		}
		if s.end.After(last) {
			last = s.end
		}
		err = errors.Join(err, s.err)
	}
	return last.Sub(first), err
}
