package experiments

// What does it cost to put a message into a mailbox, and what does a weaker order buy?

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/subject/actor"
)

// Mailbox is N producers on one mailbox and one receiver that looks at every message:
// none may be missing, and those of one producer must come in their order. A message
// counts once it was handed over. Asks wait for the answer besides.
func Mailbox() harness.Experiment {
	total := results.Promise{Order: "total", Result: "exactly-once", Survives: "nothing"}
	perCaller := results.Promise{Order: "per-caller", Result: "exactly-once", Survives: "nothing"}
	options := actor.Options[letter]{Capacity: channelSize}
	return harness.Experiment{
		Name:       "mailbox",
		Question:   "What does it cost to put a message into a mailbox, and what does a weaker order buy?",
		Unit:       "message",
		Goroutines: []int{1, 2, 8, 64}, // producers; the one receiver comes on top
		Variants: []harness.Variant{
			{Name: "channel", About: "a Go channel of 1,024 messages of 8 B", Promise: total, Open: openMail(newLetterChannel)},
			{Name: "event-channel", About: "a Go channel of 1,024 events: a type and two interfaces, the documents' mailbox", Promise: total, Open: openMail(newEventChannel)},
			{Name: "buffer", About: "actor.Buffer: the receiver swaps what has arrived for an empty buffer", Promise: total,
				Open: openMail(func(int) post { return newPost(actor.NewBuffer(options), 1) })},
			{Name: "rings", About: "actor.Rings: a pair of buffers for each producer", Promise: perCaller,
				Open: openMail(func(int) post { return newPost(actor.NewRings(options), 1) })},
			{Name: "rings-batch", About: "the same, 64 messages put at once: the last of them hands them over", Promise: perCaller,
				Open: openMail(func(int) post { return newPost(actor.NewRings(options), 64) })},
		},
		Trades: []results.Trade{{Weaker: "rings", Stronger: "buffer"}, {Weaker: "rings", Stronger: "channel"}, {Weaker: "rings-batch", Stronger: "channel"}},
	}
}

// A letter is the n-th message of one producer.
type letter struct{ from, number uint32 }

// A post is a mailbox with a way to each producer and to the receiver.
type post struct {
	producer func(g int) (put func(letter) error, flush func() error)
	receive  func(read func(letter) error) error
	close    func() error
}

// newPost puts so many messages at once.
func newPost(box actor.Mailbox[letter], atOnce int) post {
	ctx := context.Background() // Close ends the receiver
	return post{
		producer: func(int) (func(letter) error, func() error) {
			producer, _ := box.NewProducer()
			if atOnce == 1 {
				return func(l letter) error { return producer.Put(ctx, l) }, func() error { return nil }
			}
			b := &batch{producer: producer, letters: make([]letter, 0, atOnce)}
			return b.put, b.flush
		},
		receive: func(read func(letter) error) error {
			return box.Receive(ctx, func(run []letter) error {
				for i := range run {
					if err := read(run[i]); err != nil {
						return err
					}
				}
				return nil
			})
		},
		close: box.Close,
	}
}

// A batch gathers messages of one producer.
type batch struct {
	producer actor.Producer[letter]
	letters  []letter
	_        [64]byte // no two producers on one cache line
}

func (b *batch) put(l letter) error {
	b.letters = append(b.letters, l)
	if len(b.letters) < cap(b.letters) {
		return nil
	}
	return b.flush()
}

func (b *batch) flush() error {
	_, err := b.producer.PutAll(context.Background(), b.letters)
	b.letters = b.letters[:0]
	return err
}

func newLetterChannel(int) post {
	letters := make(chan letter, channelSize)
	return post{
		producer: func(int) (func(letter) error, func() error) {
			return func(l letter) error { letters <- l; return nil }, func() error { return nil }
		},
		receive: func(read func(letter) error) error {
			for l := range letters {
				if err := read(l); err != nil {
					return err
				}
			}
			return nil
		},
		close: func() error { close(letters); return nil },
	}
}

// newEventChannel carries the number modulo 256, which takes no memory of its own.
func newEventChannel(goroutines int) post {
	events := make(chan actor.Event, channelSize)
	from := make([]uint32, goroutines)
	for g := range from {
		from[g] = uint32(g)
	}
	return post{
		producer: func(g int) (func(letter) error, func() error) {
			source := &from[g]
			return func(l letter) error {
				events <- actor.Event{Type: actor.SyncRequest, Source: source, Value: uint8(l.number)}
				return nil
			}, func() error { return nil }
		},
		receive: func(read func(letter) error) error {
			numbers := make([]uint32, goroutines)
			for e := range events {
				source := *e.Source.(*uint32)
				numbers[source]++
				if uint8(numbers[source]) != e.Value.(uint8) {
					return errOutOfOrder
				}
				if err := read(letter{source, numbers[source]}); err != nil {
					return err
				}
			}
			return nil
		},
		close: func() error { close(events); return nil },
	}
}

var errOutOfOrder = errors.New("a message came out of its producer's order")

// A mail is one trial: producers, the mailbox, and the receiver that reads.
type mail struct {
	post
	flushes []func() error
	ended   chan error

	numbers []uint32 // the receiver's: of each producer's last message
	read    int
}

func openMail(open func(goroutines int) post) func(harness.Setup) (harness.Instance, error) {
	return func(s harness.Setup) (harness.Instance, error) {
		m := &mail{post: open(s.Goroutines), numbers: make([]uint32, s.Goroutines), ended: make(chan error, 1)}
		go m.serve()
		once := sync.OnceValue(m.end)
		return harness.Instance{Worker: m.worker, Finish: once, Check: m.check, Close: once}, nil
	}
}

func (m *mail) worker(g int) harness.Operation {
	put, flush := m.producer(g)
	m.flushes = append(m.flushes, flush)
	l := &struct {
		letter
		_ [128]byte // no two producers on one cache line
	}{letter: letter{from: uint32(g)}}
	return func() error {
		l.number++
		return put(l.letter)
	}
}

// serve is the receiver. After an error it takes what comes and leaves it unread, so
// that no producer waits for ever.
func (m *mail) serve() {
	err := m.receive(func(l letter) error {
		if m.numbers[l.from]++; l.number != m.numbers[l.from] {
			return fmt.Errorf("message %d of producer %d: %w", l.number, l.from, errOutOfOrder)
		}
		m.read++
		return nil
	})
	if err != nil {
		m.receive(func(letter) error { return nil })
	}
	m.ended <- err
}

// end closes the mailbox and waits until all that was put was read.
func (m *mail) end() error {
	var err error
	for _, flush := range m.flushes {
		err = errors.Join(err, flush())
	}
	return errors.Join(err, m.close(), <-m.ended)
}

func (m *mail) check(ops int) error {
	if m.read != ops {
		return fmt.Errorf("%d of %d messages were read", m.read, ops)
	}
	return nil
}
