package experiments

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"sync"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/internal/workload"
)

// A plainMap has no guard.
type plainMap map[uint64]uint64

func (m plainMap) Load(key uint64) (uint64, bool) { value, found := m[key]; return value, found }

func (m plainMap) Store(key, value uint64) { m[key] = value }

// observePlainMap uses a plain map in a child process and tells how that ended.
func observePlainMap(s harness.Setup) (harness.Observation, error) {
	command, err := childCommand(s.Context, childOrder{
		Work: "map", Goroutines: s.Goroutines, Ops: s.Ops, Seed: s.Seed, Factors: s.Factors,
	})
	if err != nil {
		return harness.Observation{}, err
	}
	out, words := new(bytes.Buffer), new(bytes.Buffer)
	command.Stdout, command.Stderr = out, words
	err = command.Run()
	if greeted := greet(out); greeted != nil {
		return harness.Observation{}, greeted
	}
	return ending(err, words.String(), s.Ops)
}

// ending reads how a child ended: on its own, by the runtime, or by something
// that is no finding but a failure.
func ending(err error, words string, ops int) (harness.Observation, error) {
	if err == nil {
		return harness.Observation{Text: fmt.Sprintf("all %d operations were done, and nothing noticed", ops)}, nil
	}
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return harness.Observation{}, err
	}
	for line := range strings.Lines(words) {
		if strings.HasPrefix(line, "fatal error: ") || strings.HasPrefix(line, "panic: ") {
			return harness.Observation{Ended: true, Text: fmt.Sprintf("%s (%v)", strings.TrimSpace(line), exit)}, nil
		}
	}
	first, _, _ := strings.Cut(words, "\n")
	return harness.Observation{}, fmt.Errorf("child: %w: %s", err, first)
}

// plainMapWork is what the child does: all goroutines use one map, from a
// barrier on. What they return does not matter, since nothing that the map
// answers can be relied on.
func plainMapWork(order childOrder) error {
	w, err := workload.NewMapTrial(harness.Setup{
		Goroutines: order.Goroutines, Ops: order.Ops, Seed: order.Seed, Factors: order.Factors,
	})
	if err != nil {
		return err
	}
	m := plainMap{}
	w.Fill(m)
	barrier := make(chan struct{})
	var ready, finished sync.WaitGroup
	for g := range order.Goroutines {
		operation := w.Operation(g, m)
		ready.Add(1)
		finished.Go(func() {
			ready.Done()
			<-barrier
			for range order.Ops / order.Goroutines {
				operation()
			}
		})
	}
	ready.Wait()
	close(barrier)
	finished.Wait()
	return nil
}
