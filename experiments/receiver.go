package experiments

import (
	"errors"
	"sync"
)

// startReceiver starts the receiver of a trial, and returns what ends it: that closes
// what is received from, and waits until all that is in it was taken. After an error
// of receive, drain takes what comes and leaves it, so that no producer waits for ever.
func startReceiver(receive, drain, close func() error) (end func() error) {
	ended := make(chan error, 1)
	go func() {
		err := receive()
		if err != nil {
			drain()
		}
		ended <- err
	}()
	return sync.OnceValue(func() error {
		err := close()
		return errors.Join(err, <-ended)
	})
}
