package processors

import "golang.org/x/sys/unix"

// Used is how much processor time a process itself has used so far, in nanoseconds, by its
// clock (clock_getcpuclockid(3)), whose number holds the process's, inverted, above three
// bits that say which one; false where that cannot be told.
func Used(pid int) (ns int64, known bool) {
	const ofScheduler = 2
	var t unix.Timespec
	err := unix.ClockGettime(int32(^pid<<3|ofScheduler), &t)
	return t.Nano(), err == nil
}
