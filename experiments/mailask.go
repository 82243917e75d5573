package experiments

import (
	"context"
	"errors"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/subject/actor"
)

// A question is a letter that its sender waits for.
type question struct {
	letter
	actor.Reply[letter]
}

// newActorAsk answers with the letter.
func newActorAsk(int) post {
	box := actor.NewBuffer(actor.Options[question]{Capacity: channelSize})
	asker := actor.NewAsker(box, func(l letter, reply actor.Reply[letter]) question { return question{l, reply} })
	ctx := context.Background()
	return post{
		producer: func(a *author) (harness.Operation, func() error) {
			return func() error {
				l := a.next()
				answer, err := asker.Ask(ctx, l)
				if err != nil {
					return err
				}
				return l.answeredWith(answer)
			}, noFlush
		},
		receive: func(to *addressee) error {
			return actor.Start(ctx, func(_ *actor.Self[question], q question) error {
				to.next(q.letter)
				return q.Send(q.letter)
			}, actor.Settings[question]{Mailbox: box}).Wait()
		},
		close: func() error { return ended(box.Close()) },
	}
}

// ended is no error of a mailbox that its actor has closed.
func ended(err error) error {
	if errors.Is(err, actor.ErrClosed) {
		return nil
	}
	return err
}

var errWrongAnswer = errors.New("the answer to another question")

// answeredWith holds an answer to the letter that asked for it.
func (l letter) answeredWith(answer letter) error {
	if answer != l {
		return errWrongAnswer
	}
	return nil
}
