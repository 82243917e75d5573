package experiments

// What does it cost to have a message handled by a peer, and what is it to pack them?

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/subject/remote"
)

// Names of factors.
const (
	answersFactor = "answers"
	mailboxFactor = "buffer"
	sizeFactor    = "size"
	targetFactor  = "target"
)

// here is the target that is a service of this process.
const here = "here"

// manyInFlight is for those that send on: as many packets as the largest mailbox holds.
const manyInFlight = 4096

// Remote is N senders of one peer over one connection on loopback, each message sent,
// handled and answered: in the end every answer has come, and the receiver has seen each
// sender's messages in their order.
func Remote() harness.Experiment {
	atMostOnce := results.Promise{Order: "total", Result: "at-most-once", Survives: "nothing"}
	exactlyOnce := results.Promise{Order: "total", Result: "exactly-once", Survives: "nothing"}
	kept := results.Promise{Order: "total", Result: "exactly-once", Survives: "process-crash"}
	return harness.Experiment{
		Name:       "remote",
		Question:   "What does it cost to have a message handled by a peer, and what does it gain to pack them?",
		Unit:       "message",
		Goroutines: []int{1, 64},
		Over:       mailboxFactor,
		Factors: []harness.Factor{
			{Name: answersFactor, About: "awaited: a sender waits for each answer; dispatched: it sends on, and answers come as events", Default: "awaited", Check: harness.OneOf("awaited", "dispatched")},
			{Name: mailboxFactor, About: "messages that can wait to be sent", Default: "1024", Check: harness.Between(1, manyInFlight)},
			{Name: sizeFactor, About: "bytes of a message", Default: "16", Check: harness.Between(leastMessage, 1<<20)},
			{Name: targetFactor, About: "who receives: here, in this process, or HOST:PORT of syncwrite serve echo", Default: here, Check: checkTarget},
		},
		Variants: []harness.Variant{
			{Name: "sync", About: "the documents': each message on its own; the next one goes when it is answered", Promise: atMostOnce,
				Open: openRemote(remote.Options{}, ways{dial: dialSync})},
			{Name: "async", About: "the documents': each message on its own; answers are dispatched as they come", Promise: atMostOnce,
				Open: openRemote(remote.Options{}, ways{dial: dialAsync})},
			{Name: "in-order", About: "async, all through one sender, who waits for each answer where they are awaited; the receiver finds them numbered without a gap", Promise: atMostOnce,
				Open: openRemote(remote.Options{}, ways{dial: dialAsync, one: true})},
			{Name: "packed", About: "what waits travels in one packet, 16 of them under way", Promise: atMostOnce,
				Open: openRemote(remote.Options{InFlight: packetsInFlight}, ways{})},
			{Name: "packed-turns", About: "the same, one packet under way", Promise: atMostOnce,
				Open: openRemote(remote.Options{InFlight: 1}, ways{})},
			{Name: "raw-tcp", About: "packed without gRPC and without accounts: length and bytes over TCP, from the same mailbox", Promise: atMostOnce, Open: openRemote(remote.Options{}, ways{dial: dialRaw, raw: true})},
			{Name: "packed-exactly-once", About: "packed; on another link what had no answer is sent again, and recognised", Promise: exactlyOnce,
				Open: openRemote(remote.Options{InFlight: packetsInFlight, ExactlyOnce: true}, ways{})},
			{Name: "packed-inbox", About: "the same; the receiver keeps all messages in a log, and goes on behind them", Promise: kept,
				Open: openRemote(remote.Options{InFlight: packetsInFlight, ExactlyOnce: true}, ways{inbox: true})},
		},
		Trades: []results.Trade{{Weaker: "packed", Stronger: "packed-exactly-once"}, {Weaker: "packed-exactly-once", Stronger: "packed-inbox"}},
		Claims: packedClaims(),
	}
}

// packedClaims are what packing was built for: the least that has to come out.
func packedClaims() []results.Claim {
	claim := func(text, to, answers string, n int, least float64) results.Claim {
		at := map[string]string{answersFactor: answers}
		return results.Claim{By: "this project", Text: text, Of: results.Side{Variant: "packed", Factors: at}, To: results.Side{Variant: to, Factors: at}, Least: least, Goroutines: n}
	}
	return []results.Claim{
		claim("packed carries at least 8 times what sync does, of 64 who wait for answers", "sync", "awaited", 64, 8),
		claim("and at least 2.5 times what async does", "async", "awaited", 64, 2.5),
		claim("packed carries at least 6 times what in-order does, of one who sends on", "in-order", "dispatched", 1, 6),
	}
}

// RemoteTo is Remote to a receiver elsewhere, HOST:PORT: of the variants that need no
// receiver of their own.
func RemoteTo(target string) (harness.Experiment, error) {
	e := Remote().Only("sync", "async", "in-order", "packed", "packed-turns", "packed-exactly-once")
	at := slices.IndexFunc(e.Factors, func(f harness.Factor) bool { return f.Name == targetFactor })
	e.Factors[at].Default = target
	return e, checkTarget(target)
}

