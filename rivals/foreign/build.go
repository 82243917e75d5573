package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
)

// buildCommand builds all drivers that there are tools for.
func buildCommand(ctx context.Context) error {
	h, err := findHome()
	if err != nil {
		return err
	}
	if err := h.unpack(); err != nil {
		return fmt.Errorf("unpack the sources: %w", err)
	}
	return errors.Join(
		h.build(ctx, rust, "build", "--release", "--target-dir", h.in("target")),
		h.build(ctx, maven, "-q", "package", "-Dtarget="+h.in("chronicle")),
	)
}

// directory is where the sources are that t builds.
func (h home) directory(t toolchain) string {
	if t == maven {
		return h.in("src", "chronicle")
	}
	return h.in("src")
}

// unpack lays the sources out anew.
func (h home) unpack() error {
	if err := os.RemoveAll(h.in("src")); err != nil {
		return err
	}
	return os.CopyFS(h.in("src"), sources)
}

// build runs t and notes that it has built today's sources.
func (h home) build(ctx context.Context, t toolchain, args ...string) error {
	if _, err := exec.LookPath(string(t)); err != nil {
		say("%s is missing: not built: %s", t, namesOf(builtBy(t)))
		return nil
	}
	if t == maven { // jars of other versions would be on the class path
		if err := os.RemoveAll(h.in("chronicle")); err != nil {
			return err
		}
	}
	say("%s builds %s", t, namesOf(builtBy(t)))
	cmd := exec.CommandContext(ctx, string(t), args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = h.directory(t), os.Stderr, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w", t, err)
	}
	sum, err := fingerprint()
	if err != nil {
		return err
	}
	return os.WriteFile(h.stamp(t), []byte(sum), 0o666)
}

// say tells the user on standard error what is going on.
func say(format string, args ...any) { fmt.Fprintf(os.Stderr, "foreign: "+format+"\n", args...) }
