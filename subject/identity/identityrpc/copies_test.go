package identityrpc

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/syncwrite/syncwrite/subject/identity"
)

var (
	oneOfTwo = identity.Replica{Number: 1, Of: 2}
	twoOfTwo = identity.Replica{Number: 2, Of: 2}
)

// copyDir copies a directory, as of a process that was killed at this moment.
func copyDir(t testing.TB, from string) (to string) {
	to = filepath.Join(t.TempDir(), "copy")
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	return to
}

// hasStopped reports whether a server hands out nothing more, and says so to whoever asks.
func (n *network) hasStopped(t testing.TB, r *replica, host string) bool {
	c := n.client(t, host)
	defer closeClient(t, c)
	_, err := c.Next(t.Context())
	if (err != nil) != r.hasSaid("NO MORE IDENTITIES") {
		t.Errorf("%s answers %v, and has said %q", host, err, r.said)
	}
	return err != nil
}

// isFoundAtOnce starts a server and has it stop at its first message.
func (n *network) isFoundAtOnce(t testing.TB, dir string) {
	r := n.start(t, dir, "first:1", oneOfTwo, "witness:1")
	time.Sleep(time.Second / 2)
	r.end(t)
	stopped := slices.IndexFunc(r.said, func(text string) bool { return strings.Contains(text, "NO MORE IDENTITIES") })
	reached := slices.IndexFunc(r.said, func(text string) bool { return strings.Contains(text, ": reached") })
	if stopped < 0 || reached >= 0 && reached < stopped {
		t.Errorf("not stopped at the first message: %q", r.said)
	}
}

// goesOn starts a server and has it hand out what lies above.
func (n *network) goesOn(t testing.TB, ids *Kept, above uint64) {
	r := n.serve(ids, "first:1", "witness:1")
	time.Sleep(10 * time.Second)
	if n.hasStopped(t, r, "first:1") || ids.Last() <= above {
		t.Errorf("not above %d: %d; it has said %q", above, ids.Last(), r.said)
	}
	r.end(t)
}

func open(t testing.TB, dir string, replica identity.Replica, floor uint64) *Kept {
	ids, err := Open(dir, keptAt(replica, floor))
	if err != nil {
		t.Fatal(err)
	}
	return ids
}

// An old backup takes the place of a directory that was opened anew since: it is found at the
// first message, however often it is started, and the directory that it has replaced goes on.
func TestBackupOfAFormerOpening(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		witness := n.start(t, other, "witness:1", twoOfTwo, "first:1")
		backup, last := "", uint64(0)
		for range 3 {
			first := n.start(t, dir, "first:1", oneOfTwo, "witness:1")
			time.Sleep(2 * time.Second)
			last = first.nextN(t, 1000) + 2*999
			time.Sleep(2 * time.Second)
			first.end(t)
			if backup == "" {
				backup = copyDir(t, dir)
			}
		}
		time.Sleep(5 * time.Second)
		for range 5 {
			n.isFoundAtOnce(t, backup)
			time.Sleep(3 * time.Second)
		}
		n.goesOn(t, open(t, dir, oneOfTwo, 0), last)
		witness.end(t)
	})
}

// A backup of a running server begins above all that was handed out since, and is stopped. How
// far it was says nothing of the directory that it has replaced, which goes on.
func TestBackupThatBeginsAhead(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		witness := n.start(t, other, "witness:1", twoOfTwo)
		first := n.start(t, dir, "first:1", oneOfTwo, "witness:1")
		first.nextN(t, 1)
		backup := copyDir(t, dir)
		first.end(t)
		n.goesOn(t, open(t, dir, oneOfTwo, 0), 0)
		n.isFoundAtOnce(t, backup)
		n.goesOn(t, open(t, dir, oneOfTwo, 0), 0)
		witness.end(t)
	})
}

// What a backup has handed out until it was stopped, the server that stays does not hand out
// again once a peer has told it: not the last one either.
func TestLastOfAStoppedBackup(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		witness := n.start(t, other, "witness:1", twoOfTwo)
		n.goesOn(t, open(t, dir, oneOfTwo, 5), 0)
		backup := copyDir(t, dir)
		first := n.start(t, dir, "first:1", oneOfTwo, "witness:1")
		time.Sleep(2 * time.Second)
		restored := n.start(t, backup, "backup:1", oneOfTwo, "witness:1")
		last := restored.nextN(t, 1000) + 2*999
		time.Sleep(4 * time.Second)
		if !n.hasStopped(t, restored, "backup:1") {
			t.Errorf("said: %q", restored.said)
		}
		if got := first.nextN(t, 1); got <= last {
			t.Errorf("%d, where a backup had handed out %d", got, last)
		}
		endAll(t, restored, first, witness)
	})
}

// The witness asks what was put back, and raises it, before that has said anything: how far it
// was raised does not count, and the directory that it has replaced goes on.
func TestBackupThatIsRaised(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		witness := n.start(t, other, "witness:1", twoOfTwo, "first:1")
		time.Sleep(time.Second / 2) // what follows is between its ticks
		n.goesOn(t, open(t, dir, oneOfTwo, 5), 5)
		backup := copyDir(t, dir)
		n.goesOn(t, open(t, dir, oneOfTwo, 0), 5)
		witness.nextN(t, 2_000_000)
		time.Sleep(2 * time.Second) // its next request waits
		restored := n.start(t, backup, "first:1", oneOfTwo)
		time.Sleep(5 * time.Second)
		if !n.hasStopped(t, restored, "first:1") || restored.ids.Last() < 2_000_000 {
			t.Errorf("at %d, said %q", restored.ids.Last(), restored.said)
		}
		restored.end(t)
		time.Sleep(5 * time.Second)
		n.goesOn(t, open(t, dir, oneOfTwo, 0), 5)
		witness.end(t)
	})
}

