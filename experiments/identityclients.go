package experiments

// What is left of asking less often, where each caller is a process of its own?

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/hist"
	"github.com/syncwrite/syncwrite/internal/processors"
	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/subject/identity"
	"github.com/syncwrite/syncwrite/subject/identity/identityrpc"
)

// IdentityClients is Identity with each caller in a process of its own: they have no
// connection, and no request, to share.
func IdentityClients() harness.Experiment {
	linearizable := results.Promise{Order: "total", Result: "linearizable", Survives: "nothing"}
	unique := results.Promise{Order: "per-caller", Result: "unique", Survives: "nothing"}
	e := harness.Experiment{
		Name:       "identity-clients",
		Question:   "What do callers get of one service, where each is a process of its own?",
		Unit:       "identity",
		Goroutines: []int{64},
		Window:     time.Second,
		ByTime:     true,
		Beside:     true,
		Trades:     []results.Trade{{Weaker: "next-n", Stronger: "atomic"}, {Weaker: "leased", Stronger: "atomic"}},
	}
	add := func(name, about string, promise results.Promise, open func(replies) guarded) {
		e.Variants = append(e.Variants, harness.Variant{Name: name, About: about, Promise: promise, Elsewhere: askElsewhere(name, open), Besides: 2 * time.Second})
	}
	add("simple", "the whole server under one lock", linearizable, identity.NewSimple)
	add("actor", "an actor for each request asks the one that counts", linearizable, identity.NewActor)
	add("atomic", "one compare-and-swap", linearizable, identity.NewAtomic)
	add("coalesced", "the same, over a stream, by the client whose callers share requests: here it has one", linearizable, identity.NewAtomic)
	add("next-n", "each process asks for 4,096 at a time, and hands them out itself", unique, identity.NewAtomic)
	add("leased", "each process asks for 65,536 at a time", unique, identity.NewAtomic)
	return e
}

// dials are the ways of the processes, by variant.
func dials(variant string) (dialIdentity, error) {
	switch variant {
	case "simple", "actor", "atomic":
		return dialEach, nil
	case "coalesced":
		return dialCoalesced, nil
	case "next-n":
		return dialLease(nextN), nil
	case "leased":
		return dialLease(leaseSize), nil
	}
	return nil, fmt.Errorf("no way to a service is called %q", variant)
}

// askElsewhere is a trial of so many processes.
func askElsewhere(variant string, open func(replies) guarded) func(harness.Setup) (results.Trial, error) {
	return func(s harness.Setup) (t results.Trial, err error) {
		a := &asking{from: open(replies{Reply: identityrpc.Replies(1)})}
		if err := a.serve(); err != nil {
			return t, errors.Join(err, a.close())
		}
		defer func() { err = errors.Join(err, a.close()) }()
		children, err := startAskers(s, variant, a.address)
		defer func() { err = errors.Join(err, endAskers(children)) }()
		if err != nil {
			return t, err
		}
		before := ownCPU()
		for _, c := range children {
			if _, err := io.WriteString(c.to, "go\n"); err != nil {
				return t, err
			}
		}
		return gather(a, children, s.Window, before)
	}
}

// An asker is a process that asks.
type asker struct {
	command *exec.Cmd
	to      io.WriteCloser
	from    *bufio.Reader
}

// startAskers starts the processes, and returns when all are connected.
func startAskers(s harness.Setup, variant, address string) (all []asker, err error) {
	for range s.Goroutines {
		command, err := childCommand(s.Context, childOrder{Work: "identity", Variant: variant, Address: address, WindowNS: int64(s.Window)})
		if err != nil {
			return all, err
		}
		to, err1 := command.StdinPipe()
		from, err2 := command.StdoutPipe()
		command.Stderr = os.Stderr
		if err := errors.Join(err1, err2, command.Start()); err != nil {
			return all, err
		}
		all = append(all, asker{command, to, bufio.NewReader(from)})
	}
	for _, c := range all {
		if err := greet(c.from); err != nil {
			return all, err
		}
		if _, err := c.from.ReadString('\n'); err != nil {
			return all, fmt.Errorf("a process that asks has ended: %w", err)
		}
	}
	return all, nil
}

func endAskers(all []asker) error {
	var err error
	for _, c := range all {
		err = errors.Join(err, c.to.Close())
	}
	for _, c := range all {
		err = errors.Join(err, c.command.Wait())
	}
	return err
}

// An asked is what a process says of its window.
type asked struct {
	Ops    int
	Calls  int
	WallNS int64
	CPUNS  int64
	Got    [][2]uint64
	Hist   *hist.Histogram
}

// gather adds up what the processes say. The window is that of the one that took longest.
func gather(a *asking, children []asker, window time.Duration, before int64) (t results.Trial, err error) {
	whole := new(hist.Histogram)
	clients := results.Process{Name: results.Generator, Most: len(children)}
	for _, c := range children {
		var said asked
		line, err := c.from.ReadBytes('\n')
		if err == nil {
			err = json.Unmarshal(line, &said)
		}
		if err != nil {
			return t, fmt.Errorf("what a process says of its window: %w", err)
		}
		t.Ops, t.Calls, t.WallNS = t.Ops+said.Ops, t.Calls+said.Calls, max(t.WallNS, said.WallNS)
		clients.CPUNS += results.Number(said.CPUNS)
		whole.Merge(said.Hist)
		taker := new(taker)
		for _, g := range said.Got {
			taker.got = append(taker.got, taken{g[0], g[1]})
		}
		a.all = append(a.all, taker)
	}
	t.Latency = results.NewLatency(whole, results.Each)
	t.Processes = []results.Process{{Name: results.Server, CPUNS: results.Number(ownCPU() - before)}, clients}
	return t, a.check(t.Ops)
}

// askWork is what a process does that asks: it says when it is connected, begins when it is
// told to, and says what it saw.
func askWork(order childOrder, from io.Reader, to io.Writer) error {
	dial, err := dials(order.Variant)
	if err != nil {
		return err
	}
	w, _, err := dial(order.Address)
	if err != nil {
		return err
	}
	next := w.taker()
	if _, err := next(); err != nil { // connected, and not counted
		return errors.Join(err, w.close())
	}
	if _, err := io.WriteString(to, "ready\n"); err != nil {
		return errors.Join(err, w.close())
	}
	in := bufio.NewReader(from)
	if _, err := in.ReadString('\n'); err != nil {
		return errors.Join(err, w.close())
	}
	said, err := askFor(next, w, time.Duration(order.WindowNS))
	if err == nil {
		err = json.NewEncoder(to).Encode(said)
	}
	return errors.Join(err, w.close())
}

// askFor asks until the window is over.
func askFor(next func() (uint64, error), w way, window time.Duration) (said asked, err error) {
	t, cpu, calls := new(taker), ownCPU(), w.calls()
	said.Hist = new(hist.Histogram)
	began := time.Now()
	for last := time.Duration(0); last < window; {
		id, err := next()
		if err == nil {
			err = t.take(id)
		}
		if err != nil {
			return said, err
		}
		now := time.Since(began)
		said.Hist.Record(int64(now - last))
		last = now
		said.Ops++
	}
	said.WallNS, said.CPUNS, said.Calls = int64(time.Since(began)), ownCPU()-cpu, w.calls()-calls
	for _, g := range t.got {
		said.Got = append(said.Got, [2]uint64{g.first, g.last})
	}
	return said, nil
}

// ownCPU is the processor time that this process has used; 0 where that is not known.
func ownCPU() int64 {
	ns, _ := processors.Used(os.Getpid())
	return ns
}
