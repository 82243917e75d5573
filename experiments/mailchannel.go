package experiments

// What a mailbox is measured against: Go channels.

import (
	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/subject/actor"
)

func newLetterChannel(int) post {
	letters := make(chan letter, channelSize)
	return post{
		producer: func(a *author) (harness.Operation, func() error) {
			return func() error { letters <- a.next(); return nil }, noFlush
		},
		receive: func(to *addressee) error {
			for l := range letters {
				to.next(l)
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
		producer: func(a *author) (harness.Operation, func() error) {
			source := &from[a.from]
			return func() error {
				events <- actor.Event{Type: actor.SyncRequest, Source: source, Value: uint8(a.next().number)}
				return nil
			}, noFlush
		},
		receive: func(to *addressee) error {
			for e := range events {
				l := letter{from: *e.Source.(*uint32)}
				due := to.last[l.from] + 1
				l.number = due + uint32(e.Value.(uint8)-uint8(due)) // the first from there on of this value
				to.next(l)
			}
			return nil
		},
		close: func() error { close(events); return nil },
	}
}

// newChannelAsk answers with the letter.
func newChannelAsk(int) post {
	type question struct {
		letter
		reply chan letter
	}
	questions := make(chan question, channelSize)
	return post{
		producer: func(a *author) (harness.Operation, func() error) {
			reply := make(chan letter, 1)
			return func() error {
				l := a.next()
				questions <- question{l, reply}
				return l.answeredWith(<-reply)
			}, noFlush
		},
		receive: func(to *addressee) error {
			for q := range questions {
				to.next(q.letter)
				q.reply <- q.letter
			}
			return nil
		},
		close: func() error { close(questions); return nil },
	}
}
