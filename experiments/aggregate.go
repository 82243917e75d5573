package experiments

// What does handling a run of like events at once buy?

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"time"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/subject/actor"
)

// Aggregate is N producers on one mailbox whose receiver handles either one
// event after another or whole runs. What is counted is an event that was put
// and handled.
func Aggregate() harness.Experiment {
	promise := results.Promise{Order: "total", Result: "exactly-once", Survives: "nothing"}
	variant := func(name, about string, open func(capacity int) inbox) harness.Variant {
		return harness.Variant{Name: name, About: about, Promise: promise, Open: openDelivery(open)}
	}
	return harness.Experiment{
		Name:       "aggregate",
		Question:   "What does handling a run of like events at once buy?",
		Unit:       "event",
		Goroutines: []int{1, 2, 8, 64}, // producers; the one receiver comes on top
		Factors:    []harness.Factor{runFactor(), costFactor(), bufferFactor()},
		Variants: []harness.Variant{
			variant("one-by-one", "a Go channel, every event handled alone", newPlainChannel),
			variant("channel", "actor.Channel: a run is what of one type is in the channel, handled at once", func(capacity int) inbox {
				return runsOf(actor.NewChannel(runs(capacity)))
			}),
			variant("buffer", "actor.Buffer: the receiver swaps what has arrived for an empty buffer, and handles run by run", func(capacity int) inbox {
				return runsOf(actor.NewBuffer(runs(capacity)))
			}),
		},
	}
}

func runFactor() harness.Factor {
	return harness.Factor{Name: "run", About: "mean number of like events in a row, as they arrive; 64: 98.4 % of the events are like the one before", Default: "64",
		Check: harness.Between(1, 1<<20)}
}

func costFactor() harness.Factor {
	return harness.Factor{Name: "cost", About: "ns that handling takes, of one event or of one run alike", Default: "1000",
		Check: harness.Between(0, 1e9)}
}

func bufferFactor() harness.Factor {
	return harness.Factor{Name: "buffer", About: "events that the mailbox holds", Default: "1024",
		Check: harness.Between(1, 1<<24)}
}

// An inbox is a mailbox with a way to handle what is in it.
type inbox struct {
	put     func(actor.Event) error
	close   func() error
	receive func(handle func(run []actor.Event) error) error
}

func runs(capacity int) actor.Options[actor.Event] {
	return actor.Options[actor.Event]{Capacity: capacity, Alike: actor.SameType}
}

func runsOf(box actor.Mailbox[actor.Event]) inbox {
	ctx := context.Background() // Close ends the receiver
	return inbox{
		put:     func(e actor.Event) error { return box.Put(ctx, e) },
		close:   box.Close,
		receive: func(handle func([]actor.Event) error) error { return box.Receive(ctx, handle) },
	}
}

// newPlainChannel hands over runs of one.
func newPlainChannel(capacity int) inbox {
	events := make(chan actor.Event, capacity)
	return inbox{
		put:   func(e actor.Event) error { events <- e; return nil },
		close: func() error { close(events); return nil },
		receive: func(handle func([]actor.Event) error) error {
			one := make([]actor.Event, 1)
			for one[0] = range events {
				if err := handle(one); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// A delivery is one trial: producers, a mailbox, and the receiver that counts
// what it is given.
type delivery struct {
	inbox
	cost      time.Duration
	alike     uint64 // an event is of the common type if its draw is below
	producers []*producer

	handled int // the receiver's
}

// A producer is the source of events. Their values count up and around, so
// that the receiver sees what is missing and what is out of order.
type producer struct {
	_      [128]byte // no two producers on one cache line
	random rand.PCG
	put    uint8
	_      [128]byte // what follows is the receiver's
	next   uint8
}

func openDelivery(open func(capacity int) inbox) func(harness.Setup) (harness.Instance, error) {
	return func(s harness.Setup) (harness.Instance, error) {
		// Levels were checked before the run began.
		run, _ := strconv.Atoi(s.Factors["run"])
		cost, _ := strconv.Atoi(s.Factors["cost"])
		capacity, _ := strconv.Atoi(s.Factors["buffer"])
		d := &delivery{inbox: open(capacity), cost: time.Duration(cost), alike: alike(run)}
		end := startReceiver(
			func() error { return d.receive(d.handle) },
			func() error { return d.receive(func([]actor.Event) error { return nil }) },
			d.close)
		return harness.Instance{
			Worker: func(g int) harness.Operation { return d.worker(s.Seed, g) },
			Finish: end,
			Check:  d.check,
			Close:  end,
		}, nil
	}
}

// alike is the share of events of the common type, of 2^64, that makes runs so
// long on average. The others are all of different types: neighbours are alike
// with probability p² if each is common with probability p, whoever put them,
// and a run is then 1 ÷ (1 − p²) events long.
func alike(run int) uint64 {
	return uint64(math.Ldexp(math.Sqrt(1-1/float64(run)), 64))
}

func (d *delivery) worker(seed uint64, g int) harness.Operation {
	p := &producer{random: *rand.NewPCG(seed, uint64(g))}
	d.producers = append(d.producers, p)
	return func() error {
		draw := p.random.Uint64()
		kind := actor.SyncRequest
		if draw >= d.alike {
			kind = actor.EventType(draw)
		}
		p.put++
		return d.put(actor.Event{Type: kind, Source: p, Value: p.put})
	}
}

var errRunMixed = errors.New("a run of two types")

// handle takes as long as it is told to, and looks at every event.
func (d *delivery) handle(run []actor.Event) error {
	began := time.Now()
	for i := range run {
		e := &run[i]
		p := e.Source.(*producer)
		if p.next++; e.Value.(uint8) != p.next {
			return fmt.Errorf("event %d of a producer came where event %d was due, both modulo 256", e.Value, p.next)
		}
		if e.Type != run[0].Type {
			return errRunMixed
		}
	}
	d.handled += len(run)
	for d.cost > 0 && time.Since(began) < d.cost {
	}
	return nil
}

func (d *delivery) check(ops int) error {
	if d.handled != ops {
		return fmt.Errorf("%d of %d events were handled", d.handled, ops)
	}
	return nil
}
