package experiments

// What does it cost to put a message into a mailbox, and what does a weaker order buy?

import (
	"context"
	"errors"
	"fmt"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/subject/actor"
)

// Mailbox is N producers on one mailbox and one receiver that looks at every message:
// none may be missing, and those of one producer must come in their order. A message
// counts once it was handed over. Asks wait for the answer besides.
func Mailbox() harness.Experiment {
	total := results.Promise{Order: "total", Result: "exactly-once", Survives: "nothing"}
	answered := results.Promise{Order: "total", Result: "linearizable", Survives: "nothing"}
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
				Open: openMail(func(int) post { return newPost(actor.NewBuffer(options), false) })},
			{Name: "rings", About: "actor.Rings: a pair of buffers for each producer", Promise: perCaller,
				Open: openMail(func(int) post { return newPost(actor.NewRings(options), false) })},
			{Name: "rings-batch", About: "the same, 64 messages put at once: the last of them hands them over", Promise: perCaller,
				Open: openMail(func(int) post { return newPost(actor.NewRings(options), true) })},
			{Name: "channel-ask", About: "a Go channel of 1,024 questions, each with the channel on which its caller always waits", Promise: answered, Open: openMail(newChannelAsk)},
			{Name: "actor-ask", About: "actor.Asker: callers ask an actor and wait for its answer", Promise: answered, Open: openMail(newActorAsk)},
		},
		Trades: []results.Trade{{Weaker: "rings", Stronger: "buffer"}, {Weaker: "rings", Stronger: "channel"}, {Weaker: "rings-batch", Stronger: "channel"}},
	}
}

// A letter is the n-th message of one producer.
type letter struct{ from, number uint32 }

// An author writes one producer's letters.
type author struct {
	letter
	_ [128]byte // no two producers on one cache line
}

func (a *author) next() letter {
	a.number++
	return a.letter
}

// A post is a mailbox with a way to each producer and to the receiver.
type post struct {
	// producer returns what sends the author's next letter, and what hands over those
	// that it has kept.
	producer func(a *author) (send harness.Operation, flush func() error)
	receive  func(to *addressee) error
	close    func() error
}

func noFlush() error { return nil }

// newPost puts messages one at a time, or in batches.
func newPost(box actor.Mailbox[letter], inBatches bool) post {
	ctx := context.Background() // Close ends the receiver
	return post{
		producer: func(a *author) (harness.Operation, func() error) {
			producer, _ := box.NewProducer()
			if !inBatches {
				return func() error { return producer.Put(ctx, a.next()) }, noFlush
			}
			b := &batch{author: a, producer: producer}
			return b.sender(), b.flush
		},
		receive: func(to *addressee) error {
			return box.Receive(ctx, func(run []letter) error {
				to.nextRun(run)
				return nil
			})
		},
		close: box.Close,
	}
}

// atOnce is how many messages a batch has.
const atOnce = 64

// A batch gathers messages of one producer.
type batch struct {
	author   *author
	producer actor.Producer[letter]
	letters  [atOnce]letter
	n        uint
	_        [64]byte // no two producers on one cache line
}

// sender returns what gathers the author's next letter.
func (b *batch) sender() func() error {
	return func() error {
		l := b.author.next()
		b.letters[b.n%atOnce] = l
		if b.n++; b.n < atOnce {
			return nil
		}
		return b.flush()
	}
}

func (b *batch) flush() error {
	_, err := b.producer.PutAll(context.Background(), b.letters[:b.n])
	b.n = 0
	return err
}

// A mail is one trial: producers, the mailbox, and the receiver that reads.
type mail struct {
	post
	flushes []func() error
	to      addressee
}

func openMail(open func(goroutines int) post) func(harness.Setup) (harness.Instance, error) {
	return func(s harness.Setup) (harness.Instance, error) {
		m := &mail{post: open(s.Goroutines), to: addressee{last: make([]uint32, s.Goroutines)}}
		receive := func() error { return m.receive(&m.to) }
		end := startReceiver(receive, receive, m.flushAndClose)
		return harness.Instance{Worker: m.worker, Finish: end, Check: m.check, Close: end}, nil
	}
}

func (m *mail) worker(g int) harness.Operation {
	send, flush := m.producer(&author{letter: letter{from: uint32(g)}})
	m.flushes = append(m.flushes, flush)
	return send
}

func (m *mail) flushAndClose() error {
	var err error
	for _, flush := range m.flushes {
		err = errors.Join(err, flush())
	}
	return errors.Join(err, m.close())
}

func (m *mail) check(ops int) error {
	switch wrong := m.to.wrong; {
	case m.to.isWrong:
		return fmt.Errorf("message %d of producer %d came out of its producer's order", wrong.number, wrong.from)
	case m.to.read != ops:
		return fmt.Errorf("%d of %d messages were read", m.to.read, ops)
	}
	return nil
}

// An addressee knows of each author which letter is due.
type addressee struct {
	last    []uint32 // the number of each author's last letter
	read    int
	wrong   letter // one that was not due
	isWrong bool   // there is one: a letter that was cleared is the zero letter, and wrong, too
}

func (a *addressee) next(l letter) {
	if l.number != a.last[l.from]+1 {
		a.wrong, a.isWrong = l, true
	}
	a.last[l.from] = l.number
	a.read++
}

// nextRun is next for each of a run. It keeps at hand what it knows of one author: a run is
// often of one alone, and to look it up for each letter took longer than the mailbox did.
func (a *addressee) nextRun(run []letter) {
	from := run[0].from
	last := a.last[from]
	for _, l := range run {
		if l.from != from {
			a.last[from] = last
			from, last = l.from, a.last[l.from]
		}
		if l.number != last+1 {
			a.wrong, a.isWrong = l, true
		}
		last = l.number
	}
	a.last[from] = last
	a.read += len(run)
}
