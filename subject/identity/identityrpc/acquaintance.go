package identityrpc

import (
	"fmt"
	"maps"
	"slices"

	"github.com/syncwrite/syncwrite/subject/identity"
	"github.com/syncwrite/syncwrite/subject/identity/identitypb"
)

// An acquaintance is what is known of another replica. Who answers to its number must be
// one server at a time, with one directory, which never goes back: the past of each session
// has the one before.
type acquaintance struct {
	standing
	before   standing                    // this session's predecessor
	strays   map[identity.Session]int    // what sessions of the past have said since a later one was met
	last     map[identity.Session]uint64 // how far sessions have said to be
	isSpoilt bool                        // two have handed out what is the number's
	told     []identity.Session          // to stop, the latest last
}

// A standing is which session a number has. The zero value is none.
type standing struct {
	instance identity.Instance  // of its directory
	session  identity.Session   // which goes on; a proper successor takes its place
	past     []identity.Session // of its directory, up to this session
}

func standingOf(floor *identitypb.Floor) standing {
	return standing{instance: identity.Instance(floor.Instance), session: identity.Session(floor.Session), past: sessions(floor.Past)}
}

// isNone reports whether the number has no session: the next one that was not told to stop
// takes its place.
func (s standing) isNone() bool { return s.session == identity.Session{} }

const (
	// mostStray is how much of a former session can be on its way when a later one is met: a
	// request and a reply.
	mostStray = 2
	// mostTold is how many sessions are told to stop: those that are there come again.
	mostTold = 16
)

func newAcquaintance(floor *identitypb.Floor) *acquaintance {
	return &acquaintance{standing: standingOf(floor), strays: map[identity.Session]int{}, last: map[identity.Session]uint64{}}
}

// meet takes what a session says. It returns why its number can be handed out twice where
// that is new of a session; from then on told has it.
func (a *acquaintance) meet(floor *identitypb.Floor) (why string) {
	why, meant := a.judge(floor)
	session := identity.Session(floor.Session)
	if session == a.session || !slices.Contains(a.told, session) { // who was told hands out nothing, and only follows
		a.last[session] = max(a.last[session], floor.Last)
	}
	isNew := a.tell(meant)
	a.forget()
	if !isNew {
		return ""
	}
	return why
}

// judge returns why the number can be handed out twice, if it can, and the sessions that are
// to stop for it.
func (a *acquaintance) judge(floor *identitypb.Floor) (why string, meant []identity.Session) {
	other := standingOf(floor)
	switch {
	case a.isSpoilt:
		return whyCopies, []identity.Session{other.session}
	case a.isNone() && slices.Contains(a.told, other.session):
		return "", nil
	case a.isNone():
		return a.succeed(other, floor)
	case other.instance != a.instance:
		return whyTwo, []identity.Session{a.session, other.session}
	case other.session == a.session:
		return "", nil
	case slices.Contains(other.past, a.session):
		return a.succeed(other, floor)
	case slices.Contains(a.past, other.session):
		return a.stray(other.session)
	}
	return whyPutBack, []identity.Session{other.session}
}

// Why a number can be handed out twice.
const (
	whyTwo     = "another directory was met under that number"
	whyPutBack = "its directory was put back or copied, and another one has gone on"
	whyCopies  = "two servers have copies of its directory, and both have gone on"
	whyBack    = "its directory has gone back, from %d to %d, or is a copy of one that another server has"
)

// succeed takes a session that goes on from the one that was met last, or where the number has
// none, if its directory has kept all that was said.
func (a *acquaintance) succeed(next standing, floor *identitypb.Floor) (why string, meant []identity.Session) {
	if highest := a.highest(next.past); floor.Began < highest {
		return fmt.Sprintf(whyBack, highest, floor.Began), []identity.Session{next.session}
	}
	a.before, a.standing = a.standing, next
	for s := range a.strays {
		if !slices.Contains(next.past, s) {
			delete(a.strays, s)
		}
	}
	return "", nil
}

// highest is how far the sessions of a past have said to be. What others have said, a
// stranger's or those of a backup, is not the directory's to have kept.
func (a *acquaintance) highest(past []identity.Session) (highest uint64) {
	for _, s := range past {
		highest = max(highest, a.last[s])
	}
	return highest
}

// forget forgets how far sessions were that are neither in the past nor were told lately.
func (a *acquaintance) forget() {
	if len(a.last) <= 2*identity.MostPast {
		return
	}
	maps.DeleteFunc(a.last, func(s identity.Session, _ uint64) bool {
		return s != a.session && !slices.Contains(a.past, s) && !slices.Contains(a.told, s)
	})
}

// takeBack takes the message of a session that was told to stop, and gives its place away
// where that repeats nothing. If somebody else has found it, and it has handed out nothing, the
// session before it has the place again: that may have gone on elsewhere. If it was found
// here, beside another directory, and its own one is unused, the number has no session:
// either server can be started anew. A directory that may have handed out keeps the place, so
// that the other one is not taken for the server of the number as long as this replica knows.
func (a *acquaintance) takeBack(floor *identitypb.Floor) {
	session := identity.Session(floor.Session)
	switch {
	case session != a.session || a.isSpoilt:
	case floor.Handed == 0 && !slices.Contains(a.told, session):
		a.standing = a.before
	case isUnused(floor):
		a.standing, a.before = standing{}, standing{}
	default:
		a.last[session] = max(a.last[session], floor.Last)
	}
}

// isUnused reports whether a directory has never handed out anything: at this opening all that
// it could have handed out before lay below the replica's first identity.
func isUnused(floor *identitypb.Floor) bool { return floor.Handed == 0 && floor.Began < floor.Replica }

// stray takes a message of a session that has a successor: it is late, or the session goes
// on beside a copy of its directory.
func (a *acquaintance) stray(session identity.Session) (why string, meant []identity.Session) {
	if a.strays[session]++; a.strays[session] <= mostStray {
		return "", nil
	}
	a.isSpoilt = true
	return whyCopies, []identity.Session{a.session, session}
}

// tell notes sessions that are to stop, and reports whether any is new. Those that are meant
// again are not the first to be forgotten.
func (a *acquaintance) tell(meant []identity.Session) (isNew bool) {
	for _, s := range meant {
		isNew = isNew || !slices.Contains(a.told, s)
		a.told = append(slices.DeleteFunc(a.told, func(told identity.Session) bool { return told == s }), s)
	}
	a.told = a.told[max(0, len(a.told)-mostTold):]
	return isNew
}

// verdict is what the replica is told of its number.
func (a *acquaintance) verdict(number uint64) *identitypb.Doubled {
	return &identitypb.Doubled{Replica: number, Sessions: bytesOf(a.told)}
}
