package load

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"runtime"
	"strconv"
	"sync"
	"time"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/internal/cause"
	"github.com/syncwrite/syncwrite/results"
)

// Experiment asks as a scenario says, from so many users. Its name is load, its one
// variant is named for what asks: fasthttp or net-http.
func Experiment(s Scenario, users int) (harness.Experiment, error) {
	s = s.withDefaults()
	if err := s.Check(); err != nil {
		return harness.Experiment{}, err
	}
	name, about := "fasthttp", "one connection a user, asked by fasthttp's codec"
	if s.NetHTTP {
		name, about = "net-http", "one connection a user, asked by net/http"
	}
	return harness.Experiment{
		Name: "load", Question: s.question(), Unit: "request", Asked: s.asked(name),
		ByTime: true, Beside: s.here(), Patience: s.Timeout * time.Duration(3+users/dialing), Goroutines: []int{users},
		Variants: []harness.Variant{{
			Name: name, About: about, Open: func(setup harness.Setup) (harness.Instance, error) { return open(s, setup) },
			Promise: noPromise(),
		}},
	}, nil
}

// noPromise is what is known of somebody's server.
func noPromise() results.Promise {
	return results.Promise{Order: "none", Result: results.Unstated, Survives: "nothing"}
}

func (s Scenario) question() string {
	if s.Serve != nil {
		return "How does the list of albums answer, in a process of its own?"
	}
	return "How does " + s.URL + " answer?"
}

// A client sends the requests of one user.
type client interface {
	do(kind int, target, body []byte) (status, size int, err error)
	close()
}

// newCrowd makes the crowd of a trial, without its clients.
func newCrowd(s Scenario, setup harness.Setup) (*crowd, error) {
	ctx, cancel := context.WithCancel(setup.Context)
	server := Server{Stop: func() error { return nil }}
	if s.Serve != nil {
		var err error
		if server, err = s.Serve(ctx); err != nil {
			cancel()
			return nil, err
		}
		s.URL = server.URL
	}
	crowd := &crowd{scenario: s, ctx: ctx, cancel: cancel, server: server, wishes: s.wishes(), run: strconv.FormatUint(setup.Seed, 36), seed: setup.Seed}
	for i, w := range s.Mix {
		for range w.Weight {
			crowd.drawn = append(crowd.drawn, i)
		}
	}
	return crowd, nil
}

// open makes the users of a trial.
func open(s Scenario, setup harness.Setup) (harness.Instance, error) {
	crowd, err := newCrowd(s, setup)
	if err != nil {
		return harness.Instance{}, err
	}
	if err := crowd.dial(setup.Goroutines); err != nil {
		return harness.Instance{}, errors.Join(err, crowd.close())
	}
	instance := harness.Instance{Kinds: s.kinds(), Request: crowd.user, Close: crowd.close}
	if s.Wait.To > 0 {
		instance.Pause = crowd.pause
	}
	if s.Serve != nil {
		instance.Processes = func() []results.Process { return []results.Process{crowd.server.used(), s.asking()} }
	}
	return instance, nil
}

// A crowd is the users of one trial.
type crowd struct {
	scenario Scenario
	wishes   []wish
	run      string
	seed     uint64
	drawn    []int // kinds, each as often as its weight
	clients  []client
	ctx      context.Context
	cancel   func()
	server   Server
}

// user makes what one user does. Each request's kind is drawn for itself, by the weights:
// in rounds that hold each kind as often as it weighs, a window would end in a slow one
// more often than it begins with one, and the rate and the shares be those of no user.
func (c *crowd) user(g int) harness.Request {
	asks := c.clients[g]
	random := rand.New(rand.NewPCG(c.seed, uint64(g)))
	number := c.scenario.FirstUser + g
	var target, body []byte
	n := 0
	return func() harness.Answer {
		kind := c.drawn[random.IntN(len(c.drawn))]
		w := c.wishes[kind]
		target, body = w.target.appendTo(target[:0], number, n, c.run), w.body.appendTo(body[:0], number, n, c.run)
		n++
		return answer(kind, asks, target, body)
	}
}

// asking is this process, which asks.
func (s Scenario) asking() results.Process {
	return results.Process{Name: results.Generator, CPUNS: cause.OfProcess(os.Getpid()), Most: runtime.GOMAXPROCS(0), Processors: s.processors}
}

// dialing is how many connections are opened at once.
const dialing = 64

// dial opens the users' connections. One that cannot be opened is tried again by its
// user's first request, which tells why not.
func (c *crowd) dial(users int) error {
	clients, errs := make([]client, users), make([]error, users)
	var group sync.WaitGroup
	turns := make(chan struct{}, dialing)
	for g := range users {
		turns <- struct{}{}
		group.Go(func() {
			defer func() { <-turns }()
			clients[g], errs[g] = c.client()
		})
	}
	group.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	c.clients = clients
	return nil
}

func answer(kind int, asks client, target, body []byte) harness.Answer {
	status, size, err := asks.do(kind, target, body)
	if err != nil {
		return harness.Answer{Kind: kind, Failure: reason(err)}
	}
	return harness.Answer{Kind: kind, Bytes: size, Failure: failed(status)}
}

func (c *crowd) client() (client, error) {
	if c.scenario.NetHTTP {
		return newFaithful(c.ctx, c.scenario, c.wishes), nil
	}
	return newFast(c.ctx, c.scenario, c.wishes)
}

// pause draws how long a user rests.
func (c *crowd) pause(g int) func() time.Duration {
	random := rand.New(rand.NewPCG(c.seed, 1<<32|uint64(g)))
	from, span := c.scenario.Wait.From, int64(c.scenario.Wait.To-c.scenario.Wait.From)
	return func() time.Duration { return from + time.Duration(random.Int64N(span+1)) }
}

func (c *crowd) close() error {
	for _, client := range c.clients {
		if client != nil { // a worker's user that never began has none
			client.close()
		}
	}
	err := c.server.Stop()
	c.cancel()
	return err
}

// Reach asks for a connection once, before anything is measured, and says why there is
// none.
func Reach(ctx context.Context, s Scenario) error {
	s = s.withDefaults()
	u, err := url.Parse(s.URL)
	if err != nil {
		return err
	}
	c := &fast{scenario: s, ctx: ctx, url: u}
	defer c.close()
	err = c.dial()
	switch {
	case err != nil && ctx.Err() != nil: // nobody waits for it any more
		return fmt.Errorf("reach %s: %w", u.Host, ctx.Err())
	case err != nil:
		return fmt.Errorf("reach %s: %s", u.Host, reason(err))
	}
	return nil
}
