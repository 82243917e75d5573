//go:build linux

package crashtest

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"time"
)

// childEnv tells a process that it is a child, and what to do.
const childEnv = "SYNCWRITE_CRASHTEST"

// Main turns the process into a child that appends, if it was started as one,
// and returns otherwise. A program that uses the rig calls it first, with all
// the backends it has.
func Main(backends []Backend) {
	if os.Getenv(childEnv) == "" {
		return
	}
	fmt.Fprintln(os.Stderr, run(backends, os.Args[len(os.Args)-4:]))
	os.Exit(1)
}

// enough is how many appends a child makes at most: they fit onto the disk.
const enough = 40_000

// run is the child: its arguments are the backend's number, the log's path,
// the file of the acks, and whether to take its time.
func run(backends []Backend, args []string) error {
	number, err := strconv.Atoi(args[0])
	if err != nil || number >= len(backends) {
		return fmt.Errorf("no backend %s", args[0])
	}
	acks, err := mapAcks(args[2])
	if err != nil {
		return err
	}
	log, err := backends[number].Open(args[1])
	if err != nil {
		return err
	}
	return appendForEver(log, acks, args[3] == "paced")
}

// appendForEver appends to a log from all goroutines, and notes in acks what
// was acknowledged, until the log fails or the parent ends the process. With
// many appends done it waits for that.
func appendForEver(log Log, acks *acks, paced bool) error {
	errs := make([]error, Goroutines)
	var group sync.WaitGroup
	for g := range Goroutines {
		group.Go(func() {
			for seq := uint64(0); seq < enough/Goroutines && errs[g] == nil; seq++ {
				var index uint64
				if index, errs[g] = log.Append(valueOf(g, seq)); errs[g] == nil {
					acks.note(g, seq, index)
				}
				if paced && seq%4 == 3 {
					time.Sleep(time.Millisecond)
				}
			}
		})
	}
	group.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	for {
		time.Sleep(time.Hour)
	}
}

// A child is a process that appends to a log.
type child struct {
	*exec.Cmd
	acks   *acks
	said   bytes.Buffer
	exited chan struct{}
}

// startChild starts one and waits for its first acknowledgement.
func startChild(number int, path, ackPath, pace string) (*child, error) {
	if err := os.RemoveAll(ackPath); err != nil {
		return nil, err
	}
	acks, err := mapAcks(ackPath)
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	c := &child{acks: acks, exited: make(chan struct{})}
	c.Cmd = exec.Command(self, strconv.Itoa(number), path, ackPath, pace)
	c.Env = append(os.Environ(), childEnv+"=1")
	c.Stderr = &c.said
	if err := c.Start(); err != nil {
		return nil, err
	}
	go func() { c.Wait(); close(c.exited) }()
	return c, c.awaitFirst()
}

// awaitFirst returns once an append was acknowledged.
func (c *child) awaitFirst() error {
	for c.acks.total() == 0 {
		select {
		case <-c.exited:
			return fmt.Errorf("child ended by itself: %s", c.said.String())
		case <-time.After(100 * time.Microsecond):
		}
	}
	return nil
}

// kill ends the child with SIGKILL, if it still runs, and returns what was
// acknowledged to it.
func (c *child) kill() (snapshot, error) {
	select {
	case <-c.exited:
		return snapshot{}, fmt.Errorf("child ended by itself: %s", c.said.String())
	default:
	}
	c.Process.Kill()
	<-c.exited
	return c.acks.snapshot(), nil
}
