//go:build !linux

package processors

import (
	"net/netip"
	"os/exec"
)

// Here no process is held to processors.
func Usable() []int { return nil }

func Start(_ []int, c *exec.Cmd) error { return c.Start() }

func Hold([]int) (release func()) { return func() {} }

func Used(int) (ns int64, known bool) { return 0, false }

func Listener(netip.AddrPort) (pid int, usable []int, listens bool) { return 0, nil, false }
