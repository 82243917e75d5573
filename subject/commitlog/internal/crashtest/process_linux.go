package crashtest

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// patience is how long the rig waits for what should take milliseconds, on a
// machine that is busy with something else.
const patience = 30 * time.Second

// A child is a process that appends to a log.
type child struct {
	cmd    *exec.Cmd
	stderr bytes.Buffer
	ended  chan struct{} // closed when the process is gone
}

// startChild starts a child and returns when its first append of this run was
// acknowledged. It inherits inherited as file 3, unless that is nil.
func startChild(b Backend, path, slotsPath string, s *slots, inherited *os.File) (*child, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("start child: %w", err)
	}
	c := &child{cmd: exec.Command(program), ended: make(chan struct{})}
	c.cmd.Env = append(os.Environ(), envBackend+"="+b.Name, envLog+"="+path, envSlots+"="+slotsPath)
	c.cmd.Stderr = &c.stderr
	c.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} // a child that is stopped would stay for ever
	if inherited != nil {
		c.cmd.ExtraFiles = []*os.File{inherited}
	}
	if err := c.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start child: %w", err)
	}
	go func() {
		c.cmd.Wait() // how it ended is in ProcessState
		close(c.ended)
	}()
	if err := c.await("its first append", func() bool { return s.any() }); err != nil {
		return nil, errors.Join(err, c.kill())
	}
	return c, nil
}

// await polls until done, and fails if the child ends or nothing happens.
func (c *child) await(what string, done func() bool) error {
	for deadline := time.Now().Add(patience); !done(); time.Sleep(100 * time.Microsecond) {
		if err := c.died(); err != nil {
			return err
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("child %d: waited %v for %s", c.cmd.Process.Pid, patience, what)
		}
	}
	return nil
}

// died says why the child has ended, if it has.
func (c *child) died() error {
	select {
	case <-c.ended:
		return fmt.Errorf("child %v: %s", c.cmd.ProcessState, bytes.TrimSpace(c.stderr.Bytes()))
	default:
		return nil
	}
}

// kill ends the child by SIGKILL and returns when it is gone.
func (c *child) kill() error {
	err := c.cmd.Process.Kill()
	<-c.ended
	if errors.Is(err, os.ErrProcessDone) {
		return nil
	}
	return err
}

// stop stops the child and returns when none of its threads is in the kernel
// any more.
func (c *child) stop() error {
	if err := c.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		return fmt.Errorf("stop child: %w", err)
	}
	return c.await("all threads to stop", c.stopped)
}

func (c *child) resume() error {
	if err := c.cmd.Process.Signal(syscall.SIGCONT); err != nil {
		return fmt.Errorf("resume child: %w", err)
	}
	return nil
}

func (c *child) stopped() bool {
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", c.cmd.Process.Pid))
	if err != nil || len(tasks) == 0 {
		return false
	}
	for _, task := range tasks {
		stat, err := os.ReadFile(task)
		// The state follows the name, which is in brackets and may hold any.
		if at := bytes.LastIndexByte(stat, ')'); err != nil || at < 0 || !bytes.HasPrefix(stat[at:], []byte(") T")) {
			return false
		}
	}
	return true
}
