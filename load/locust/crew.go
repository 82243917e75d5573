package locust

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"github.com/syncwrite/syncwrite/harness"
)

// Users are what a worker runs.
type Users interface {
	// Open begins a run: the users from stopped to stopped.
	Open(ctx context.Context, o Options) (Run, error)
}

// Options are what Locust's page, or its command line, says of a run.
type Options struct {
	Host   string            // empty: none is named
	Values map[string]string // options whose names begin with syncwrite_, without that
}

// A Run is what users work at. Its methods are called one at a time.
type Run interface {
	Kinds() []Kind
	// Most is how many users there can be.
	Most() int
	// User makes user g, from 0; each once, and one after another.
	User(g int) (User, error)
	// Close ends the run, after the last user's last operation, of which so many succeeded
	// since the run began. It returns an error if they did not have their effect; where no more
	// was promised, that is a doubt.
	Close(done int) (doubt, err error)
}

// A crew is the users of a run.
type crew struct {
	run    Run
	kinds  []Kind
	began  time.Time     // by this machine's clock
	ahead  time.Duration // the master's, of that
	number int           // of the worker's runs, from 1
	named  string        // the run, by its master; empty: it gives no names
	lasts  time.Duration // 0: not known
	told   Options       // that it began with, or that it was said of that it does not heed them
	tally  *tally
	cancel func()

	abandoned bool // nobody is told of what users did since; known to the worker's loop alone

	want atomic.Int64 // the first so many users are at work; changed under mu

	mu      sync.Mutex
	most    int              // users, since what they did was last taken
	taken   time.Time        // when that was; at first when the run began
	cycles  []harness.Cycles // of those who ended since that was last told
	ended   time.Duration    // 0: they have not
	changed chan struct{}
	users   []*busy
	active  []bool
	group   sync.WaitGroup
}

// openCrew begins a run without users, as it was ordered.
func openCrew(ctx context.Context, users Users, order order) (*crew, error) {
	ctx, cancel := context.WithCancel(ctx)
	run, err := users.Open(ctx, order.options)
	if err != nil {
		cancel()
		return nil, err
	}
	kinds := run.Kinds()
	now := time.Now()
	return &crew{run: run, kinds: kinds, began: now, taken: now, ahead: order.ahead, named: order.run, lasts: order.lasts, told: order.options, tally: newTally(len(kinds)), cancel: cancel, changed: make(chan struct{})}, nil
}

// set has so many users at work from now on. Those that are no longer wanted end what they
// do; nobody waits for that.
func (c *crew) set(want int) error {
	for len(c.users) < want {
		u, err := c.run.User(len(c.users))
		if err != nil {
			return fmt.Errorf("user %d: %w", len(c.users), err)
		}
		c.mu.Lock()
		c.users, c.active = append(c.users, newBusy(u, c.began, c.lasts, c.tally)), append(c.active, false)
		c.mu.Unlock()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.want.Store(int64(want))
	c.most = max(c.most, want)
	close(c.changed)
	c.changed = make(chan struct{})
	for g := range want {
		if !c.active[g] {
			c.active[g] = true
			c.group.Go(func() { c.work(g) })
		}
	}
	return nil
}

// work is a user's goroutine. One that is wanted again before it has ended goes on.
func (c *crew) work(g int) {
	c.mu.Lock()
	u := c.users[g]
	c.mu.Unlock()
	for told := false; ; {
		seen := u.work(func() bool { return c.wanted(g) }, func(d time.Duration) bool { return c.rest(g, d) })
		c.mu.Lock()
		if ends := !c.wanted(g); seen.Begun > 0 || ends && !told { // also who was never answered
			c.cycles, told = append(c.cycles, seen), true
		}
		if !c.wanted(g) {
			c.active[g] = false
			c.mu.Unlock()
			return
		}
		c.mu.Unlock()
	}
}

// takeCycles are those of the users who have ended since it was last asked.
func (c *crew) takeCycles() []harness.Cycles {
	c.mu.Lock()
	defer c.mu.Unlock()
	taken := c.cycles
	c.cycles = nil
	return taken
}

// isOther reports whether a run of a name is another one.
func (c *crew) isOther(run string) bool { return c.named != "" && run != c.named }

func (c *crew) wanted(g int) bool { return int64(g) < c.want.Load() }

// rest waits so long, or until user g is no longer wanted: then it is false.
func (c *crew) rest(g int, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	for {
		c.mu.Lock()
		wanted, changed := c.wanted(g), c.changed
		c.mu.Unlock()
		if !wanted {
			return false
		}
		select {
		case <-timer.C:
			return true
		case <-changed:
		}
	}
}

// errOptions says that a run goes on with the options that it began with.
var errOptions = errors.New("options are those with which the run began: stop it, and start it anew")

// heeds is an error if options are not those of this run, once for each change of them.
func (c *crew) heeds(o Options) error {
	if o.Host == c.told.Host && maps.Equal(o.Values, c.told.Values) {
		return nil
	}
	c.told = o
	return errOptions
}

// take returns what users did since it was last called, when that was, and how many there were
// at most.
func (c *crew) take() (of seconds, from time.Time, most int) {
	c.mu.Lock()
	users := c.users[:len(c.users):len(c.users)]
	most, c.most = c.most, int(c.want.Load())
	from, c.taken = c.taken, time.Now()
	c.mu.Unlock()
	for _, u := range users {
		u.flush()
	}
	return c.tally.take(), from, most
}

// lasted is how long users were at work, from the beginning to the end of the last.
func (c *crew) lasted() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended > 0 {
		return c.ended
	}
	return time.Since(c.began)
}
