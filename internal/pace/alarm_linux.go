package pace

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// An Alarm wakes one goroutine at a time. It has to be closed.
type Alarm struct {
	file  *os.File
	ticks [8]byte
}

// New makes an alarm.
func New() (*Alarm, error) {
	fd, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("make a timer: %w", err)
	}
	return &Alarm{file: os.NewFile(uintptr(fd), "timerfd")}, nil // the runtime's poller waits for it
}

// Until waits until a moment of the runtime's monotonic clock, in nanoseconds. A
// moment that has passed is now. After Close it returns [os.ErrClosed].
func (a *Alarm) Until(moment int64) error {
	raw, err := a.file.SyscallConn()
	if err != nil {
		return err
	}
	spec := unix.ItimerSpec{Value: unix.NsecToTimespec(max(moment, 1))} // 0 would disarm it
	var failed error
	if err := raw.Control(func(fd uintptr) { failed = unix.TimerfdSettime(int(fd), unix.TFD_TIMER_ABSTIME, &spec, nil) }); err != nil {
		return err
	}
	if failed != nil {
		return fmt.Errorf("set a timer: %w", failed)
	}
	_, err = a.file.Read(a.ticks[:])
	return err
}

// Close ends a wait that is under way.
func (a *Alarm) Close() error { return a.file.Close() }
