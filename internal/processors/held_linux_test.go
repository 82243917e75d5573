package processors

import (
	"bytes"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// Server and generator get processors of their own where there is one for each worker and
// one more.
func TestSplit(t *testing.T) {
	for _, c := range []struct{ processors, server, generator []int }{
		{[]int{0, 1}, nil, nil},
		{[]int{0, 1, 2, 3}, nil, nil},
		{[]int{0, 1, 2, 3, 6}, []int{0}, []int{1, 2, 3, 6}},
		{[]int{0, 1, 2, 3, 4, 5, 6, 7}, []int{0, 1, 2, 3}, []int{4, 5, 6, 7}},
	} {
		if server, generator := Split(c.processors, 4); !slices.Equal(server, c.server) || !slices.Equal(generator, c.generator) {
			t.Errorf("of %v: %v and %v", c.processors, server, generator)
		}
	}
}

// What is started on a processor runs on no other; what starts it is as it was.
func TestStart(t *testing.T) {
	before := Usable()
	last := before[len(before)-1:]
	for _, held := range [][]int{last, nil} {
		c := exec.Command("grep", "Cpus_allowed:", "/proc/self/status")
		var out bytes.Buffer
		c.Stdout = &out
		if err := Start(held, c); err != nil {
			t.Fatal(err)
		}
		if err := c.Wait(); err != nil {
			t.Fatal(err)
		}
		want := len(before)
		if held != nil {
			want = 1
		}
		if got := bits(out.String()); got != want {
			t.Errorf("started on %v: %d processors in %q", held, got, out.String())
		}
	}
	if !slices.Equal(Usable(), before) {
		t.Errorf("this thread may use %v, before %v", Usable(), before)
	}
}

// bits counts those of a mask in hexadecimal.
func bits(text string) (n int) {
	_, mask, _ := strings.Cut(text, ":")
	for _, digit := range strings.TrimSpace(mask) {
		for v := strings.IndexRune("0123456789abcdef", digit); v > 0; v >>= 1 {
			n += v & 1
		}
	}
	return n
}

// A process that is held uses those processors alone, and all of them again later.
func TestHold(t *testing.T) {
	before, procs := Usable(), runtime.GOMAXPROCS(0)
	release := Hold(before[:1])
	got := make(chan []int)
	for range 8 {
		go func() {
			runtime.LockOSThread() // a thread of its own, perhaps a new one
			got <- Usable()
		}()
		if now := <-got; !slices.Equal(now, before[:1]) {
			t.Errorf("held to %v: a thread may use %v", before[:1], now)
		}
	}
	if n := runtime.GOMAXPROCS(0); n != 1 {
		t.Errorf("GOMAXPROCS %d", n)
	}
	release()
	if !slices.Equal(Usable(), before) || runtime.GOMAXPROCS(0) != procs {
		t.Errorf("released: %v, GOMAXPROCS %d", Usable(), runtime.GOMAXPROCS(0))
	}
}
