//go:build !linux

package main

import (
	"context"
	"errors"
)

func canImage() error { return errors.New("crash images need Linux") }

func imageOnce(context.Context, driver, home, string) (crash, error) { return crash{}, canImage() }
