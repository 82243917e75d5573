package locust

import (
	"errors"
	"fmt"
	"time"

	"github.com/syncwrite/syncwrite/results"
)

// errStuck says that users did not end.
var errStuck = errors.New("users did not end their last operation")

// halt has no user begin anything more, and waits so long for what they do; in a hurry,
// as long as a master that quits listens.
func (c *crew) halt(patience time.Duration, hurry <-chan struct{}) error {
	if err := c.set(0); err != nil {
		return err
	}
	ended := make(chan struct{})
	go func() { c.group.Wait(); close(ended) }()
	late := time.After(patience)
	for {
		select {
		case <-ended:
			c.mu.Lock()
			defer c.mu.Unlock()
			if c.ended == 0 {
				c.ended = time.Since(c.began)
			}
			return nil
		case <-hurry:
			patience, hurry = parting, nil
			late = time.After(patience)
		case <-late:
			return fmt.Errorf("%w within %v; in no figure: %s", errStuck, patience, results.Count(c.underWay(), "operation"))
		}
	}
}

// underWay is how many users have not ended.
func (c *crew) underWay() (n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, active := range c.active {
		if active {
			n++
		}
	}
	return n
}

// close ends the run of a crew that has halted.
func (c *crew) close() (doubt, err error) {
	defer c.cancel()
	for _, u := range c.users {
		u.flush()
	}
	return c.run.Close(c.tally.succeeded())
}

// abandon gives up the run of users that do not end: what they wait for is ended, and
// nothing more is asked.
func (c *crew) abandon() {
	c.abandoned = true
	c.cancel()
}
