package turn

import "syscall"

// yield lets another thread run that waits for this one's processor. A goroutine
// that has what we wait for may be on such a thread: the system often leaves two
// threads of a process on one processor, with the other one idle, and gives each
// some milliseconds in turn.
func yield() { syscall.RawSyscall(syscall.SYS_SCHED_YIELD, 0, 0, 0) }
