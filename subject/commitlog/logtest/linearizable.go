package logtest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/syncwrite/syncwrite/subject/commitlog"
)

const (
	clients             = 16
	operationsPerClient = 200
	checkTimeout        = 30 * time.Second
)

// errNotLinearizable is what CheckLinearizable says of a history that no
// sequential log could have produced.
var errNotLinearizable = errors.New("history is not linearizable")

// An input is one call: an append of a value, or a get of an index.
type input struct {
	get   bool
	value string
	index uint64
}

// An output is what the call returned.
type output struct {
	index uint64
	value string
	found bool
}

// CheckLinearizable runs appends and gets of many clients on an empty log,
// records when each began and ended, and has porcupine look for one order of
// them that a sequential log would have answered alike. Finding none fails,
// and so does finding no answer in 30 seconds.
func CheckLinearizable(log commitlog.Log) error {
	start := time.Now()
	histories, errs := make([][]porcupine.Operation, clients), make([]error, clients)
	var group sync.WaitGroup
	for c := range clients {
		group.Go(func() { histories[c], errs[c] = drive(log, c, start) })
	}
	group.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	switch porcupine.CheckOperationsTimeout(sequentialLog(), slices.Concat(histories...), checkTimeout) {
	case porcupine.Ok:
		return nil
	case porcupine.Illegal:
		return errNotLinearizable
	}
	return fmt.Errorf("linearizability is still unknown after %v", checkTimeout)
}

// drive makes the calls of one client. Times are nanoseconds of the monotonic
// clock since start.
func drive(log commitlog.Log, client int, start time.Time) ([]porcupine.Operation, error) {
	random := rand.New(rand.NewPCG(1, uint64(client)))
	history := make([]porcupine.Operation, 0, operationsPerClient)
	newest := uint64(0)
	for i := range operationsPerClient {
		in := input{value: fmt.Sprintf("%d.%d", client, i)}
		if random.IntN(2) == 0 { // near the end, where things happen
			in = input{get: true, index: newest + random.Uint64N(4)}
			in.index -= min(in.index, 1)
		}
		call := time.Since(start)
		out, err := perform(log, in)
		end := time.Since(start)
		if err != nil {
			return nil, err
		}
		newest = max(newest, out.index)
		history = append(history, porcupine.Operation{
			ClientId: client, Input: in, Output: out, Call: int64(call), Return: int64(end),
		})
	}
	return history, nil
}

func perform(log commitlog.Log, in input) (output, error) {
	if !in.get {
		index, err := log.Append([]byte(in.value))
		return output{index: index}, err
	}
	entry, err := log.Get(in.index)
	if errors.Is(err, commitlog.ErrNotFound) {
		return output{}, nil
	}
	return output{index: entry.Index, value: string(entry.Value), found: true}, err
}

// sequentialLog is the log that one goroutine at a time would use. Its state
// is the slice of the values; a step never changes one that another state
// shares.
func sequentialLog() porcupine.Model {
	return porcupine.Model{
		Init: func() any { return []string(nil) },
		Step: func(state, in, out any) (bool, any) {
			return step(state.([]string), in.(input), out.(output))
		},
		Equal: func(a, b any) bool { return slices.Equal(a.([]string), b.([]string)) },
		Hash:  func(state any) uint64 { return uint64(len(state.([]string))) },
	}
}

func step(values []string, in input, out output) (bool, []string) {
	length := uint64(len(values))
	switch {
	case !in.get:
		return out.index == length, append(slices.Clip(values), in.value)
	case !out.found:
		return in.index >= length, values
	}
	return in.index < length && out.index == in.index && out.value == values[in.index], values
}
