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
	highest  uint64          // of what it has said of how far it is
	former   map[session]int // sessions before, and what they have said since another one began
}

const (
	// mostStray is how much of a session can be on its way when the next one has begun: a
	// request and a reply.
	mostStray = 2
	// mostFormer is how many sessions are remembered.
	mostFormer = 64
)

func newAcquaintance(floor *identitypb.Floor) *acquaintance {
	return &acquaintance{identity.Instance(floor.Instance), session(floor.Session), floor.Last, map[session]int{}}
}

// meet takes what the replica says, and returns why its number can be handed out twice, if
// it can.
func (a *acquaintance) meet(floor *identitypb.Floor) string {
	if identity.Instance(floor.Instance) != a.instance {
		return "two servers have that number"
	}
	from := session(floor.Session)
	_, former := a.former[from]
	switch {
	case from == a.session:
	case former:
		if a.former[from]++; a.former[from] > mostStray {
			return "two servers have copies of its directory"
		}
	case floor.Last < a.highest:
		return fmt.Sprintf("its directory has gone back, from %d to %d", a.highest, floor.Last)
	default:
		a.begin(from)
	}
	a.highest = max(a.highest, floor.Last)
	return ""
}

// begin notes that the replica was started anew.
func (a *acquaintance) begin(from session) {
	if len(a.former) >= mostFormer {
		clear(a.former)
	}
	a.former[a.session] = 0
	a.session = from
}
