package identityrpc

import (
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/subject/identity"
	"github.com/syncwrite/syncwrite/subject/identity/identitypb"
)

// from is a floor of the last one of some sessions of a directory.
func from(began, last uint64, past ...byte) *identitypb.Floor {
	floor := &identitypb.Floor{Replica: 1, Instance: make([]byte, 16), Began: began, Last: last}
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
	ahead := from(900, 900, 9)
	ahead.Instance = another.Instance
	type message struct {
		floor *identitypb.Floor
		why   string // that is said; "" is nothing
		told  string // the sessions that are told to stop
	}
	for name, all := range map[string][]message{
		"started anew": {{floor: from(0, 50, 1)}, {floor: from(50, 90, 1, 2)}, {floor: from(90, 90, 1, 2, 3, 4)}, {floor: from(90, 99, 1, 2, 3, 4)}},
		"what former sessions had on their way": {{floor: from(0, 50, 1)}, {floor: from(60, 60, 1, 2)}, {floor: from(0, 55, 1)}, {floor: from(0, 56, 1)},
			{floor: from(70, 70, 1, 2, 3)}, {floor: from(60, 65, 1, 2)}, {floor: from(60, 66, 1, 2)}},
		"gone back": {{floor: from(0, 50, 1)}, {floor: from(49, 49, 1, 2), why: "gone back, from 50 to 49, or is a copy", told: "2"}, {floor: from(49, 49, 1, 2), told: "2"},
			{floor: from(49, 49, 1, 2, 3), why: "gone back", told: "2 3"}, {floor: from(50, 50, 1, 2, 3, 4), told: "2 3"}},
		"gone back, and further meanwhile": {{floor: from(0, 50, 1)}, {floor: from(20, 70, 1, 2), why: "from 50 to 20", told: "2"}, {floor: from(69, 69, 1, 2, 3), why: "from 70 to 69", told: "2 3"}},
		"put back": {{floor: from(50, 50, 1, 2, 3)}, {floor: from(0, 0, 1, 4), why: "put back or copied", told: "4"}, {floor: from(0, 0, 1, 4, 5), why: "put back or copied", told: "4 5"},
			{floor: from(0, 0, 1, 4, 5, 6), why: "put back", told: "4 5 6"}, {floor: from(50, 60, 1, 2, 3), told: "4 5 6"}, {floor: from(60, 60, 1, 2, 3, 7), told: "4 5 6"}},
		"put back, and it follows":                         {{floor: from(50, 50, 1, 2, 3)}, {floor: from(0, 0, 1, 4), why: "put back", told: "4"}, {floor: from(0, 90, 1, 4), told: "4"}, {floor: from(60, 60, 1, 2, 3, 7), told: "4"}},
		"put back, ahead, and the other one anew":          {{floor: from(50, 50, 1, 2, 3)}, {floor: from(900, 900, 1, 4), why: "put back", told: "4"}, {floor: from(60, 60, 1, 2, 3, 7), told: "4"}},
		"gone back, ahead, and the other one anew":         {{floor: from(0, 50, 1)}, {floor: from(20, 900, 1, 2), why: "gone back", told: "2"}, {floor: from(50, 50, 1, 3), told: "2"}},
		"another directory, ahead, and the other one anew": {{floor: from(0, 50, 1)}, {floor: ahead, why: "another directory", told: "1 9"}, {floor: from(50, 50, 1, 2), told: "1 9"}},
		"a live copy": {{floor: from(0, 50, 1)}, {floor: from(90, 90, 1, 2)}, {floor: from(0, 60, 1)}, {floor: from(0, 60, 1)}, {floor: from(0, 60, 1), why: "copies of its directory", told: "2 1"},
			{floor: from(90, 90, 1, 2), told: "1 2"}, {floor: from(60, 60, 1, 3), why: "copies", told: "1 2 3"}, {floor: from(99, 99, 1, 2, 4), why: "copies", told: "1 2 3 4"}},
		"two servers":                {{floor: from(0, 50, 1)}, {floor: another, why: "another directory", told: "1 9"}, {floor: another, told: "1 9"}, {floor: from(50, 50, 1, 2), told: "1 9"}, {floor: another, why: "another directory", told: "1 2 9"}},
		"the past of another number": {{floor: from(0, 50, 1)}, {floor: from(50, 50, 2), why: "put back", told: "2"}},
	} {
		t.Run(name, func(t *testing.T) {
			a := newAcquaintance(all[0].floor)
			for i, m := range all {
				why := a.meet(m.floor)
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
	past := []byte{201}
	a := newAcquaintance(from(0, 0, past...))
	for s := byte(1); s < 200; s++ {
		past = append(past, s)
		if why := a.meet(from(0, 0, past...)); why != "" {
			t.Fatalf("session %d: %s", s, why)
		}
	}
	for s := range past[:199] {
		for range mostStray {
			if why := a.meet(from(0, 0, past[:s+1]...)); why != "" {
				t.Fatalf("session %d: %s", s, why)
			}
		}
	}
	a.meet(from(0, 0, append(past, 200)...))
	if why := a.meet(from(0, 0, past[:5]...)); why == "" {
		t.Error("a session that goes on beside a later one is not found")
	}
	if len(a.strays) > identity.MostPast {
		t.Errorf("%d sessions are remembered", len(a.strays))
	}
}

// A replica whose floor is not followed counts as every other: its directory is found when it
// has gone back.
func TestTooFarCounts(t *testing.T) {
	said := ""
	s := &syncing{known: map[uint64]*acquaintance{}, unfollowed: map[uint64]bool{1: true}, say: func(text string) { said = text }}
	s.recognise(oneOfTwo, from(1<<60, 1<<60+5, 1))
	s.recognise(oneOfTwo, from(1<<60, 1<<60, 1, 2))
	if !strings.Contains(said, "gone back") {
		t.Error(said)
	}
}

// stopped is the floor of a server that was told to stop, when it had handed out so many.
func stopped(floor *identitypb.Floor, handed uint64) *identitypb.Floor {
	floor.Stopped, floor.Handed = true, handed
	return floor
}

// Of one that was told to stop nothing is found, and it takes nobody's place: who comes
// afterwards is judged by what was known before.
func TestWhoHasStoppedIsNotKnown(t *testing.T) {
	another := from(0, 0, 9)
	another.Instance = []byte{1, 15: 0}
	ahead := from(0, 30, 9)
	ahead.Instance = another.Instance
	for name, test := range map[string]struct {
		said  []*identitypb.Floor
		found string // of what was said last
	}{
		"met first":                       {said: []*identitypb.Floor{stopped(from(0, 0, 1, 2), 0), from(0, 10, 1, 3)}},
		"met first, and stopped then":     {said: []*identitypb.Floor{from(0, 0, 1, 2), stopped(from(0, 0, 1, 2), 0), from(0, 10, 1, 3)}},
		"it has no place":                 {said: []*identitypb.Floor{from(0, 10, 1), stopped(from(10, 10, 1, 2), 0), from(10, 20, 1, 3)}},
		"it gives its place back":         {said: []*identitypb.Floor{from(0, 10, 1), from(10, 10, 1, 2), stopped(from(10, 10, 1, 2), 0), from(10, 20, 1, 3)}},
		"it was raised":                   {said: []*identitypb.Floor{from(0, 10, 1), from(10, 900, 1, 2), stopped(from(10, 900, 1, 2), 0), from(10, 20, 1, 3)}},
		"it has handed out":               {said: []*identitypb.Floor{from(0, 10, 1), from(10, 15, 1, 2), stopped(from(10, 15, 1, 2), 5), from(10, 20, 1, 3)}, found: "put back"},
		"it has handed out, and how far":  {said: []*identitypb.Floor{from(0, 10, 1), from(10, 15, 1, 2), stopped(from(10, 30, 1, 2), 5), from(20, 20, 1, 2, 3)}, found: "gone back, from 30"},
		"found here, and the other again": {said: []*identitypb.Floor{from(50, 50, 1, 2), another, stopped(from(50, 50, 1, 2), 0), anew(another)}, found: "another directory"},
		"unused, found here":              {said: []*identitypb.Floor{from(0, 0, 1), another, stopped(from(0, 30, 1), 0), anew(another)}},
		"unused, found here, anew":        {said: []*identitypb.Floor{from(0, 0, 1), from(0, 0, 1, 2), another, stopped(from(0, 30, 1, 2), 0), anew(another)}},
		"unused, and the other is late":   {said: []*identitypb.Floor{from(0, 0, 1), another, stopped(from(0, 0, 1), 0), another, from(0, 0, 1, 2)}},
		"unused, and both go on":          {said: []*identitypb.Floor{from(0, 0, 1), another, stopped(from(0, 0, 1), 0), from(0, 0, 1, 2), anew(another)}, found: "another directory"},
		"unused, and the other is lower":  {said: []*identitypb.Floor{from(0, 0, 1), ahead, stopped(from(0, 0, 1), 0), anew(another)}, found: "gone back, from 30 to 0"},
		"copies, one of them unused":      {said: []*identitypb.Floor{from(0, 0, 1), from(0, 0, 1, 2), from(0, 5, 1), from(0, 5, 1), from(0, 5, 1), stopped(from(0, 0, 1, 2), 0), from(5, 5, 1, 3)}, found: "copies"},
		"a former one":                    {said: []*identitypb.Floor{from(0, 10, 1), from(10, 15, 1, 2), stopped(from(0, 10, 1), 0), from(15, 15, 1, 2, 3)}},
	} {
		t.Run(name, func(t *testing.T) {
			said := ""
			s := &syncing{known: map[uint64]*acquaintance{}, say: func(text string) { said = text }}
			for _, floor := range test.said {
				said = ""
				s.recognise(oneOfTwo, floor)
			}
			if (said == "") != (test.found == "") || !strings.Contains(said, test.found) {
				t.Errorf("%q, not %q", said, test.found)
			}
		})
	}
}

// anew is the floor of a directory that was opened again.
func anew(floor *identitypb.Floor) *identitypb.Floor {
	again := from(floor.Last, floor.Last, 9, 10)
	again.Instance = floor.Instance
	return again
}

// However many sessions are told, what is known of them and what a floor has of them is bounded.
func TestFewAreTold(t *testing.T) {
	a := newAcquaintance(from(0, 0, 9))
	for i := range 1000 {
		stranger := from(0, 5, 1)
		stranger.Session = []byte{1, byte(i >> 8), byte(i), 15: 0}
		a.meet(stranger)
	}
	if n := len(a.told); n != mostTold || a.told[n-1] != (identity.Session{1, 999 >> 8, 999 & 255}) {
		t.Errorf("%d are told, %v the last", n, a.told[n-1])
	}
	if n := len(a.last); n > 2*identity.MostPast {
		t.Errorf("it is known of %d how far they are", n)
	}
}

// However often another directory comes, the session that has the number is told to stop, and
// does not give the place away for that it was told.
func TestWhoHasThePlaceIsToldForGood(t *testing.T) {
	a := newAcquaintance(from(50, 50, 1))
	for i := range 3 * mostTold {
		stranger := from(0, 0, 100+byte(i))
		stranger.Instance = []byte{1, 15: 0}
		if why := a.meet(stranger); why == "" {
			t.Fatalf("stranger %d is taken for the server", i)
		}
		a.takeBack(stopped(from(50, 50, 1), 0))
	}
}
