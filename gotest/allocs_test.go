package gotest

import (
	"os/exec"
	"regexp"
	"testing"
)

// A call of RunParallel allocates as often as under go test: what is ours is made while the timer is off.
func TestNoAllocationIsAdded(t *testing.T) {
	perOp := regexp.MustCompile(`(?m)^BenchmarkCalls.*\t +([0-9]+ allocs/op)$`)
	eachRelease(t, func(t *testing.T, _ string) {
		args := []string{"-tags=allocs", "-run=^$", "-bench=Calls", "-benchtime=200x", "-cpu=1"}
		plain := exec.Command("go", append([]string{"test"}, args...)...)
		plain.Dir = sample
		out, err := plain.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		want, got := perOp.FindStringSubmatch(string(out)), perOp.FindStringSubmatch(runSample(t, args...).stdout)
		if want == nil || got == nil || want[1] != got[1] {
			t.Errorf("%q, go test has %q", got, want)
		}
	})
}
