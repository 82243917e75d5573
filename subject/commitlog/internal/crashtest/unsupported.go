//go:build !linux

package crashtest

import (
	"errors"
	"fmt"
)

var errNotLinux = fmt.Errorf("crashes are made on Linux only: %w", errors.ErrUnsupported)

// Divert does nothing: no rig starts a process here.
func Divert(...Backend) {}

// Kills fails: it needs Linux.
func Kills(Backend, Options) ([]Outcome, error) { return nil, errNotLinux }

// Images fails: it needs Linux.
func Images(Backend, Options) ([]Outcome, error) { return nil, errNotLinux }

// CanKill says why Kills cannot work here.
func CanKill() error { return errNotLinux }

// CanImage says why Images cannot work here.
func CanImage() error { return errNotLinux }
