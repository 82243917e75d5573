package crashdisk

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/disk"
)

var errFault = errors.New("fault")

func seeded(seed int) *rand.Rand { return rand.New(rand.NewPCG(uint64(seed), 1)) }

// must ends the test at the first error.
func must(t testing.TB, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}

func create(t testing.TB, d *Disk, name string) disk.File {
	t.Helper()
	f, err := d.Create(name)
	must(t, err)
	return f
}

func open(t testing.TB, d *Disk, name string) disk.File {
	t.Helper()
	f, err := d.Open(name)
	must(t, err)
	return f
}

func write(t testing.TB, f disk.File, off int64, data string) {
	t.Helper()
	_, err := f.WriteAt([]byte(data), off)
	must(t, err)
}

// durable is a disk with one file "a", and the file, opened.
func durable(t testing.TB, data string) (*Disk, disk.File) {
	t.Helper()
	d := New()
	d.SetBytes("a", []byte(data))
	return d, open(t, d, "a")
}

// failing does something during which every call of that kind fails.
func failing(t testing.TB, d *Disk, op Op, do func() error) {
	t.Helper()
	d.SetHook(func(c Call) Fault {
		if c.Op == op {
			return Fault{Err: errFault}
		}
		return Fault{}
	})
	if err := do(); !errors.Is(err, errFault) {
		t.Fatalf("%v returned %v, not the fault", op, err)
	}
	d.SetHook(nil)
}

// text is the content of a file, or "-" if there is no such name.
func text(d *Disk, name string) string {
	data := d.Bytes(name)
	if data == nil {
		return "-"
	}
	return string(data)
}
