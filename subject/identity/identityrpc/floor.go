package identityrpc

import (
	"errors"
	"fmt"
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/syncwrite/syncwrite/subject/identity"
	"github.com/syncwrite/syncwrite/subject/identity/identitypb"
)

var errFloor = errors.New("not a floor of a replica")

func readFloor(payload []byte) (*identitypb.Floor, error) {
	floor := new(identitypb.Floor)
	if err := proto.Unmarshal(payload, floor); err != nil {
		return nil, fmt.Errorf("%w: %w", errFloor, err)
	}
	isNumber := floor.Replica >= 1 && floor.Replica <= floor.Replicas && floor.Replicas <= identity.MostReplicas
	isKnown := len(floor.Instance) == len(identity.Instance{}) && isSession(floor.Session)
	if !isNumber || !isKnown || !areSessions(floor.Past, identity.MostPast) || floor.Last > identity.Max {
		return nil, errFloor
	}
	for _, d := range floor.Doubled {
		if !areSessions(d.Sessions, mostTold) {
			return nil, errFloor
		}
	}
	return floor, nil
}

func isSession(s []byte) bool { return len(s) == len(identity.Session{}) }

func areSessions(all [][]byte, most int) bool {
	return len(all) <= most && !slices.ContainsFunc(all, func(s []byte) bool { return !isSession(s) })
}

// sessions are those of a floor that was read.
func sessions(all [][]byte) []identity.Session {
	read := make([]identity.Session, len(all))
	for i, s := range all {
		read[i] = identity.Session(s)
	}
	return read
}

func bytesOf(all []identity.Session) [][]byte {
	written := make([][]byte, len(all))
	for i, s := range all {
		written[i] = slices.Clone(s[:])
	}
	return written
}
