//go:build child

package sample

import (
	"os"
	"os/exec"
	"testing"

	"example.com/sample/early"
)

// It starts the benchmarks of this binary once more: as os/exec does, and with an
// environment that was read before anything of package testing ran.
func BenchmarkChild(b *testing.B) {
	if os.Getenv("SAMPLE_CHILD") != "" {
		b.RunParallel(body)
		return
	}
	if dir := os.Getenv("SYNCWRITE_GOTEST_DIR"); dir != "" {
		b.Fatalf("%s is still in the environment", dir)
	}
	for _, c := range []*exec.Cmd{{Env: os.Environ()}, {Env: early.Environ}} {
		c.Path = os.Args[0]
		c.Args = []string{c.Path, "-test.run=^$", "-test.bench=Child|Parallel$", "-test.benchtime=1x"}
		c.Env = append(c.Env, "SAMPLE_CHILD=1")
		if out, err := c.CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
	}
}
