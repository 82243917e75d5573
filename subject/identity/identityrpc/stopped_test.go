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

// A backup is started while the rightful server is cut off from a witness. The other witness
// stops the backup. If that has handed out nothing, the rightful server goes on, also with the
// witness that has met the backup; else doubles are possible, and both stop.
func TestBackupThatAWitnessDoesNotKnow(t *testing.T) {
	for name, test := range map[string]struct {
		metFirst bool // the backup meets the witness that does not know better before the other one
		handsOut uint64
	}{
		"both at once":            {},
		"first who does not know": {metFirst: true},
		"and it has handed out":   {metFirst: true, handsOut: 10},
	} {
		t.Run(name, func(t *testing.T) {
			dirs := []string{t.TempDir(), t.TempDir(), t.TempDir()}
			synctest.Test(t, func(t *testing.T) {
				n := newNetwork()
				second, third, backup := n.withBackup(t, dirs)
				n.between("first:1", "third:1", true)
				n.between("backup:1", "second:1", test.metFirst)
				first := n.oneOfThree(t, dirs[0], "first:1")
				time.Sleep(2 * time.Second)
				first.nextN(t, 10)
				mistaken := n.oneOfThree(t, backup, "backup:1")
				time.Sleep(3 * time.Second)
				if test.handsOut > 0 {
					mistaken.nextN(t, test.handsOut)
				}
				n.between("backup:1", "second:1", false)
				time.Sleep(5 * time.Second)
				if !n.hasStopped(t, mistaken, "backup:1") || n.hasStopped(t, first, "first:1") {
					t.Errorf("said: %q, %q", first.said, mistaken.said)
				}
				mistaken.end(t)
				n.between("first:1", "third:1", false)
				time.Sleep(5 * time.Second)
				for range 2 {
					if got := n.hasStopped(t, first, "first:1"); got != (test.handsOut > 0) {
						t.Errorf("stopped: %v, said: %q; the witness: %q", got, first.said, third.said)
					}
					first.end(t)
					first = n.oneOfThree(t, dirs[0], "first:1")
					time.Sleep(3 * time.Second)
				}
				for _, r := range []*replica{first, second, third} {
					r.end(t)
				}
			})
		})
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
		for _, r := range []*replica{first, second, third} {
			r.end(t)
		}
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