// packetsInFlight is how many packets of a packed variant are under way at most.
const packetsInFlight = 16

// Ways are what sets a variant apart besides the settings of its peer.
type ways struct {
	one   bool   // all messages through one sender
	raw   bool   // without gRPC
	inbox bool   // what was handled is kept
	dial  dialer // another wire than a peer's
}

type dialer func(ctx context.Context, endpoint string, mailbox int) (wire, error)

func dialSync(ctx context.Context, endpoint string, mailbox int) (wire, error) {
	return dialStraight(ctx, endpoint, mailbox, true)
}

func dialAsync(ctx context.Context, endpoint string, mailbox int) (wire, error) {
	return dialStraight(ctx, endpoint, mailbox, false)
}

func checkTarget(level string) error {
	if level == here {
		return nil
	}
	if _, port, err := net.SplitHostPort(level); err != nil || port == "" {
		return errors.New("neither " + here + " nor HOST:PORT")
	}
	return nil
}

// A wire is what carries messages to a receiver.
type wire interface {
	Send(ctx context.Context, m remote.Message) error
	Request(ctx context.Context, m remote.Message) ([]byte, error)
	Events(ctx context.Context, handle func(events []remote.Event) error) error
	Close(ctx context.Context) error
}

// openRemote opens a receiver, unless there is one elsewhere, and a way to it.
func openRemote(options remote.Options, w ways) func(harness.Setup) (harness.Instance, error) {
	return func(s harness.Setup) (harness.Instance, error) {
		p := newPosting(s, w.one)
		endpoint := s.Factors[targetFactor]
		var err error
		switch {
		case endpoint != here && (w.raw || w.inbox):
			return harness.Instance{}, fmt.Errorf("it has a receiver of its own: %s is not asked", endpoint)
		case endpoint == here:
			endpoint, err = p.receive(s, w)
		}
		if err == nil {
			options.Mailbox, _ = strconv.Atoi(s.Factors[mailboxFactor]) // checked before the run began
			p.wire, err = connect(s.Context, endpoint, options, w.dial)
		}
		if err != nil {
			return harness.Instance{}, errors.Join(err, p.close())
		}
		instance := harness.Instance{Worker: p.awaiting, Check: p.check, Close: p.close}
		if s.Factors[answersFactor] == "dispatched" {
			instance.Worker, instance.Finish = p.sending, p.finish
			p.dispatch()
		}
		if p.here {
			return instance, nil
		}
		return besideReceiver(instance, endpoint), nil
	}
}

func connect(ctx context.Context, endpoint string, options remote.Options, dial dialer) (wire, error) {
	if dial != nil {
		return dial(ctx, endpoint, options.Mailbox)
	}
	peer, err := remote.Dial(ctx, endpoint, options)
	if err != nil {
		return nil, err // and no wire
	}
	return peer, nil
}

// remoteCourse is the documents' figure: 5,000 messages, each of a goroutine of its own,
// over the size of the mailbox.
func remoteCourse() harness.Experiment {
	e := Remote()
	e.Goroutines, e.Fixed = []int{courseMessages}, true
	for i := range e.Variants {
		e.Variants[i].PerGoroutine = 1
	}
	for i := range e.Factors {
		switch f := &e.Factors[i]; f.Name {
		case answersFactor:
			f.Default = "dispatched"
		case mailboxFactor:
			f.Levels = strings.Fields("1 4 16 64 256 1024 4096")
		}
	}
	e.Claims = remoteClaims()
	return e
}

const courseMessages = 5000

// remoteClaims are the documents' conclusions; that order is kept is held by the check of
// every trial.
func remoteClaims() []results.Claim {
	claim := func(text, of, to, ofBuffer, toBuffer string, least, most float64) results.Claim {
		side := func(variant, buffer string) results.Side {
			if buffer == "" {
				return results.Side{Variant: variant}
			}
			return results.Side{Variant: variant, Factors: map[string]string{mailboxFactor: buffer}}
		}
		return results.Claim{By: "the course", Text: text, Of: side(of, ofBuffer), To: side(to, toBuffer), Least: least, Most: most}
	}
	const matters = "the size of the buffer matters little: not by half from 1 to 4,096, "
	ours := func(c results.Claim) results.Claim {
		c.By = "this project"
		return c
	}
	return []results.Claim{
		claim("async carries at least twice what sync does", "async", "sync", "", "", 2, 0),
		claim(matters+"sync", "sync", "sync", "4096", "1", 0.67, 1.5),
		claim(matters+"async", "async", "async", "4096", "1", 0.67, 1.5),
		claim(matters+"in order", "in-order", "in-order", "4096", "1", 0.67, 1.5),
		claim("to keep the order costs nothing noticeable", "in-order", "async", "", "", 0.9, 0),
		ours(claim("packed carries at least 5 times what sync does", "packed", "sync", "", "", 5, 0)),
		ours(claim("packed carries no less than async does", "packed", "async", "", "", 1, 0)),
	}
}
