package crashdisk

import (
	"errors"
	"io/fs"
	"slices"
	"testing"
)

// everyCall makes each kind of call once and returns the errors in order.
func everyCall(d *Disk) []error {
	f, err := d.Create("a")
	errs := []error{err}
	if f == nil {
		return errs
	}
	note := func(err error) { errs = append(errs, err) }
	_, err = f.WriteAt([]byte("foobar"), 2)
	note(err)
	note(f.Truncate(4))
	_, err = f.ReadAt(make([]byte, 3), 1)
	note(err)
	_, err = f.Size()
	note(err)
	note(f.Sync())
	note(f.Close())
	_, err = d.Open("a")
	note(err)
	note(d.Rename("a", "b"))
	_, err = d.Names()
	note(err)
	note(d.Sync())
	note(d.Remove("b"))
	lock, err := d.Lock("lock")
	note(err)
	if lock != nil {
		note(lock.Close())
	}
	return errs
}

func TestHookSeesEveryCall(t *testing.T) {
	d, calls := New(), []string{}
	d.SetHook(func(c Call) Fault {
		calls = append(calls, c.String())
		return Fault{}
	})
	for _, err := range everyCall(d) {
		must(t, err)
	}
	want := []string{"create a", "write a 2+6", "truncate a to 4", "read a 1+3", "size a", "sync a", "close a",
		"open a", "rename a to b", "names", "sync directory", "remove b", "lock lock", "close lock"}
	if !slices.Equal(calls, want) {
		t.Errorf("the hook saw %q, want %q", calls, want)
	}
}

func TestEveryCallCanFail(t *testing.T) {
	calls := len(everyCall(New()))
	for fail := range calls {
		d, call := New(), 0
		d.SetHook(func(Call) Fault {
			call++
			if call-1 == fail {
				return Fault{Err: errFault}
			}
			return Fault{}
		})
		err := everyCall(d)[fail]
		if wrapped := new(fs.PathError); !errors.Is(err, errFault) || !errors.As(err, &wrapped) {
			t.Errorf("call %d returned %v, not the fault as a path error", fail, err)
		}
	}
}

func TestShortWriteTakesTheFirstBytes(t *testing.T) {
	for _, taken := range []int{-1, 0, 2, 6, 7} {
		d, f := durable(t, "")
		d.SetHook(func(Call) Fault { return Fault{Err: errFault, Taken: taken} })
		want := "foobar"[:min(max(taken, 0), 6)]
		if n, err := f.WriteAt([]byte("foobar"), 0); n != len(want) || !errors.Is(err, errFault) {
			t.Errorf("a write of which %d are taken returned %d, %v", taken, n, err)
		}
		if text(d, "a") != want {
			t.Errorf("a write of which %d are taken left %q", taken, text(d, "a"))
		}
	}
}

// While a call is under way, the disk is as before it: a Sync promises nothing
// until it returns, neither of bytes nor of names.
func TestImageInHookIsOfBefore(t *testing.T) {
	d := New()
	f := create(t, d, "a")
	lost := 0
	d.SetHook(func(c Call) Fault {
		for seed := range cuts {
			if c.Op == SyncDir && text(d.AfterPowerCut(seeded(seed)), "a") == "-" {
				lost++
			}
			if c.Op == Sync && text(d.AfterPowerCut(seeded(seed)), "a") != "foo" {
				lost++
			}
		}
		return Fault{}
	})
	must(t, d.Sync())
	if lost == 0 {
		t.Error("the name was durable while the directory's sync was under way")
	}
	write(t, f, 0, "foo")
	lost = 0
	must(t, f.Sync())
	if lost == 0 {
		t.Error("the bytes were durable while the sync was under way")
	}
}

// What is done while a Sync is under way is not covered by it.
func TestSyncCoversWhatWasBefore(t *testing.T) {
	d, f := durable(t, "")
	write(t, f, 0, "foo")
	d.SetHook(func(c Call) Fault {
		if c.Op == Sync {
			write(t, f, 3, "bar")
		}
		if c.Op == SyncDir {
			create(t, d, "c")
		}
		return Fault{}
	})
	create(t, d, "b")
	must(t, f.Sync(), d.Sync())
	met := map[string]bool{}
	for seed := range cuts {
		image := d.AfterPowerCut(seeded(seed))
		if text(image, "b") != "" || text(image, "a")[:3] != "foo" {
			t.Fatalf("a sync lost what was before it: a %q, b %q", text(image, "a"), text(image, "b"))
		}
		met[text(image, "a")+text(image, "c")] = true
	}
	for _, want := range []string{"foo-", "foo", "foobar-", "foobar"} {
		if !met[want] {
			t.Errorf("%q is never left of what came during the syncs", want)
		}
	}
}
