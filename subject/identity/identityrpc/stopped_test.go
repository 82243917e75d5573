package identityrpc

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/syncwrite/syncwrite/subject/identity"
	"github.com/syncwrite/syncwrite/subject/identity/identitypb"
)

// oneOfThree starts a server of that number beside two witnesses.
func (n *network) oneOfThree(t testing.TB, dir, host string) *replica {
	return n.start(t, dir, host, identity.Replica{Number: 1, Of: 3}, "second:1", "third:1")
}

// witness starts one of two: number 2 or 3.
func (n *network) witness(t testing.TB, dir string, number uint64) *replica {
	hosts := []string{"first:1", "second:1", "third:1"}
	own := hosts[number-1]
	return n.start(t, dir, own, identity.Replica{Number: number, Of: 3}, "first:1", hosts[4-number])
}

// withBackup has two witnesses, and a directory that goes on behind a backup of it.
func (n *network) withBackup(t testing.TB, dirs []string) (second, third *replica, backup string) {
	second, third = n.witness(t, dirs[1], 2), n.witness(t, dirs[2], 3)
	first := n.oneOfThree(t, dirs[0], "first:1")
	time.Sleep(2 * time.Second)
	first.nextN(t, 10)
	time.Sleep(2 * time.Second)
	first.end(t)
	return second, third, copyDir(t, dirs[0])
}

// A mistake is a backup that is started while the rightful server is cut off from the third
// replica, which so does not know that the backup is one. The second one does.
type mistake struct {
	metFirst bool   // by the third, before the second is reached
	handsOut uint64 // by then
	isUntold bool   // it ends before the second is reached
}

// happens returns what is there when the backup has ended and all reach each other.
func (m mistake) happens(t testing.TB, n *network, dirs []string) (first, second, third *replica) {
	second, third, backup := n.withBackup(t, dirs)
	n.between("first:1", "third:1", true)
	n.between("backup:1", "second:1", m.metFirst)
	first = n.oneOfThree(t, dirs[0], "first:1")
	time.Sleep(2 * time.Second)
	first.nextN(t, 10)
	mistaken := n.oneOfThree(t, backup, "backup:1")
	time.Sleep(3 * time.Second)
	if m.handsOut > 0 {
		mistaken.nextN(t, m.handsOut)
	}
	n.between("backup:1", "second:1", m.isUntold)
	time.Sleep(5 * time.Second)
	if n.hasStopped(t, mistaken, "backup:1") == m.isUntold || n.hasStopped(t, first, "first:1") {
		t.Errorf("said: %q, %q", first.said, mistaken.said)
	}
	mistaken.end(t)
	n.between("first:1", "third:1", false)
	time.Sleep(5 * time.Second)
	return first, second, third
}

// A backup that was stopped, and has handed out nothing, stops nobody: neither the rightful
// server nor one that is started anew.
func TestBackupThatWasStopped(t *testing.T) {
	for name, m := range map[string]mistake{"met by both at once": {}, "met first by who does not know": {metFirst: true}} {
		t.Run(name, func(t *testing.T) {
			dirs := []string{t.TempDir(), t.TempDir(), t.TempDir()}
			synctest.Test(t, func(t *testing.T) {
				n := newNetwork()
				first, second, third := m.happens(t, n, dirs)
				for range 2 {
					if n.hasStopped(t, first, "first:1") {
						t.Errorf("said: %q; the third: %q", first.said, third.said)
					}
					first.end(t)
					first = n.oneOfThree(t, dirs[0], "first:1")
					time.Sleep(3 * time.Second)
				}
				endAll(t, first, second, third)
			})
		})
	}
}

// Where the backup has handed out, or was never told, the third replica holds it for the server
// of the number, and stops the rightful one, until it is started anew.
func TestBackupThatKeepsThePlace(t *testing.T) {
	for name, m := range map[string]mistake{"it has handed out": {metFirst: true, handsOut: 10}, "it was never told": {metFirst: true, isUntold: true}} {
		t.Run(name, func(t *testing.T) {
			dirs := []string{t.TempDir(), t.TempDir(), t.TempDir()}
			synctest.Test(t, func(t *testing.T) {
				n := newNetwork()
				first, second, third := m.happens(t, n, dirs)
				if !n.hasStopped(t, first, "first:1") {
					t.Errorf("said: %q; the third: %q", first.said, third.said)
				}
				endAll(t, first, third)
				third = n.witness(t, dirs[2], 3)
				if m.handsOut > 0 {
					second.end(t)
					second = n.witness(t, dirs[1], 2)
				}
				ids := open(t, dirs[0], identity.Replica{Number: 1, Of: 3}, 1000*m.handsOut)
				first = n.serve(ids, "first:1", "second:1", "third:1")
				time.Sleep(4 * time.Second)
				if n.hasStopped(t, first, "first:1") {
					t.Errorf("said: %q; the third: %q", first.said, third.said)
				}
				endAll(t, first, second, third)
			})
		})
	}
}

func endAll(t testing.TB, all ...*replica) {
	for _, r := range all {
		r.end(t)
	}
}

// A backup was stopped and is left running while a witness is started anew and the rightful
// server is not there: the witness does not take the backup for it.
func TestStoppedBackupIsLeftRunning(t *testing.T) {
	dirs := []string{t.TempDir(), t.TempDir(), t.TempDir()}
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		second, third, backup := n.withBackup(t, dirs)
		first := n.oneOfThree(t, dirs[0], "first:1")
		time.Sleep(2 * time.Second)
		first.nextN(t, 10)
		mistaken := n.oneOfThree(t, backup, "backup:1")
		mistaken.nextN(t, 1) // before its first message
		time.Sleep(2 * time.Second)
		if !n.hasStopped(t, mistaken, "backup:1") {
			t.Errorf("said: %q", mistaken.said)
		}
		first.end(t)
		third.end(t)
		third = n.witness(t, dirs[2], 3)
		time.Sleep(4 * time.Second)
		mistaken.end(t)
		first = n.oneOfThree(t, dirs[0], "first:1")
		time.Sleep(4 * time.Second)
		if n.hasStopped(t, first, "first:1") || third.hasSaid("twice") {
			t.Errorf("said: %q, %q", first.said, third.said)
		}
		endAll(t, first, second, third)
	})
}

// A server that is told to stop while it counts gives nothing out of that: it says to have
// handed out nothing.
func TestStoppedWhileItCounts(t *testing.T) {
	from := &stopsMeanwhile{}
	from.service = NewService(from, 0)
	if reply, err := from.service.next(t.Context(), &identitypb.NextRequest{}); !errors.Is(err, ErrStopped) {
		t.Errorf("%v, %v", reply, err)
	}
}

type stopsMeanwhile struct {
	identity.Server[*identitypb.Identities]
	service *Service
}

func (s *stopsMeanwhile) NextN(_ context.Context, n uint64) (*identitypb.Identities, error) {
	s.service.stop(fmt.Errorf("%w: a test", ErrStopped))
	return &identitypb.Identities{First: 1, Count: n}, nil
}

// A server that is told to stop has done so, and says so to health checks, before whoever runs
// it has heard why.
func TestStopsBeforeItSaysSo(t *testing.T) {
	ids := open(t, t.TempDir(), oneOfTwo, 0)
	defer ids.Close()
	s := &syncing{ids: ids, service: NewService(ids, 0), conflict: make(chan struct{})}
	s.say = func(string) {
		select {
		case <-s.conflict:
		default:
			t.Error("it is said before it is done")
		}
	}
	s.stopFor("a test")
}
