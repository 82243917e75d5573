package identityrpc

import (
	"fmt"

	"github.com/syncwrite/syncwrite/subject/identity"
	"github.com/syncwrite/syncwrite/subject/identity/identitypb"
)

// An acquaintance is what is known of another replica. Who answers to its number must be
// one server at a time, with one directory, which never goes back.
type acquaintance struct {
	instance identity.Instance
	session  identity.Session
	starts   uint64         // of the directory, up to this session
	highest  uint64         // of what it has said of how far it is
	strays   map[uint64]int // what sessions before have said since a later one was met, by their starts
}

const (
	// mostStray is how much of a former session can be on its way when a later one is met: a
	// request and a reply.
	mostStray = 2
	// mostFormer is how many of them are remembered.
	mostFormer = 64
)

func newAcquaintance(floor *identitypb.Floor) *acquaintance {
	return &acquaintance{identity.Instance(floor.Instance), identity.Session(floor.Session), floor.Starts, floor.Last, map[uint64]int{}}
}

// meet takes what the replica says, and returns why its number can be handed out twice, if
// it can, and whether a new session begins as it should. A session is the later one where its directory was opened more often; it must have
// begun behind all that was said before.
func (a *acquaintance) meet(floor *identitypb.Floor) (why string, isNew bool) {
	same := identity.Session(floor.Session) == a.session
	switch {
	case identity.Instance(floor.Instance) != a.instance:
		return "two servers have that number", false
	case floor.Starts == a.starts && !same:
		return "two servers have copies of its directory", false
	case floor.Starts < a.starts:
		if len(a.strays) > mostFormer {
			clear(a.strays)
		}
		if a.strays[floor.Starts]++; a.strays[floor.Starts] > mostStray {
			return "a server has an older copy of its directory", false
		}
	case floor.Starts > a.starts && floor.Began < a.highest:
		return fmt.Sprintf("its directory has gone back, from %d to %d", a.highest, floor.Began), false
	case floor.Starts > a.starts:
		a.session, a.starts = identity.Session(floor.Session), floor.Starts
		isNew = true
	}
	a.highest = max(a.highest, floor.Last)
	return "", isNew
}
