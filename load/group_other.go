//go:build !unix

package load

import (
	"context"
	"os/exec"
)

// inGroup is a program; here nothing gathers what it starts.
func inGroup(ctx context.Context, program string, words ...string) *exec.Cmd {
	return exec.CommandContext(ctx, program, words...)
}
