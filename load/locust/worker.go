package locust

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"
)

// Version is the Locust whose protocol is spoken, and that a worker says it is: masters of
// another 2.x take it, and tell their log of the difference.
const Version = "2.47.0"

// Config says for whom a worker works, and what its users do.
type Config struct {
	Master string // HOST:PORT of the master, not of its page
	Users  Users
	// Name is the worker's; empty: the machine's, and a random number.
	Name string
	// RunTime, if known, is how long each run lasts: users' cycles that end later are told apart
	// (harness.Cycles).
	RunTime time.Duration
	// Say, if set, is told in one line what happens.
	Say func(text string)

	dial func(name string) wire // nil: TCP
}

const (
	beating   = time.Second
	reporting = 3 * time.Second
	joining   = 10 * time.Second // a worker that has begun waits for a master
	silent    = time.Minute      // and one that has had a master, for its next word
	strange   = 3                // heartbeats that a master leaves unanswered, after it was connected anew, to be another one

	halting = time.Minute            // users have to end, when a run is stopped
	parting = 300 * time.Millisecond // and when the master quits, or Ctrl-C: it listens for half a second more

	confirming = 5 * time.Second // a worker that ends waits for the answer to its last word: a master that moves users answers nobody for a second, for each who leaves

	saturated = 90 // percent of a worker's processors: from there on a master warns, too

	catchingUp = 5 * time.Second // behind a silence of the master's the age of its messages tells nothing

	abandoned = 5 * time.Second // users have to end, once what they wait for was ended
)

// States of a worker, in Locust's words.
const (
	stateReady    = "ready"
	stateSpawning = "spawning"
	stateRunning  = "running"
)

// Work works for a master until that quits, ctx ends, or there is an error: no master is found
// within ten seconds, it is none that this worker can talk to, or is silent for a minute; users cannot
// begin or do not end; or a run's operations did not have their effect, or the master was not told of
// them all. Then the users have ended, or been given up.
func Work(ctx context.Context, c Config) error {
	w := newWorker(c)
	if c.dial != nil {
		w.wire = c.dial(w.name)
	} else {
		w.wire = newLink(c.Master, w.name)
	}
	defer w.wire.close()
	return w.loop(ctx)
}

// A worker is known by one goroutine alone, that of its loop.
type worker struct {
	Config
	wire wire
	name string

	// The master.
	began     time.Time
	connected bool
	joined    bool      // a master has acknowledged this worker
	ever      bool      // and one did at some time
	trusted   bool      // it has answered since it was connected
	heard     time.Time // of a master, the last time
	silenced  time.Time // when it was heard again, the last time that it had been silent for longer than between two heartbeats
	why       error     // nothing is connected
	ahead     time.Duration
	lastSpawn float64 // the master's time, in s
	unknown   map[string]bool
	outbox    outbox
	departed  bool             // the master was told that the run has stopped, and not that there can be another
	rejoining bool             // another master is to be joined
	leaving   <-chan time.Time // until when this worker waits for the master's last answer; nil: it does not leave

	// The users.
	state   string
	crew    *crew // nil: none
	counts  map[string]int
	runs    int
	order   *order // being carried out; nil: none
	after   *order // to be carried out before the next one
	next    *order
	hurry   chan struct{} // closed when this worker is to end: nobody waits for long any more
	results chan result
	meter   meter

	percent   float64 // of its processors that it used, in the last second
	saturated bool    // and somebody was told

	ended bool
	fault error
}

func newWorker(c Config) *worker {
	if c.Say == nil {
		c.Say = func(string) {}
	}
	w := &worker{Config: c, name: cmp.Or(c.Name, newName()), state: stateReady, began: time.Now(), heard: time.Now(),
		counts: map[string]int{}, unknown: map[string]bool{}, hurry: make(chan struct{}), results: make(chan result, 1)}
	w.meter.percent()
	return w
}

// newName is the machine's name and a number that nobody else has.
func newName() string {
	host, _ := os.Hostname() // without one the number is enough
	number := make([]byte, 16)
	rand.Read(number)
	return strings.ToValidUTF8(host, "") + "_" + hex.EncodeToString(number)
}

