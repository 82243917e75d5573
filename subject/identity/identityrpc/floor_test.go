package identityrpc

import (
	"errors"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/syncwrite/syncwrite/subject/identity"
	"github.com/syncwrite/syncwrite/subject/identity/identitypb"
)

// What cannot be a floor is refused before anything is done with it.
func TestFloorsThatCannotBe(t *testing.T) {
	most := make([]byte, identity.MostPast)
	for name, change := range map[string]func(f *identitypb.Floor){
		"":                      func(f *identitypb.Floor) {},
		"the longest past":      func(f *identitypb.Floor) { f.Past = from(0, 0, most...).Past },
		"no instance":           func(f *identitypb.Floor) { f.Instance = nil },
		"a short session":       func(f *identitypb.Floor) { f.Session = f.Session[1:] },
		"a long session":        func(f *identitypb.Floor) { f.Past[0] = make([]byte, 17) },
		"a past that is longer": func(f *identitypb.Floor) { f.Past = from(0, 0, append(most, 1)...).Past },
		"a verdict of nobody":   func(f *identitypb.Floor) { f.Doubled = []*identitypb.Doubled{{Sessions: [][]byte{nil}}} },
		"a verdict of many": func(f *identitypb.Floor) {
			f.Doubled = []*identitypb.Doubled{{Sessions: f.Past}, {Sessions: from(0, 0, most...).Past}}
		},
		"replica 3 of 2": func(f *identitypb.Floor) { f.Replica = 3 },
		"too many":       func(f *identitypb.Floor) { f.Replicas = identity.MostReplicas + 1 },
		"out of range":   func(f *identitypb.Floor) { f.Last = identity.Max + 1 },
	} {
		floor := from(1, 2, 3, 4)
		floor.Replica, floor.Replicas = 1, 2
		change(floor)
		payload, err := proto.Marshal(floor)
		if err != nil {
			t.Fatal(err)
		}
		_, err = readFloor(payload)
		if isFine := name == "" || name == "the longest past"; isFine != (err == nil) || !isFine && !errors.Is(err, errFloor) {
			t.Errorf("%q: %v", name, err)
		}
	}
}
