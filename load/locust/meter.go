package locust

import (
	"math"
	"os"
	"runtime"
	"runtime/metrics"
	"time"

	"github.com/syncwrite/syncwrite/internal/cause"
)

// A meter is how much processor time this process uses.
type meter struct {
	at    time.Time
	then  float64 // s used until then
	share float64 // s used until the last share
}

// processors is how many this process can use at once.
func processors() int { return min(runtime.GOMAXPROCS(0), runtime.NumCPU()) }

// used is in seconds since the process began; 0 where the system does not tell.
func used() float64 {
	if ns := float64(cause.OfProcess(os.Getpid())); !math.IsNaN(ns) {
		return ns / 1e9
	}
	return 0
}

// percent is of all processors that it can use, since it was last asked. Above 90 a master
// warns that the worker, and not what it asks, may be what is slow.
func (m *meter) percent() float64 {
	now, u := time.Now(), used()
	elapsed, spent := now.Sub(m.at).Seconds(), u-m.then
	m.at, m.then = now, u
	if elapsed <= 0 {
		return 0
	}
	return math.Round(1000*spent/elapsed/float64(processors())) / 10
}

// spent is in seconds since it was last asked.
func (m *meter) spent() float64 {
	u := used()
	spent := u - m.share
	m.share = u
	return spent
}

// memory is what the program has of the system's, in bytes.
func memory() uint64 {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples)
	return samples[0].Value.Uint64() - samples[1].Value.Uint64()
}
