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
	instance identity.Instance
	standing
	before   *standing                   // this session's predecessor; nil if none was met
	strays   map[identity.Session]int    // what sessions of the past have said since a later one was met
	last     map[identity.Session]uint64 // how far sessions have said to be
	isSpoilt bool                        // two have handed out what is the number's
	told     []identity.Session          // to stop, the latest last
}

// A standing is which session a number has.
type standing struct {
	session identity.Session   // which goes on; a proper successor takes its place
	past    []identity.Session // of its directory, up to this session
}

const (
	// mostStray is how much of a former session can be on its way when a later one is met: a
	// request and a reply.
	mostStray = 2
	// mostTold is how many sessions are told to stop: those that are there come again.
	mostTold = 16
)

func newAcquaintance(floor *identitypb.Floor) *acquaintance {
	return &acquaintance{instance: identity.Instance(floor.Instance), strays: map[identity.Session]int{}, last: map[identity.Session]uint64{},
		standing: standing{session: identity.Session(floor.Session), past: sessions(floor.Past)}}
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
	session, past := identity.Session(floor.Session), sessions(floor.Past)
	switch {
	case a.isSpoilt:
		return whyCopies, []identity.Session{session}
	case identity.Instance(floor.Instance) != a.instance:
		return whyTwo, []identity.Session{a.session, session}
	case session == a.session:
		return "", nil
	case slices.Contains(past, a.session):
		return a.succeed(session, past, floor)
	case slices.Contains(a.past, session):
		return a.stray(session)
	}
	return whyPutBack, []identity.Session{session}
}

// Why a number can be handed out twice, and the way out.
const (
	whyTwo     = "two servers have that number: end one; if the one that stays is in a new directory, start its peers anew"
	whyPutBack = "its directory was put back or copied, and another one has gone on: end it and start that one; if that one is lost, or is the copy, start this one with --floor above all that was handed out, and its peers anew"
	whyCopies  = "two servers have copies of its directory, and both have gone on: end both, begin in a new directory with --floor above all that was handed out, and start its peers anew"
)

// succeed takes a session whose directory has gone on from the one that was met last, if it
// has kept all that was said.
func (a *acquaintance) succeed(session identity.Session, past []identity.Session, floor *identitypb.Floor) (why string, meant []identity.Session) {
	if highest := a.highest(past); floor.Began < highest {
		return fmt.Sprintf("its directory has gone back, from %d to %d: with --floor above %d it goes on", highest, floor.Began, max(highest, floor.Last)), []identity.Session{session}
	}
	before := a.standing
	a.before, a.session, a.past = &before, session, past
	for s := range a.strays {
		if !slices.Contains(past, s) {
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

// takeBack takes the message of a session that was told to stop. Where that has handed out
// nothing, and somebody else has found it, the session before has its place again: it may
// have gone on elsewhere. Where none was met before the number is to be forgotten.
func (a *acquaintance) takeBack(floor *identitypb.Floor) (isForgotten bool) {
	session := identity.Session(floor.Session)
	switch {
	case session != a.session:
	case floor.Handed > 0 || slices.Contains(a.told, session):
		a.last[session] = max(a.last[session], floor.Last)
	case a.before == nil:
		return true
	default:
		a.standing = *a.before
	}
	return false
}

// stray takes a message of a session that has a successor: it is late, or the session goes
// on beside a copy of its directory.
func (a *acquaintance) stray(session identity.Session) (why string, meant []identity.Session) {
	if a.strays[session]++; a.strays[session] <= mostStray {
		return "", nil
	}
	a.isSpoilt = true
	return whyCopies, []identity.Session{a.session, session}
}

// tell notes sessions that are to stop, and reports whether any is new.
func (a *acquaintance) tell(meant []identity.Session) (isNew bool) {
	for _, s := range meant {
		if !slices.Contains(a.told, s) {
			a.told, isNew = append(a.told, s), true
		}
	}
	a.told = a.told[max(0, len(a.told)-mostTold):]
	return isNew
}

// verdict is what the replica is told of its number.
func (a *acquaintance) verdict(number uint64) *identitypb.Doubled {
	return &identitypb.Doubled{Replica: number, Sessions: bytesOf(a.told)}
}
