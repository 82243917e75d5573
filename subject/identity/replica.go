package identity

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ErrReplica is what a replica cannot be.
var ErrReplica = errors.New("not a replica")

// MostReplicas is how many replicas there can be.
const MostReplicas = 1 << 16

// Replica is one of several servers that share the identities: number 1 of 3 hands out
// 1, 4, 7 and so on, so that no two hand out the same. The zero value is 1 of 1.
type Replica struct {
	Number uint64 // from 1
	Of     uint64
}

// ParseReplica reads "1/3".
func ParseReplica(text string) (Replica, error) {
	number, of, _ := strings.Cut(text, "/")
	n, err1 := strconv.ParseUint(number, 10, 64)
	m, err2 := strconv.ParseUint(of, 10, 64)
	r := Replica{n, m}
	if err1 != nil || err2 != nil || r == (Replica{}) {
		return r, fmt.Errorf("replica %q: %w: a number and how many there are, as 1/3", text, ErrReplica)
	}
	return r.check()
}

func (r Replica) String() string { return fmt.Sprintf("%d/%d", r.Number, r.Of) }

func (r Replica) check() (Replica, error) {
	if r == (Replica{}) {
		return Replica{1, 1}, nil
	}
	if r.Of < 1 || r.Of > MostReplicas || r.Number < 1 || r.Number > r.Of {
		return r, fmt.Errorf("replica %v: %w: from 1/1 to %d/%d", r, ErrReplica, MostReplicas, MostReplicas)
	}
	return r, nil
}

// id is the n-th identity of the replica, from 1.
func (r Replica) id(n uint64) uint64 { return (n-1)*r.Of + r.Number }

// upTo is how many identities of the replica are id or below it.
func (r Replica) upTo(id uint64) uint64 {
	if id < r.Number {
		return 0
	}
	return (id-r.Number)/r.Of + 1
}
