package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"
)

// patience is how long a driver may take for anything that ends by itself.
const patience = 2 * time.Minute

// process is the driver with the words that follow its first.
func (d driver) process(ctx context.Context, h home, words ...string) *exec.Cmd {
	argv := append(d.command(h), words...)
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Env = append(os.Environ(), d.environment...)
	return cmd
}

// output runs the driver to its end and returns what it printed.
func (d driver) output(ctx context.Context, h home, words ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var stderr bytes.Buffer
	cmd := d.process(ctx, h, words...)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	return out, d.failure(err, &stderr)
}

// failure adds to err what the driver said last.
func (d driver) failure(err error, stderr *bytes.Buffer) error {
	if err == nil {
		return nil
	}
	said := bytes.TrimSpace(stderr.Bytes())
	if at := bytes.IndexByte(said, '\n'); at >= 0 {
		said = said[:at]
	}
	return fmt.Errorf("%s: %w: %s", d.name, err, said)
}

// inFresh runs work in a new directory within dir and removes that.
func inFresh(dir string, work func(string) error) error {
	fresh, err := os.MkdirTemp(dir, "foreign-")
	if err != nil {
		return err
	}
	return errors.Join(work(fresh), os.RemoveAll(fresh))
}
