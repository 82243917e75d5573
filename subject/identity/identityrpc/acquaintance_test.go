package identityrpc

import (
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/subject/identity"
	"github.com/syncwrite/syncwrite/subject/identity/identitypb"
)

// from is a floor of the last one of some sessions of a directory.
func from(began, last uint64, past ...byte) *identitypb.Floor {
	floor := &identitypb.Floor{Instance: make([]byte, 16), Began: began, Last: last}
	for _, s := range past {
		floor.Past = append(floor.Past, []byte{s, 15: 0})
	}
	floor.Session = floor.Past[len(past)-1]
	return floor
}

// What a replica says of itself, message by message, and what is found of it.
func TestAcquaintance(t *testing.T) {
	another := from(0, 0, 9)
	another.Instance = []byte{1, 15: 0}
	type message struct {
		floor *identitypb.Floor
		why   string // that is said; "" is nothing
		told  string // the sessions that are told to stop
	}
	for name, all := range map[string][]message{
		"started anew": {{floor: from(0, 50, 1)}, {floor: from(50, 90, 1, 2)}, {floor: from(90, 90, 1, 2, 3, 4)}, {floor: from(90, 99, 1, 2, 3, 4)}},
		"what former sessions had on their way": {{floor: from(0, 50, 1)}, {floor: from(60, 60, 1, 2)}, {floor: from(0, 55, 1)}, {floor: from(0, 56, 1)},
			{floor: from(70, 70, 1, 2, 3)}, {floor: from(60, 65, 1, 2)}, {floor: from(60, 66, 1, 2)}},
		"gone back": {{floor: from(0, 50, 1)}, {floor: from(49, 49, 1, 2), why: "gone back, from 50 to 49: with --floor above 50", told: "2"}, {floor: from(49, 49, 1, 2), told: "2"},
			{floor: from(49, 49, 1, 2, 3), why: "gone back", told: "2 3"}, {floor: from(50, 50, 1, 2, 3, 4), told: "2 3"}},
		"gone back, and further meanwhile": {{floor: from(0, 50, 1)}, {floor: from(20, 70, 1, 2), why: "with --floor above 70", told: "2"}, {floor: from(69, 69, 1, 2, 3), why: "from 70 to 69", told: "2 3"}},
		"put back": {{floor: from(50, 50, 1, 2, 3)}, {floor: from(0, 0, 1, 4), why: "put back or copied", told: "4"}, {floor: from(0, 0, 1, 4, 5), why: "put back or copied", told: "4 5"},
			{floor: from(0, 0, 1, 4, 5, 6), why: "put back", told: "4 5 6"}, {floor: from(50, 60, 1, 2, 3), told: "4 5 6"}, {floor: from(60, 60, 1, 2, 3, 7), told: "4 5 6"}},
		"put back, and it follows": {{floor: from(50, 50, 1, 2, 3)}, {floor: from(0, 0, 1, 4), why: "put back", told: "4"}, {floor: from(0, 90, 1, 4), told: "4"}, {floor: from(60, 60, 1, 2, 3, 7), told: "4"}},
		"a live copy": {{floor: from(0, 50, 1)}, {floor: from(90, 90, 1, 2)}, {floor: from(0, 60, 1)}, {floor: from(0, 60, 1)}, {floor: from(0, 60, 1), why: "copies of its directory", told: "2 1"},
			{floor: from(90, 90, 1, 2), told: "2 1"}, {floor: from(60, 60, 1, 3), why: "copies", told: "2 1 3"}, {floor: from(99, 99, 1, 2, 4), why: "copies", told: "2 1 3 4"}},
		"two servers":                {{floor: from(0, 50, 1)}, {floor: another, why: "two servers", told: "1 9"}, {floor: another, told: "1 9"}, {floor: from(50, 50, 1, 2), told: "1 9"}, {floor: another, why: "two servers", told: "1 9 2"}},
		"the past of another number": {{floor: from(0, 50, 1)}, {floor: from(50, 50, 2), why: "put back", told: "2"}},
	} {
		t.Run(name, func(t *testing.T) {
			a := newAcquaintance(all[0].floor)
			for i, m := range all {
				why := a.meet(m.floor, m.floor.Last)
				if (why == "") != (m.why == "") || !strings.Contains(why, m.why) {
					t.Errorf("message %d: %q, not %q", i, why, m.why)
				}
				if got := numbers(a.told); got != m.told {
					t.Errorf("message %d: %s are told to stop, not %s", i, got, m.told)
				}
			}
		})
	}
}

func numbers(all []identity.Session) string {
	var text []string
	for _, s := range all {
		text = append(text, string('0'+s[0]))
	}
	return strings.Join(text, " ")
}

// Each of many sessions that were killed may have something on its way, and one that goes on
// is found however often its copy is started anew.
func TestStraysOfManySessions(t *testing.T) {
	past := []byte{0}
	a := newAcquaintance(from(0, 0, past...))
	for s := byte(1); s < 200; s++ {
		past = append(past, s)
		if why := a.meet(from(0, 0, past...), 0); why != "" {
			t.Fatalf("session %d: %s", s, why)
		}
	}
	for s := range past[:199] {
		for range mostStray {
			if why := a.meet(from(0, 0, past[:s+1]...), 0); why != "" {
				t.Fatalf("session %d: %s", s, why)
			}
		}
	}
	a.meet(from(0, 0, append(past, 200)...), 0)
	if why := a.meet(from(0, 0, past[:5]...), 0); why == "" {
		t.Error("a session that goes on beside a later one is not found")
	}
	if len(a.strays) > identity.MostPast {
		t.Errorf("%d sessions are remembered", len(a.strays))
	}
}

// A replica that is damaged, and too far ahead, does not make its successor go as far.
func TestTooFarDoesNotCount(t *testing.T) {
	said := ""
	s := &syncing{known: map[uint64]*acquaintance{}, refused: map[uint64]bool{1: true}, say: func(text string) { said = text }}
	s.recognise(oneOfTwo, from(0, identity.Max, 1))
	s.refused[1] = false
	s.recognise(oneOfTwo, from(5, 5, 1, 2))
	if said != "" {
		t.Error(said)
	}
}

// However many sessions are told, what a floor has of them is bounded.
func TestFewAreTold(t *testing.T) {
	a := newAcquaintance(from(0, 0, 0))
	for s := byte(1); s < 100; s++ {
		a.meet(from(0, 0, s), 0)
	}
	if n := len(a.told); n != mostTold || a.told[n-1] != (identity.Session{99}) {
		t.Errorf("%d are told, %v the last", n, a.told[n-1])
	}
}
