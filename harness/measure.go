package harness

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"syscall"
	"time"

	"github.com/syncwrite/syncwrite/results"
)

// An order is the one line that a measuring process is told: where it works,
// and how far the run has come.
type order struct {
	Dir    string
	Trials int           // of each cell
	Budget time.Duration // of all
	State  state
}

// A message is a line of a measuring process. Each is answered by a line of no
// content when it has been taken, so that nobody is busy with it in a window.
type message struct {
	Hello  bool            `json:",omitempty"` // the first
	State  *state          `json:",omitempty"` // what comes next
	Record json.RawMessage `json:",omitempty"` // what was measured, as results files have it
	Renew  bool            `json:",omitempty"` // go on from the state in a fresh process
	Done   bool            `json:",omitempty"` // the last
	Err    string          `json:",omitempty"` // with Done: what ended the run
}

// hello is the first message, as it is written.
func hello() []byte {
	text, _ := json.Marshal(message{Hello: true}) // it has nothing that could fail
	return text
}

// Measure is the other end of [RunApart]: it measures what the order on in
// leaves to be measured, and tells on out what it found. Nothing else may write
// there. Config.Record, if set, is told in this process, too. It ends when in
// does: that is an order, too, and no error.
func Measure(ctx context.Context, config Config, in io.Reader, out io.Writer, experiments ...Experiment) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	t := &teller{out: json.NewEncoder(out), answers: make(chan struct{})}
	lines := bufio.NewReader(in)
	var o order
	line, err := lines.ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &o)
	}
	if err != nil {
		return err
	}
	go t.listen(lines, cancel)
	if err := t.all(ctx, config, o, experiments); !errors.Is(err, errUnheard) {
		return err
	}
	return nil
}

// errUnheard says that nobody wants the results any more.
var errUnheard = errors.New("nobody takes what was measured")

// all tells everything, from the first message to the last.
func (t *teller) all(ctx context.Context, config Config, o order, experiments []Experiment) error {
	if err := t.say(message{Hello: true}); err != nil {
		return err
	}
	switch err := t.measure(ctx, config, o, experiments); {
	case errors.Is(err, errUnheard):
		return err
	case errors.Is(err, errRenew):
		return t.say(message{Renew: true})
	case err != nil:
		return t.say(message{Done: true, Err: err.Error()})
	}
	return t.say(message{Done: true})
}

// A teller speaks for a measuring process.
type teller struct {
	out     *json.Encoder
	answers chan struct{}
}

// listen passes answers on. When they end, nobody wants the results any more:
// the run is cancelled, and the process with it should an operation not return.
func (t *teller) listen(lines *bufio.Reader, cancel func()) {
	for {
		if _, err := lines.ReadBytes('\n'); err != nil {
			close(t.answers)
			cancel()
			time.Sleep(2 * grace)
			os.Exit(1)
		}
		t.answers <- struct{}{}
	}
}

func (t *teller) say(m message) error {
	if err := t.out.Encode(m); errors.Is(err, syscall.EPIPE) {
		return errUnheard
	} else if err != nil {
		return err
	}
	if _, answered := <-t.answers; !answered {
		return errUnheard
	}
	return nil
}

func (t *teller) measure(ctx context.Context, config Config, o order, experiments []Experiment) error {
	config.Dir, config.Trials, config.Budget, config.Seed = o.Dir, o.Trials, o.Budget, o.State.Seed
	config, experiments, allSeries, err := prepare(config, experiments)
	if err != nil {
		return err
	}
	if err := o.State.adopt(allSeries); err != nil {
		return err
	}
	o.State.Stuck = false // not here
	r := runner{
		config: config, experiments: experiments, allSeries: allSeries, state: &o.State, renew: true,
		keep: func(record any) error {
			line, err := results.Encode(record)
			if err == nil && config.Record != nil {
				err = config.Record(record)
			}
			if err != nil {
				return err
			}
			return t.say(message{Record: line})
		},
		tell: func(s *state) error { return t.say(message{State: s}) },
	}
	err = r.all(ctx)
	if errors.Is(err, errRenew) {
		return first(t.say(message{State: r.state}), err)
	}
	return err
}
