package identityrpc

import (
	"fmt"

	"github.com/syncwrite/syncwrite/subject/identity"
	"github.com/syncwrite/syncwrite/subject/identity/identitypb"
)

// A session is a server's process, from its start to its end.
type session [16]byte

// An acquaintance is what is known of another replica. Who answers to its number must be
// one server at a time, with one directory, which never goes back.
type acquaintance struct {
	instance identity.Instance
	session  session
	starts   uint64 // of the directory, up to this session
	highest  uint64 // of what it has said of how far it is
	stray    int    // what sessions before have said since this one was met
}

// mostStray is how much of former sessions can be on its way when the next one is met: a
// request and a reply.
const mostStray = 2

func newAcquaintance(floor *identitypb.Floor) *acquaintance {
	return &acquaintance{identity.Instance(floor.Instance), session(floor.Session), floor.Starts, floor.Last, 0}
}

// meet takes what the replica says, and returns why its number can be handed out twice, if
// it can. A session is the later one where its directory was opened more often; it must have
// begun behind all that was said before.
func (a *acquaintance) meet(floor *identitypb.Floor) string {
	same := session(floor.Session) == a.session
	switch {
	case identity.Instance(floor.Instance) != a.instance:
		return "two servers have that number"
	case floor.Starts == a.starts && !same:
		return "two servers have copies of its directory"
	case floor.Starts < a.starts:
		if a.stray++; a.stray > mostStray {
			return "a server has an older copy of its directory"
		}
	case floor.Starts > a.starts && floor.Began < a.highest:
		return fmt.Sprintf("its directory has gone back, from %d to %d", a.highest, floor.Began)
	case floor.Starts > a.starts:
		a.session, a.starts, a.stray = session(floor.Session), floor.Starts, 0
	}
	a.highest = max(a.highest, floor.Last)
	return ""
}
