package crashdisk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/disk"
)

// A pair does the same to the disk and to a real directory, and tells each
// outcome in words.
type pair struct {
	dir   disk.Dir
	files map[int]disk.File
}

func (p *pair) do(r *rand.Rand) string {
	a, b, id := string(rune('a'+r.IntN(3))), string(rune('a'+r.IntN(3))), r.IntN(3)
	off, size := int64(r.IntN(12)), 1+r.IntN(8)
	f := p.files[id]
	switch op := r.IntN(12); {
	case op == 0 || op == 1 && f == nil:
		return p.keep(id, p.dir.Create, a)
	case op == 1 || f == nil:
		return p.keep(id, p.dir.Open, a)
	case op == 2:
		return words(p.dir.Remove(a))
	case op == 3:
		return words(p.dir.Rename(a, b))
	case op == 4:
		names, err := p.dir.Names()
		return fmt.Sprint(names, words(err))
	case op == 5:
		return words(f.Close())
	case op == 6:
		return words(f.Truncate(off))
	case op == 7:
		return fmt.Sprint(f.Sync() == nil, words(p.dir.Sync())) // the system names the error otherwise
	case op < 10:
		n, err := f.WriteAt([]byte("12345678")[:size], off)
		return fmt.Sprint(n, words(err))
	default:
		got := make([]byte, size)
		n, err := f.ReadAt(got, off)
		length, sizeErr := f.Size()
		return fmt.Sprintf("%q %s %d %s", got[:n], words(err), length, words(sizeErr))
	}
}

func (p *pair) keep(id int, open func(string) (disk.File, error), name string) string {
	f, err := open(name)
	if err == nil {
		if old := p.files[id]; old != nil {
			old.Close()
		}
		p.files[id] = f
	}
	return words(err)
}

// words is what a caller may tell errors apart by.
func words(err error) string {
	if err == nil || err == io.EOF {
		return fmt.Sprint(err)
	}
	said := ""
	for _, kind := range []error{fs.ErrExist, fs.ErrNotExist, fs.ErrClosed} {
		if errors.Is(err, kind) {
			said += kind.Error()
		}
	}
	return said
}

func TestDiskAnswersAsTheRealOne(t *testing.T) {
	for seed := range 20 {
		model := &pair{New(), map[int]disk.File{}}
		dir, err := disk.OS(t.TempDir(), 0)
		must(t, err)
		real := &pair{dir, map[int]disk.File{}}
		one, two := seeded(seed), seeded(seed)
		for i := range 100 {
			if got, want := model.do(one), real.do(two); got != want {
				t.Fatalf("seed %d, call %d: the disk says %s, a real one %s", seed, i, got, want)
			}
		}
		for _, f := range real.files {
			f.Close()
		}
		must(t, dir.Close())
	}
}

func TestLockKeepsTheSecondOut(t *testing.T) {
	d := New()
	first, err := d.Lock("lock")
	must(t, err)
	if _, err := d.Lock("lock"); !errors.Is(err, disk.ErrLocked) {
		t.Errorf("second lock returned %v", err)
	}
	must(t, first.Close())
	if err := first.Close(); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("second close returned %v", err)
	}
	second, err := d.Lock("lock")
	must(t, err)
	if err := first.Close(); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("close of the lock that ended returned %v", err)
	}
	if _, err := d.Lock("lock"); !errors.Is(err, disk.ErrLocked) {
		t.Errorf("lock that another had closed returned %v", err)
	}
	must(t, second.Close())
}

func TestNonsenseIsRefused(t *testing.T) {
	d, f := durable(t, "foo")
	_, read := f.ReadAt(nil, -1)
	_, write := f.WriteAt(nil, -1)
	_, huge := f.WriteAt([]byte("x"), maxSize)
	for _, err := range []error{read, write, huge, f.Truncate(-1), f.Truncate(maxSize + 1), f.Truncate(1 << 62)} {
		if wrapped := new(fs.PathError); !errors.As(err, &wrapped) {
			t.Errorf("returned %v, want a path error", err)
		}
	}
	if text(d, "a") != "foo" {
		t.Errorf("the file holds %q", text(d, "a"))
	}
}

func TestSetBytesIsDurable(t *testing.T) {
	d, f := durable(t, "foo")
	write(t, f, 0, "lost")
	data := []byte("fop")
	d.SetBytes("a", data)
	d.SetBytes("b", nil)
	data[0] = 'x'
	for seed := range cuts {
		if image := d.AfterPowerCut(seeded(seed)); text(image, "a") != "fop" || text(image, "b") != "" {
			t.Fatalf("a power cut left a %q, b %q", text(image, "a"), text(image, "b"))
		}
	}
	if got := d.Bytes("c"); got != nil {
		t.Errorf("bytes of no file are %q", got)
	}
}

func TestSameSeedGivesSameImage(t *testing.T) {
	images := [2][]string{}
	for i := range images {
		d := busy(t)
		for seed := range cuts / 4 {
			image := d.AfterPowerCut(seeded(seed))
			names, err := image.Names()
			must(t, err)
			for _, name := range names {
				images[i] = append(images[i], name, text(image, name))
			}
			if seed%50 == 0 {
				d = d.AfterKill() // holds the same, so leaves the same
			}
		}
	}
	if !slices.Equal(images[0], images[1]) {
		t.Error("the same state and seeds gave different images")
	}
}
