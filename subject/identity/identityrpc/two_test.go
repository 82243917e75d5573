package identityrpc

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/syncwrite/syncwrite/subject/identity"
)

var oneOfThree = identity.Replica{Number: 1, Of: 3}

// A mixUp is one number that two servers have by mistake: the rightful one, and another one
// that has another directory.
type mixUp struct {
	rightful, other bool // has handed out
	otherIsOld      bool // its directory was opened before
	otherFirst      bool // is met first
	isKilled        bool // the other one ends before it can say that it has stopped
	otherStays      bool // and the rightful one is ended
}

func mixUps() (all []mixUp) {
	for i := range 1 << 6 {
		is := func(bit int) bool { return i>>bit&1 == 1 }
		all = append(all, mixUp{is(0), is(1), is(2), is(3), is(4), is(5)})
	}
	return all
}

func (m mixUp) String() string {
	return fmt.Sprintf("rightful-handed=%v,other-handed=%v,old=%v,first=%v,killed=%v,stays=%v",
		m.rightful, m.other, m.otherIsOld, m.otherFirst, m.isKilled, m.otherStays)
}

// isPlain reports whether the way out is to end one and to start the other one anew. Else the
// peer holds the one that was ended for the server of the number, and has to be started anew.
func (m mixUp) isPlain() bool {
	if m.otherFirst == m.otherStays {
		return true
	}
	if m.otherFirst {
		return !m.other && !m.otherIsOld && !m.isKilled
	}
	return !m.rightful
}

// otherFloor is above what the rightful server hands out: its numbers and the other one's are
// apart until a server goes on.
const otherFloor = 1000

// A mixed is what there is of a mix-up.
type mixed struct {
	*network
	mixUp
	dir     map[bool]string // by whether it is the other one's
	peer    string          // directory of the peer
	witness *replica
	out     map[uint64]bool // what was handed out
}

func host(isOther bool) string { return map[bool]string{false: "rightful:1", true: "other:1"}[isOther] }

// handOut notes what a server hands out.
func (m *mixed) handOut(t testing.TB, ids *Kept) {
	for range 10 {
		r, err := ids.NextN(context.Background(), 1)
		if err != nil {
			t.Fatal(err)
		}
		m.note(t, r.First)
	}
}

func (m *mixed) note(t testing.TB, id uint64) {
	if m.out[id] {
		t.Errorf("%d is handed out twice", id)
	}
	m.out[id] = true
}

// prepare has the directories as they are before the mistake.
func (m *mixed) prepare(t testing.TB) {
	m.witness = m.witnessAnew(t)
	if m.rightful {
		ids := open(t, m.dir[false], oneOfThree, 0)
		r := m.serve(ids, host(false), "witness:1")
		m.handOut(t, ids)
		time.Sleep(2 * time.Second)
		r.end(t)
	}
	for range 3 {
		if m.otherIsOld {
			ids := open(t, m.dir[true], oneOfThree, otherFloor)
			if m.other {
				m.handOut(t, ids)
			}
			if err := ids.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	m.witness.end(t)
	m.witness = m.witnessAnew(t) // it knows nothing any more
}

func (m *mixed) witnessAnew(t testing.TB) *replica {
	return m.start(t, m.peer, "witness:1", identity.Replica{Number: 3, Of: 3}, host(false), host(true))
}

// begin starts one of the two.
func (m *mixed) begin(t testing.TB, isOther bool) *replica {
	floor := uint64(0)
	if isOther && m.other {
		floor = otherFloor
	}
	ids := open(t, m.dir[isOther], oneOfThree, floor)
	if isOther && m.other && !m.otherIsOld {
		m.handOut(t, ids)
	}
	return m.serve(ids, host(isOther), "witness:1")
}

// meet has the peer meet both, and returns when one is ended.
func (m *mixed) meet(t testing.TB) (stays *replica) {
	first := m.begin(t, m.otherFirst)
	time.Sleep(2500 * time.Millisecond) // between ticks
	if m.isKilled && m.otherFirst {
		m.part(host(true), true)
	}
	second := m.begin(t, !m.otherFirst)
	if m.isKilled && !m.otherFirst {
		synctest.Wait()
		m.part(host(true), true)
	}
	time.Sleep(4 * time.Second)
	rightful, other := first, second
	if m.otherFirst {
		rightful, other = second, first
	}
	if !m.hasStopped(t, rightful, host(false)) || !m.isKilled && !m.hasStopped(t, other, host(true)) {
		t.Errorf("said: %q, %q", rightful.said, other.said)
	}
	if m.otherStays {
		rightful.end(t)
		m.part(host(true), false)
		return other
	}
	other.end(t)
	return rightful
}

// startAnew is the way out for the server that stays: above all that was handed out, if the
// one that was ended has. It reports whether the server goes on.
func (m *mixed) startAnew(t testing.TB, before *replica) (anew *replica, goesOn bool) {
	before.end(t)
	floor := uint64(0)
	if m.otherStays && m.rightful || !m.otherStays && m.other {
		for id := range m.out {
			floor = max(floor, id)
		}
	}
	ids := open(t, m.dir[m.otherStays], oneOfThree, floor)
	m.handOut(t, ids) // before its first message, too
	anew = m.serve(ids, host(m.otherStays), "witness:1")
	time.Sleep(4 * time.Second)
	return anew, !m.hasStopped(t, anew, host(m.otherStays))
}

// Two servers have one number, and a peer finds them. One is ended and the other one started
// anew, with a floor: where that is not enough it is stopped, and goes on when its peer was
// started anew. Nothing is handed out twice.
func TestWayOutOfTwoServers(t *testing.T) {
	for _, mix := range mixUps() {
		t.Run(mix.String(), func(t *testing.T) {
			m := mixed{network: newNetwork(), mixUp: mix, dir: map[bool]string{false: t.TempDir(), true: t.TempDir()}, peer: t.TempDir(), out: map[uint64]bool{}}
			synctest.Test(t, func(t *testing.T) {
				m.prepare(t)
				stays, goesOn := m.startAnew(t, m.meet(t))
				if goesOn != m.isPlain() {
					t.Errorf("goes on %v, said: %q", goesOn, m.witness.said)
				}
				if !goesOn {
					m.witness.end(t)
					m.witness = m.witnessAnew(t)
					if stays, goesOn = m.startAnew(t, stays); !goesOn {
						t.Errorf("with its peer anew, said: %q", m.witness.said)
					}
				}
				m.handOut(t, stays.ids)
				endAll(t, stays, m.witness)
			})
		})
	}
}