// A backup that was taken since the last opening takes the directory's place: it has gone back.
// It is found however often it is started, and goes on with a floor.
func TestBackupOfThisOpening(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		witness := n.start(t, other, "witness:1", twoOfTwo)
		first := n.start(t, dir, "first:1", oneOfTwo, "witness:1")
		backup := copyDir(t, dir)
		last := first.nextN(t, 500_000) + 2*499_999
		time.Sleep(3 * time.Second)
		first.end(t)
		witness.nextN(t, 1000) // one that has stopped does not follow it, and so is not taken for one that was given a floor
		for range 3 {
			n.isFoundAtOnce(t, backup)
			time.Sleep(3 * time.Second)
		}
		if !witness.hasSaid("gone back") {
			t.Errorf("the witness has said %q", witness.said)
		}
		n.goesOn(t, open(t, backup, oneOfTwo, last), last)
		witness.end(t)
	})
}

// A copy is served beside the directory that it is of. If it has gone back it stops. If it has
// not, both stop, and begin in a new directory.
func TestLiveCopies(t *testing.T) {
	for name, test := range map[string]struct {
		after    uint64 // how many the first hands out behind the copy
		bothStop bool
	}{
		"behind": {after: 500_000},
		"ahead":  {after: 10, bothStop: true},
	} {
		t.Run(name, func(t *testing.T) {
			dir, other, anew := t.TempDir(), t.TempDir(), t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				n := newNetwork()
				witness := n.start(t, other, "witness:1", twoOfTwo)
				first := n.start(t, dir, "first:1", oneOfTwo, "witness:1")
				first.nextN(t, 10)
				copied := copyDir(t, dir)
				first.nextN(t, test.after)
				time.Sleep(3500 * time.Millisecond) // between its ticks
				second := n.start(t, copied, "second:1", oneOfTwo, "witness:1")
				time.Sleep(4 * time.Second) // three messages of the first, and one for the second to hear it
				if !n.hasStopped(t, second, "second:1") || n.hasStopped(t, first, "first:1") != test.bothStop {
					t.Errorf("said: %q, %q", first.said, second.said)
				}
				first.end(t)
				second.end(t)
				if !test.bothStop {
					n.goesOn(t, open(t, dir, oneOfTwo, 0), 1_000_000)
					witness.end(t)
					return
				}
				for range 2 {
					n.isFoundAtOnce(t, dir)
				}
				witness.end(t)
				witness = n.start(t, other, "witness:1", twoOfTwo)
				n.goesOn(t, open(t, anew, oneOfTwo, 1_000_000), 1_000_000)
				witness.end(t)
			})
		})
	}
}

// Copies of a directory that was closed begin one after the other: the first one goes on.
func TestCopiesOfAClosedDirectory(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		witness := n.start(t, other, "witness:1", twoOfTwo)
		n.goesOn(t, open(t, dir, oneOfTwo, 5), 5)
		copied := copyDir(t, dir)
		first := n.start(t, dir, "original:1", oneOfTwo, "witness:1")
		time.Sleep(2 * time.Second)
		n.isFoundAtOnce(t, copied)
		time.Sleep(10 * time.Second)
		if n.hasStopped(t, first, "original:1") {
			t.Errorf("it has said %q", first.said)
		}
		first.end(t)
		witness.end(t)
	})
}

// Another directory of the same number joins by mistake, and is taken away: what was found of
// both does not stop the server that is started anew.
func TestVerdictEndsWithItsSession(t *testing.T) {
	dir, other, mistaken := t.TempDir(), t.TempDir(), t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		for range 5 { // it was opened more often
			if err := open(t, mistaken, oneOfTwo, 0).Close(); err != nil {
				t.Error(err)
			}
		}
		witness := n.start(t, other, "witness:1", twoOfTwo, "first:1")
		first := n.start(t, dir, "first:1", oneOfTwo, "witness:1")
		time.Sleep(2 * time.Second)
		last := first.nextN(t, 10)
		intruder := n.start(t, mistaken, "intruder:1", oneOfTwo, "witness:1")
		time.Sleep(3 * time.Second)
		if !n.hasStopped(t, intruder, "intruder:1") || !n.hasStopped(t, first, "first:1") {
			t.Errorf("said: %q, %q", first.said, intruder.said)
		}
		intruder.end(t)
		first.end(t)
		time.Sleep(3 * time.Second) // what the witness has to tell waits
		n.goesOn(t, open(t, dir, oneOfTwo, 0), last)
		witness.end(t)
	})
}

// A server that ends and serves the same identities again is one server.
func TestServedAgain(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		witness := n.start(t, other, "witness:1", twoOfTwo, "first:1")
		ids := open(t, dir, oneOfTwo, 0)
		for range 2 {
			ctx, stop := context.WithTimeout(t.Context(), 3*time.Second)
			if err := Serve(ctx, n.listen("first:1"), ids, ServeOptions{Peers: []string{"witness:1"}, Dialer: n.dialer("first:1")}); err != nil {
				t.Error(err)
			}
			stop()
		}
		if err := ids.Close(); err != nil || witness.hasSaid("twice") {
			t.Errorf("%v, said %q", err, witness.said)
		}
		witness.end(t)
	})
}
