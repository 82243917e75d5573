package identity_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/syncwrite/syncwrite/subject/commitlog"
	"github.com/syncwrite/syncwrite/subject/identity"
)

type kept = identity.Kept[span]

func openKept(t testing.TB, dir string, floor uint64, replica identity.Replica) *kept {
	k, err := identity.OpenKept(dir, identity.KeptOptions[span]{
		Options: identity.Options[span]{Floor: floor, Reply: newSpan}, Replica: replica, Block: 100})
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func next(t testing.TB, k *kept, n uint64) uint64 {
	got, err := k.NextN(context.Background(), n)
	if err != nil {
		t.Fatal(err)
	}
	return got.first
}

func closeKept(t testing.TB, k *kept) {
	if err := k.Close(); err != nil {
		t.Error(err)
	}
}

// What was closed goes on without a gap, and its instance stays the same.
func TestKeptGoesOn(t *testing.T) {
	dir := t.TempDir()
	k := openKept(t, dir, 0, identity.Replica{})
	instance := k.Instance()
	for want := uint64(1); want < 2000; want += 7 {
		if got := next(t, k, 7); got != want {
			t.Fatalf("%d, not %d", got, want)
		}
		if want%5 == 0 {
			closeKept(t, k)
			k = openKept(t, dir, 0, identity.Replica{})
		}
	}
	if k.Instance() != instance {
		t.Error("another instance")
	}
	closeKept(t, k)
	if _, err := k.Next(t.Context()); !errors.Is(err, identity.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
	if err := k.Update(t.Context(), 1<<20); !errors.Is(err, identity.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
}

// Each opening is known to those behind it, for as long as is promised, also where it was killed.
func TestKeptPast(t *testing.T) {
	dir := t.TempDir()
	var all []identity.Session
	for i := range identity.MostPast + 10 {
		k := openKept(t, dir, 0, identity.Replica{})
		if all = append(all, k.Session()); i == 3 {
			killed := copied(t, dir)
			closeKept(t, k)
			k, dir = openKept(t, killed, 0, identity.Replica{}), killed
			all = append(all, k.Session())
		}
		if want := all[max(0, len(all)-identity.MostPast):]; !slices.Equal(k.Past(), want) {
			t.Fatalf("opening %d: %d sessions, not %d, or others", i, len(k.Past()), len(want))
		}
		closeKept(t, k)
	}
	slices.SortFunc(all, func(a, b identity.Session) int { return slices.Compare(a[:], b[:]) })
	if len(slices.Compact(all)) != identity.MostPast+11 {
		t.Error("two openings have one session")
	}
}

// copied is what a killed process leaves.
func copied(t testing.TB, dir string) string {
	to := filepath.Join(t.TempDir(), "copy")
	if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	return to
}

// Any calls, with kills and restarts between them: no identity comes twice, all ascend, and
// at most a block is skipped by a kill.
func TestKeptIsUniqueAcrossKills(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		of := rapid.Uint64Range(1, 3).Draw(rt, "of")
		replica := identity.Replica{Number: rapid.Uint64Range(1, of).Draw(rt, "number"), Of: of}
		dir := t.TempDir()
		k, last := openKept(t, dir, 0, replica), uint64(0)
		for range rapid.IntRange(1, 8).Draw(rt, "calls") {
			switch rapid.IntRange(0, 3).Draw(rt, "call") {
			case 0:
				killed := copied(t, dir)
				closeKept(t, k)
				k, dir = openKept(t, killed, 0, replica), killed
				if now := k.Last(); now < last || now > last+(100+1)*of {
					rt.Fatalf("%d after a kill, behind %d", now, last)
				}
			case 1:
				id := last + rapid.Uint64Range(0, 1000).Draw(rt, "raise")
				if err := k.Update(context.Background(), id); err != nil {
					rt.Fatal(err)
				}
				last = max(last, id)
				if now := k.Last(); now < last {
					rt.Fatalf("%d after it was raised to %d", now, last)
				}
			default:
				n := rapid.Uint64Range(1, 300).Draw(rt, "n")
				first := next(t, k, n)
				if first <= last || first%of != replica.Number%of {
					rt.Fatalf("replica %v: %d after %d", replica, first, last)
				}
				last = first + (n-1)*of
			}
		}
		closeKept(t, k)
	})
}

// Whatever byte of what a killed process left is damaged: identities go on above all that
// were handed out, or it is an error.
func TestKeptDamaged(t *testing.T) {
	dir := t.TempDir()
	k := openKept(t, dir, 0, identity.Replica{})
	last := uint64(0)
	for range 4 {
		last = next(t, k, 90) + 89
	}
	killed := copied(t, dir)
	closeKept(t, k)
	opened, refused := 0, 0
	for _, file := range files(t, filepath.Join(killed, "ids")) {
		whole, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		end := len(whole)
		for end > 0 && whole[end-1] == 0 {
			end--
		}
		step := 1
		if testing.Short() {
			step = 13
		}
		for at := 0; at < end; at += step {
			damaged := copied(t, killed)
			flip(t, filepath.Join(damaged, "ids", filepath.Base(file)), at, whole[at])
			k, err := identity.OpenKept(damaged, identity.KeptOptions[span]{Options: identity.Options[span]{Reply: newSpan}, Block: 100})
			if err != nil {
				refused++
				continue
			}
			opened++
			if first := next(t, k, 1); first <= last {
				t.Errorf("byte %d of %s: identity %d again, of %d", at, filepath.Base(file), first, last)
			}
			closeKept(t, k)
		}
	}
	t.Logf("%d damaged directories opened, %d were refused", opened, refused)
	if opened == 0 || refused == 0 {
		t.Error("damage was all of one kind")
	}
}

// flip damages a byte of a file.
func flip(t *testing.T, path string, at int, was byte) {
	t.Helper()
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.WriteAt([]byte{was ^ 0x10}, int64(at)); err != nil {
		t.Fatal(err)
	}
}

func files(t *testing.T, dir string) []string {
	all, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(all) == 0 {
		t.Fatal(err)
	}
	return all
}

// Close beside Next: what is handed out is below what the next process begins with.
func TestKeptCloseBesideNext(t *testing.T) {
	dir := t.TempDir()
	last := uint64(0)
	for range 30 {
		k := openKept(t, dir, 0, identity.Replica{})
		var all sync.WaitGroup
		var mu sync.Mutex
		top := last
		for range 4 {
			all.Go(func() {
				for {
					got, err := k.Next(context.Background())
					if errors.Is(err, identity.ErrClosed) {
						return
					}
					if err != nil {
						t.Error(err)
						return
					}
					mu.Lock()
					if got.first <= last {
						t.Errorf("identity %d again, of %d", got.first, last)
					}
					top = max(top, got.first)
					mu.Unlock()
				}
			})
		}
		for k.Last() < last+150 {
		}
		closeKept(t, k)
		all.Wait()
		last = top
	}
}

func TestKeptAtTheEnd(t *testing.T) {
	for _, of := range []uint64{1, 3} {
		replica := identity.Replica{Number: of, Of: of}
		k := openKept(t, t.TempDir(), identity.Max-10*of, replica)
		top := uint64(0)
		for range 12 {
			got, err := k.Next(t.Context())
			if errors.Is(err, identity.ErrExhausted) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			top = got.first
		}
		if top > identity.Max || top <= identity.Max-of {
			t.Errorf("the last one of %v is %d", replica, top)
		}
		if _, err := k.NextN(t.Context(), 1<<40); !errors.Is(err, identity.ErrExhausted) {
			t.Error(err)
		}
		if err := k.Update(t.Context(), identity.Max); err != nil {
			t.Error(err)
		}
		closeKept(t, k)
	}
}

func TestKeptRefuses(t *testing.T) {
	dir := t.TempDir()
	k := openKept(t, dir, 0, identity.Replica{Number: 1, Of: 2})
	if err := k.Update(t.Context(), identity.FurthestRaise+3); !errors.Is(err, identity.ErrTooFar) {
		t.Errorf("too far: %v", err)
	}
	if err := k.Update(t.Context(), identity.Max+1); !errors.Is(err, identity.ErrRange) {
		t.Errorf("out of range: %v", err)
	}
	if _, err := k.NextN(t.Context(), 0); !errors.Is(err, identity.ErrCount) {
		t.Errorf("none: %v", err)
	}
	if got := next(t, k, 1); got != 1 {
		t.Errorf("%d after what was refused", got)
	}
	open := func(r identity.Replica) error {
		_, err := identity.OpenKept(dir, identity.KeptOptions[span]{Options: identity.Options[span]{Reply: newSpan}, Replica: r})
		return err
	}
	if err := open(identity.Replica{Number: 1, Of: 2}); !errors.Is(err, commitlog.ErrLocked) {
		t.Errorf("a second one: %v", err)
	}
	closeKept(t, k)
	for _, r := range []identity.Replica{{}, {Number: 2, Of: 2}, {Number: 1, Of: 3}, {Number: 4, Of: 3}, {Number: 0, Of: 3}, {Number: 1, Of: identity.MostReplicas + 1}} {
		if err := open(r); !errors.Is(err, identity.ErrReplica) {
			t.Errorf("replica %v: %v", r, err)
		}
	}
	for _, text := range []string{"", "4/3", "0/3", "1", "1/", "/3", "-1/3", "1/3/5", "0/0", "a/b", "1/70000"} {
		if r, err := identity.ParseReplica(text); !errors.Is(err, identity.ErrReplica) {
			t.Errorf("%q is %v, %v", text, r, err)
		}
	}
	for _, at := range []string{"", "ids"} {
		dir = t.TempDir()
		log, err := commitlog.OpenFile(filepath.Join(dir, at), commitlog.FileOptions{})
		if err != nil {
			t.Fatal(err)
		}
		log.Append([]byte("somebody else's"))
		if err := log.Close(); err != nil {
			t.Fatal(err)
		}
		if err := open(identity.Replica{}); err == nil {
			t.Errorf("a log of something else, at %q, is a server's", at)
		}
	}
}

// Old marks go: a server that reserves for ever keeps a small directory.
func TestKeptStaysSmall(t *testing.T) {
	dir := t.TempDir()
	k := openKept(t, dir, 0, identity.Replica{})
	for range 3000 {
		next(t, k, 100)
	}
	closeKept(t, k)
	log, err := commitlog.OpenFile(filepath.Join(dir, "ids"), commitlog.FileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if n := log.Next() - log.First(); n > 1100 {
		t.Errorf("%d marks are kept", n)
	}
	if err := log.Close(); err != nil {
		t.Error(err)
	}
}

func TestReplicasShareTheNumbers(t *testing.T) {
	seen := map[uint64]bool{}
	for number := uint64(1); number <= 3; number++ {
		k := openKept(t, t.TempDir(), 0, identity.Replica{Number: number, Of: 3})
		for range 50 {
			id := next(t, k, 1)
			if seen[id] {
				t.Errorf("%d twice", id)
			}
			seen[id] = true
		}
		closeKept(t, k)
	}
	for id := uint64(1); id <= 150; id++ {
		if !seen[id] {
			t.Errorf("%d is nobody's", id)
		}
	}
}

func ExampleOpenKept() {
	dir, err := os.MkdirTemp("", "ids")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	for range 2 { // and again, as after a restart
		ids, err := identity.OpenKept(dir, identity.KeptOptions[uint64]{Options: identity.Options[uint64]{Reply: identity.Number}})
		if err != nil {
			fmt.Println(err)
			return
		}
		a, _ := ids.Next(context.Background())
		b, _ := ids.Next(context.Background())
		fmt.Println(a, b, ids.Close())
	}
	// Output:
	// 1 2 <nil>
	// 3 4 <nil>
}

// A directory whose log is gone, and the rest is not, is none that is new.
func TestKeptThatIsGone(t *testing.T) {
	dir := t.TempDir()
	k := openKept(t, dir, 0, identity.Replica{})
	next(t, k, 1000)
	killed := copied(t, dir)
	closeKept(t, k)
	segments, _ := filepath.Glob(filepath.Join(killed, "ids", "*.segment"))
	for _, s := range segments {
		if err := os.Remove(s); err != nil {
			t.Fatal(err)
		}
	}
	_, err := identity.OpenKept(killed, identity.KeptOptions[span]{Options: identity.Options[span]{Reply: newSpan}})
	if len(segments) == 0 || err == nil {
		t.Errorf("opened without its %d segments", len(segments))
	}
}
