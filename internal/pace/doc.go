// Package pace waits for moments of the monotonic clock, more closely than
// time.Sleep does: where all goroutines wait, the runtime sleeps for whole
// milliseconds (epoll_wait counts in these), so that a timer of the runtime comes half
// a millisecond late at the median. A timerfd (timerfd_create(2)) ends that sleep at
// its moment.
//
// Do not use it for moments less than some 50 µs apart: what is due then comes at once.
package pace
