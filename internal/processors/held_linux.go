package processors

import (
	"os"
	"os/exec"
	"runtime"
	"strconv"

	"golang.org/x/sys/unix"
)

// Usable are those that this process may use, by number.
func Usable() []int {
	var set unix.CPUSet
	if unix.SchedGetaffinity(0, &set) != nil {
		return nil
	}
	return members(set)
}

func members(set unix.CPUSet) (all []int) {
	for i := range 8 * len(set) * 8 {
		if set.IsSet(i) {
			all = append(all, i)
		}
	}
	return all
}

func setOf(processors []int) *unix.CPUSet {
	set := new(unix.CPUSet)
	for _, p := range processors {
		set.Set(p)
	}
	return set
}

// Start starts a command that is held to processors; to none in particular if none are
// named.
func Start(processors []int, c *exec.Cmd) error {
	if len(processors) == 0 {
		return c.Start()
	}
	started := make(chan error)
	go func() {
		runtime.LockOSThread() // to its end, and the thread ends with it; what it starts is held as it is
		err := os.NewSyscallError("sched_setaffinity", unix.SchedSetaffinity(0, setOf(processors)))
		if err == nil {
			err = c.Start()
		}
		started <- err
	}()
	return <-started
}

// Hold holds this process to processors until it is released; to none in particular if
// none are named.
func Hold(held []int) (release func()) {
	if len(held) == 0 {
		return func() {}
	}
	before, procs := Usable(), runtime.GOMAXPROCS(min(runtime.GOMAXPROCS(0), len(held)))
	holdThreads(held)
	return func() {
		holdThreads(before)
		runtime.GOMAXPROCS(procs)
	}
}

// holdThreads holds every thread of this process; later ones are held as those that start
// them. It goes on until it finds no further one: one can have been started meanwhile by one
// that was not held yet. The system can grant fewer processors than it is asked for.
func holdThreads(processors []int) {
	set, asked := setOf(processors), map[int]bool{}
	for more := true; more; {
		more = false
		threads, _ := os.ReadDir("/proc/self/task")
		for _, t := range threads {
			id, _ := strconv.Atoi(t.Name()) // a number
			var is unix.CPUSet
			if asked[id] || unix.SchedGetaffinity(id, &is) != nil || is == *set { // one that has ended needs none
				continue
			}
			asked[id] = true
			more = unix.SchedSetaffinity(id, set) == nil || more
		}
	}
}
