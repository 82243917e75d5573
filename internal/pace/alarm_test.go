package pace

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"
)

// An alarm is never early, and what has passed is now.
func TestNeverEarly(t *testing.T) {
	a, err := New()
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	for _, ahead := range []time.Duration{-time.Hour, 0, 1, time.Microsecond, 100 * time.Microsecond, 20 * time.Millisecond} {
		at := nanotime() + int64(ahead)
		if err := a.Until(at); err != nil || nanotime() < at {
			t.Errorf("%v ahead: %v, %d ns early", ahead, err, at-nanotime())
		}
	}
	if err := a.Until(0); err != nil {
		t.Errorf("moment 0: %v", err)
	}
}

// Close ends a wait.
func TestCloseEndsAWait(t *testing.T) {
	a, err := New()
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	go func() { ended <- a.Until(nanotime() + int64(time.Hour)) }()
	time.Sleep(time.Millisecond)
	a.Close()
	if err := <-ended; !errors.Is(err, os.ErrClosed) {
		t.Error(err)
	}
}

// How late an alarm is, beside time.Sleep, with nothing else to do: p50 and p99 at so
// many moments a second.
func BenchmarkLate(b *testing.B) {
	a, err := New()
	if err != nil {
		b.Fatal(err)
	}
	defer a.Close()
	for _, perSecond := range []int64{2_000, 5_000, 10_000} {
		for name, wait := range map[string]func(at int64){
			"alarm": func(at int64) { a.Until(at) },
			"sleep": func(at int64) { time.Sleep(time.Duration(at - nanotime())) },
		} {
			b.Run(fmt.Sprintf("rate=%d/%s", perSecond, name), func(b *testing.B) {
				late := make([]int64, b.N)
				at := nanotime()
				for i := range late {
					if at += 1_000_000_000 / perSecond; at > nanotime() {
						wait(at)
					}
					late[i] = nanotime() - at
				}
				slices.Sort(late)
				b.ReportMetric(float64(late[len(late)/2]), "p50-ns")
				b.ReportMetric(float64(late[len(late)*99/100]), "p99-ns")
			})
		}
	}
}
