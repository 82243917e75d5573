package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"strconv"
	"sync"
	"time"
)

// What is appended where drivers are killed.
const (
	killThreads = 8
	killPayload = 64
)

// A victim is a driver that appends until it is killed.
type victim struct {
	driver driver
	cmd    *exec.Cmd
	stderr bytes.Buffer
	ended  chan error // gets what reading its acknowledgements ended with
	first  chan struct{}

	mu    sync.Mutex
	acked []anAppend
}

// startVictim returns when the first append was acknowledged.
func startVictim(ctx context.Context, d driver, h home, dir string) (*victim, error) {
	v := &victim{driver: d, ended: make(chan error, 1), first: make(chan struct{})}
	v.cmd = d.process(ctx, h, dir, strconv.Itoa(killThreads), strconv.Itoa(killPayload), "kill")
	v.cmd.Stderr = &v.stderr
	out, err := v.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := v.cmd.Start(); err != nil {
		return nil, err
	}
	go func() { v.ended <- v.listen(out) }()
	select {
	case <-v.first:
		return v, nil
	case err := <-v.ended:
		v.ended <- err
	case <-time.After(patience):
	}
	_, err = v.kill()
	return nil, d.failure(errors.Join(errors.New("no append was acknowledged"), err), &v.stderr)
}

// listen notes acknowledgements as they are read.
func (v *victim) listen(out io.Reader) error {
	err := readAppends(out, ackPrefix, func(a anAppend) {
		v.mu.Lock()
		defer v.mu.Unlock()
		if v.acked = append(v.acked, a); len(v.acked) == 1 {
			close(v.first)
		}
	})
	_, drained := io.Copy(io.Discard, out) // a full pipe would hold the victim up
	return errors.Join(err, drained)
}

// acks are the acknowledgements that were read until now.
func (v *victim) acks() []anAppend {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.acked[:len(v.acked):len(v.acked)]
}

// kill ends the victim by SIGKILL. It returns all that it had acknowledged.
func (v *victim) kill() ([]anAppend, error) {
	err := v.cmd.Process.Kill()
	heard := <-v.ended
	v.cmd.Wait() // says that it was killed
	return v.acks(), errors.Join(err, heard)
}

// sleepABit waits for 20 to 300 ms, so that a crash comes at no special moment.
func sleepABit() { time.Sleep(20*time.Millisecond + rand.N(280*time.Millisecond)) }

// killOnce kills a driver in a fresh directory and compares what is left.
func killOnce(ctx context.Context, d driver, h home, dir string) (crash, error) {
	var c crash
	err := inFresh(dir, func(fresh string) error {
		v, err := startVictim(ctx, d, h, fresh)
		if err != nil {
			return err
		}
		sleepABit()
		acked, err := v.kill()
		if err != nil {
			return err
		}
		c = examine(ctx, d, h, fresh, acked)
		return ctx.Err()
	})
	return c, err
}

// A crash is what one crash left.
type crash struct {
	acked, lost int
	refused     error // the log could not be read
}

// examine reads the log in dir and looks for what was acknowledged.
func examine(ctx context.Context, d driver, h home, dir string, acked []anAppend) crash {
	out, err := d.output(ctx, h, dir, "verify")
	found := map[anAppend]bool{}
	if err == nil {
		err = readAppends(bytes.NewReader(out), "", func(a anAppend) { found[a] = true })
	}
	if err != nil {
		return crash{acked: len(acked), refused: fmt.Errorf("verify: %w", err)}
	}
	return crash{acked: len(acked), lost: lost(acked, found)}
}
