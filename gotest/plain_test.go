package gotest

import (
	"bytes"
	"testing"
)

// ops/s is added to result lines and to nothing else, however the output comes
// in pieces.
func TestOpsWriter(t *testing.T) {
	const in = `goos: linux
BenchmarkA-2   	     100	      2000 ns/op	  16 B/op
BenchmarkB   	       1	         0.5000 ns/op
BenchmarkC-2   	     100	         7.000 widgets
    a_test.go:1: 100	 2000 ns/op
{"Action":"output","Output":"BenchmarkD-2 \t"}
{"Action":"output","Output":"     100\t      4000 ns/op\t 3 \u003c/op\n"}
{"Action":"output","Output":"ok\n"}
PASS`
	const want = `goos: linux
BenchmarkA-2   	     100	      2000 ns/op	5e+05 ops/s	  16 B/op
BenchmarkB   	       1	         0.5000 ns/op	2e+09 ops/s
BenchmarkC-2   	     100	         7.000 widgets
    a_test.go:1: 100	 2000 ns/op
{"Action":"output","Output":"BenchmarkD-2 \t"}
{"Action":"output","Output":"     100\t      4000 ns/op\t2.5e+05 ops/s\t 3 \u003c/op\n"}
{"Action":"output","Output":"ok\n"}
PASS`
	for _, size := range []int{1, 7, len(in)} {
		var out bytes.Buffer
		w := newOpsWriter(&out)
		for text := []byte(in); len(text) > 0; {
			n := min(size, len(text))
			if _, err := w.Write(text[:n]); err != nil {
				t.Fatal(err)
			}
			text = text[n:]
		}
		if err := w.flush(); err != nil || out.String() != want {
			t.Errorf("in pieces of %d: %v\n%s", size, err, out.String())
		}
	}
}
