package crashdisk

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
)

// busy is a disk as a log might leave it: four files of 4 to 16 KiB, the last
// with writes pending and one that was just renamed.
func busy(t testing.TB) *Disk {
	d := New()
	for i := range 4 {
		f := create(t, d, fmt.Sprintf("segment%d", i))
		write(t, f, 0, string(make([]byte, 4096*(i+1))))
		must(t, f.Sync(), d.Sync())
		for j := range 4 * i {
			write(t, f, int64(4096*(i+1)+100*j-50), fmt.Sprintf("%100d", j))
		}
	}
	f := create(t, d, "tmp")
	write(t, f, 0, "index")
	must(t, d.Rename("tmp", "index"))
	return d
}

func BenchmarkAfterPowerCut(b *testing.B) {
	d, r := busy(b), rand.New(rand.NewPCG(1, 2))
	b.ReportAllocs()
	for b.Loop() {
		d.AfterPowerCut(r)
	}
}

// Everything is pending: four files of 16 KiB in writes of 256 bytes.
func BenchmarkAfterPowerCutUnsynced(b *testing.B) {
	d, r := New(), rand.New(rand.NewPCG(1, 2))
	for i := range 4 {
		f := create(b, d, fmt.Sprint(i))
		for j := range 64 {
			write(b, f, int64(256*j), fmt.Sprintf("%256d", j))
		}
	}
	must(b, d.Sync())
	b.ReportAllocs()
	for b.Loop() {
		d.AfterPowerCut(r)
	}
}

func BenchmarkAfterKill(b *testing.B) {
	d := busy(b)
	b.ReportAllocs()
	for b.Loop() {
		d.AfterKill()
	}
}

// A record is written and synced, as a log on this disk does it.
func BenchmarkWriteSync(b *testing.B) {
	d, record := New(), make([]byte, 100)
	f := create(b, d, "a")
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if i%100 == 0 {
			must(b, f.Truncate(0))
		}
		_, err := f.WriteAt(record, int64(i%100*100))
		must(b, err, f.Sync())
	}
}

// Goroutines write, sync, and take images; the race detector looks on.
func TestSeveralGoroutines(t *testing.T) {
	d := busy(t)
	var group sync.WaitGroup
	for id := range 4 {
		group.Go(func() {
			f := open(t, d, "segment3")
			defer f.Close()
			own := fmt.Sprint(id)
			for i := range 50 {
				_, err := f.WriteAt([]byte(own), int64(4*i+id))
				if err = firstOf(err, f.Sync()); err != nil {
					t.Error(err)
				}
				image := d.AfterPowerCut(seeded(i)).AfterKill()
				if got := image.Bytes("segment3"); got[4*i+id] != own[0] {
					t.Errorf("goroutine %d lost what it had synced", id)
				}
			}
		})
	}
	group.Wait()
}

func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
