package identityrpc

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/syncwrite/syncwrite/subject/identity"
)

// Hosts of servers of one number: the other one has another directory, the copy one of the
// rightful server's. Two witnesses know them.
const (
	rightful = "rightful:1"
	other    = "other:1"
	copied   = "copy:1"
	second   = "second:1" // is always there, but for a moment
	third    = "third:1"
)

func rivals() []string { return []string{rightful, other, copied} }

func numberOf(host string) identity.Replica {
	number := map[string]uint64{second: 2, third: 3}[host]
	return identity.Replica{Number: max(number, 1), Of: 3}
}

// A story is what happens to them.
type story struct {
	*network
	random  *rand.Rand
	dir     map[string]string   // by host
	running map[string]*replica // by host
	out     map[uint64]string   // what was handed out, and by whom
	did     []string
}

func newStory(t testing.TB, seed uint64) *story {
	return &story{network: newNetwork(), random: rand.New(rand.NewPCG(1, seed)), running: map[string]*replica{}, out: map[uint64]string{},
		dir: map[string]string{rightful: t.TempDir(), other: t.TempDir(), second: t.TempDir(), third: t.TempDir()}}
}

func (s *story) note(format string, values ...any) {
	s.did = append(s.did, fmt.Sprintf(format, values...))
}

func (s *story) begin(t testing.TB, host string, floor uint64) {
	s.note("start %s above %d", host, floor)
	peers := []string{second, third}
	switch host {
	case second:
		peers = []string{third, rivals()[s.random.IntN(3)]}
	case third:
		peers = []string{second, rivals()[s.random.IntN(3)]}
	}
	s.running[host] = s.serve(open(t, s.dir[host], numberOf(host), floor), host, peers...)
}

func (s *story) finish(t testing.TB, host string) {
	s.note("end %s", host)
	s.running[host].end(t)
	delete(s.running, host)
}

// kill ends a server, and leaves its directory as it is at this moment.
func (s *story) kill(t testing.TB, host string) {
	s.dir[host] = copyDir(t, s.dir[host])
	s.part(host, true)
	s.note("kill, that is")
	s.finish(t, host)
	s.part(host, false)
}

// handOut reports whether a server hands out, and notes what.
func (s *story) handOut(t testing.TB, host string) bool {
	return s.take(t, host, 1+s.random.Uint64N(5), func(id uint64) {
		if by, is := s.out[id]; is {
			t.Errorf("%s hands out %d, as %s has", host, id, by)
		}
	})
}

// take has a server hand out n and calls each of them, before it is noted. It reports whether
// the server hands out.
func (s *story) take(t testing.TB, host string, n uint64, each func(id uint64)) bool {
	c := s.client(t, host)
	defer closeClient(t, c)
	r, err := c.NextN(t.Context(), n)
	if err != nil {
		return false
	}
	s.note("%s hands out %v", host, r)
	for i := range r.Count {
		each(r.At(i))
		s.out[r.At(i)] = host
	}
	return true
}

// handOutAtOnce has all servers of the number hand out that do.
func (s *story) handOutAtOnce(t testing.TB) {
	for _, host := range rivals() {
		if s.running[host] != nil {
			s.handOut(t, host)
		}
	}
}

// step is one thing that happens, and so long that all have heard of it.
func (s *story) step(t testing.TB) {
	host := append(rivals(), second, third)[s.random.IntN(5)]
	switch {
	case s.dir[host] == "":
		s.note("copy")
		s.dir[host] = copyDir(t, s.dir[rightful])
		return
	case s.running[host] == nil:
		s.begin(t, host, 0)
	case s.random.IntN(2) == 0:
		s.handOutAtOnce(t)
	case host == second:
		s.finish(t, host)
		s.begin(t, host, 0)
	case s.random.IntN(2) == 0:
		s.kill(t, host)
	default:
		s.finish(t, host)
	}
	time.Sleep(4*time.Second + time.Duration(s.random.IntN(1000))*time.Millisecond)
}

// end ends all servers, and tells the story where something was wrong with it.
func (s *story) end(t testing.TB) {
	for host := range s.running {
		s.finish(t, host)
	}
	if t.Failed() {
		t.Logf("%q", s.did)
	}
}

// Servers of one number are started, ended and killed at random. None hands out what another
// one has when they have had the time to hear of each other, and at last there is the way out.
func TestRivalsAtRandom(t *testing.T) {
	for seed := range fromEnvironment("SYNCWRITE_HISTORIES", 10) {
		t.Run(strconv.Itoa(seed), func(t *testing.T) {
			s := newStory(t, uint64(seed))
			synctest.Test(t, func(t *testing.T) {
				for _, host := range []string{second, third, rightful} {
					s.begin(t, host, 0)
				}
				for range 25 {
					s.step(t)
				}
				if s.running[third] == nil {
					s.begin(t, third, 0)
				}
				s.wayOut(t, rivals()[s.random.IntN(2)])
				s.end(t)
			})
		})
	}
}