func (w *worker) loop(ctx context.Context) error {
	beat, report := time.NewTicker(beating), time.NewTicker(reporting)
	defer beat.Stop()
	defer report.Stop()
	late := time.After(joining)
	users := context.WithoutCancel(ctx) // they end in order, and not when ctx does
	done := ctx.Done()
	for !w.ended {
		select {
		case e := <-w.wire.events():
			w.on(e)
		case r := <-w.results:
			w.carriedOut(r)
		case <-beat.C:
			w.beat()
		case <-report.C:
			if w.joined && w.trusted { // else what users did goes on adding up
				w.report(false)
			}
		case <-late:
			w.noMaster()
		case <-done:
			done = nil
			w.want(order{kind: quit})
		case <-w.leaving:
			w.giveUp()
		}
		w.begin(users)
		w.ended = w.leaving != nil && w.outbox.settled()
	}
	return w.fault
}

// fail ends the worker; its users first. The first error is the one that is told.
func (w *worker) fail(err error) {
	if w.fault == nil {
		w.fault = err
	}
	w.want(order{kind: quit})
}

func (w *worker) noMaster() {
	switch {
	case w.ever:
	case w.connected:
		w.fail(fmt.Errorf("%s speaks ZeroMQ and acknowledges no worker within %v: no Locust master, or one before 2.0", w.Master, joining))
	default:
		w.fail(fmt.Errorf("no master at %s within %v: %w", w.Master, joining, cmp.Or(w.why, errNotConnected)))
	}
}

// on takes what the wire tells of.
func (w *worker) on(e event) {
	switch {
	case e.up:
		w.connected, w.trusted = true, false
		switch {
		case w.joined:
			w.heartbeat()
		case !w.rejoining: // under its new name
			w.send("client_ready", Version)
		}
	case e.err != nil:
		w.lost(e.err)
	case e.frame != nil:
		w.hear()
		m, err := decode(e.frame)
		if err != nil {
			w.Say(w.Master + " sent what is no message of Locust's: " + err.Error())
			return
		}
		w.handle(m)
	}
}

// hear notes when the master is heard. What comes behind a silence can have been on its way for as
// long, or have waited here.
func (w *worker) hear() {
	now := time.Now()
	if w.joined && now.Sub(w.heard) > 3*beating/2 {
		w.silenced = now
	}
	w.heard = now
}

// lost is told of each connection's end, and of each attempt at one.
func (w *worker) lost(err error) {
	if w.connected && w.ever && !w.quitting() {
		w.Say("lost the master at " + w.Master + " (" + err.Error() + "): connecting again")
	}
	w.connected, w.trusted = false, false
	w.why = err
	w.lose(w.outbox.broken(), errUnsure, "the connection broke before it had answered")
	if errors.Is(err, errForeign) && !w.ever {
		w.fail(fmt.Errorf("%s: %w", w.Master, err))
	}
}

// beat is each second's.
func (w *worker) beat() {
	switch {
	case w.departed: // a master answers nobody who has stopped
		w.heard = time.Now()
	case w.ever && time.Since(w.heard) > silent:
		w.fail(fmt.Errorf("the master at %s has been silent for %v", w.Master, silent))
	case w.joined && w.connected && !w.trusted && w.outbox.asked >= strange && !w.quitting():
		w.rejoin()
	case w.joined && w.connected:
		w.heartbeat()
	}
}

// rejoin makes this a new worker of a master that does not know it: another one, in the
// place of one that ended. What users did for that one, and it was not told, is in no figure.
func (w *worker) rejoin() {
	w.Say("the master at " + w.Master + " does not answer this worker any more: joining it anew, by another name")
	w.joined = false
	w.want(order{kind: rejoin})
	w.rejoining = true
}

// giveUp ends the wait for the master's last answer.
func (w *worker) giveUp() {
	w.lose(w.outbox.broken(), errUnsure, "it has not answered within "+confirming.String())
	w.forgo("the one at " + w.Master + " cannot be reached")
}

func (w *worker) heartbeat() {
	w.percent = w.meter.percent()
	if w.percent > saturated && !w.saturated && w.crew != nil {
		w.saturated = true
		w.Say(fmt.Sprintf("this worker uses %.0f %% of its %d processors: what it measures is not of what it asks alone", w.percent, processors()))
	}
	w.send("heartbeat", w.pulse())
	w.outbox.asked++
}

// pulse is what a heartbeat says.
func (w *worker) pulse() map[string]any {
	return map[string]any{"state": w.state, "current_cpu_usage": w.percent, "current_memory_usage": memory()}
}

// send sends a message, if something is connected.
func (w *worker) send(kind string, data any) {
	frame, err := message{kind: kind, data: data, node: w.name}.encode()
	if err != nil {
		w.fail(fmt.Errorf("message %s: %w", kind, err))
		return
	}
	w.wire.send(frame) // who hears nothing of it is told of the next
}
