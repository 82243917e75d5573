//go:build !linux

package pace

import (
	"os"
	"sync"
	"time"
)

// An Alarm wakes one goroutine at a time. It has to be closed.
type Alarm struct {
	closed chan struct{}
	once   sync.Once
}

// New makes an alarm.
func New() (*Alarm, error) { return &Alarm{closed: make(chan struct{})}, nil }

// Until waits until a moment of the runtime's monotonic clock, in nanoseconds. A
// moment that has passed is now. After Close it returns [os.ErrClosed].
func (a *Alarm) Until(moment int64) error {
	timer := time.NewTimer(time.Duration(moment - nanotime()))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-a.closed:
		return os.ErrClosed
	}
}

// Close ends a wait that is under way.
func (a *Alarm) Close() error {
	a.once.Do(func() { close(a.closed) })
	return nil
}
