package identityrpc

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// wayOut does what WayOut says, step by step and in its order, and has one server go on. The
// names of the steps are their words, so that nobody changes these without this.
func (s *story) wayOut(t testing.TB, host string) {
	steps := map[string]func(){
		"end all servers of that number and of every other one that was told to stop": func() {
			for _, rival := range rivals() {
				if s.running[rival] != nil {
					s.finish(t, rival)
				}
			}
		},
		"start all their peers anew": func() {
			for _, peer := range []string{second, third} {
				s.finish(t, peer)
				s.begin(t, peer, 0)
				time.Sleep(time.Second)
			}
		},
		"start one of each such number with --floor above all that was handed out": func() {
			s.begin(t, host, s.highest())
			s.handOut(t, host) // before its first message, too
		},
	}
	for _, step := range strings.Split(strings.ReplaceAll(WayOut, "and then ", ""), ", ") {
		do := steps[step]
		if do == nil {
			t.Fatalf("nobody knows how to %q", step)
		}
		s.note("%s", step)
		do()
	}
	time.Sleep(5 * time.Second)
	if !s.handOut(t, host) {
		t.Errorf("%s does not go on: %q", host, s.running[host].said)
	}
}

func (s *story) highest() (highest uint64) {
	for id := range s.out {
		highest = max(highest, id)
	}
	return highest
}

// spill has a server hand out what another one may have handed out.
func (s *story) spill(t testing.TB, host string, n uint64) {
	if !s.take(t, host, n, func(uint64) {}) {
		t.Errorf("%s hands out nothing: %q", host, s.running[host].said)
	}
}

// isolate cuts the way to peers before it is used, or opens it.
func (s *story) isolate(host string, is bool, peers ...string) {
	for _, peer := range peers {
		s.between(host, peer, is)
	}
}

// comes starts a server that hands out n before it reaches anybody.
func (s *story) comes(t testing.TB, host string, n uint64) {
	s.isolate(host, true, second, third)
	s.begin(t, host, 0)
	if n > 0 {
		s.spill(t, host, n)
	}
	s.isolate(host, false, second, third)
	time.Sleep(5 * time.Second)
}

// manyMore is more than a start reserves.
const manyMore = 100_000

// A trouble is one of README.md's, or a way of it.
type trouble struct {
	happens func(t testing.TB, s *story, n uint64) // n is how many a server hands out that ought not to be there
	stopped []string                               // who is told to stop
	beside  bool                                   // the rightful server goes on
}

// copyOfAStart ends the rightful server and copies its directory.
func copyOfAStart(t testing.TB, s *story) {
	s.finish(t, rightful)
	s.dir[copied] = copyDir(t, s.dir[rightful])
}

// goesOn starts the rightful server again and has it go on behind the copy.
func goesOn(t testing.TB, s *story) {
	s.begin(t, rightful, 0)
	time.Sleep(2 * time.Second)
	s.handOut(t, rightful)
	time.Sleep(2 * time.Second)
}

// troubles are those of README.md's table, by what it says has happened.
var troubles = map[string][]trouble{
	"two servers have one number": {
		{happens: func(t testing.TB, s *story, n uint64) { s.comes(t, other, n) }, stopped: []string{rightful, other}},
	},
	"a backup from before the last start that a peer knows takes a directory's place, or a copy of a stopped server's directory is started beside it": {
		{happens: func(t testing.TB, s *story, n uint64) {
			copyOfAStart(t, s)
			goesOn(t, s)
			s.finish(t, rightful)
			s.comes(t, copied, n)
		}, stopped: []string{copied}},
		{happens: func(t testing.TB, s *story, n uint64) {
			copyOfAStart(t, s)
			goesOn(t, s)
			s.comes(t, copied, n)
		}, stopped: []string{copied}, beside: true},
	},
	"such a backup or copy has handed out where it met only peers that do not know that start": {
		{happens: func(t testing.TB, s *story, n uint64) {
			copyOfAStart(t, s)
			s.isolate(rightful, true, third)
			goesOn(t, s)
			s.isolate(copied, true, second)
			s.begin(t, copied, 0)
			time.Sleep(2 * time.Second)
			s.spill(t, copied, n)
			time.Sleep(2 * time.Second)
			s.isolate(copied, false, second)
			time.Sleep(4 * time.Second)
			s.isolate(rightful, false, third)
			time.Sleep(4 * time.Second)
		}, stopped: []string{rightful, copied}},
	},
	"a directory has gone back: a backup from since the last start, a file that was cut short": {
		{happens: func(t testing.TB, s *story, n uint64) {
			s.dir[copied] = copyDir(t, s.dir[rightful])
			s.spill(t, rightful, manyMore)
			time.Sleep(2 * time.Second)
			s.finish(t, rightful)
			s.comes(t, copied, n)
		}, stopped: []string{copied}},
	},
	"a running server's directory is copied, and both run": {
		{happens: func(t testing.TB, s *story, n uint64) {
			s.dir[copied] = copyDir(t, s.dir[rightful])
			s.spill(t, rightful, manyMore)
			time.Sleep(2 * time.Second)
			s.comes(t, copied, n)
		}, stopped: []string{copied}, beside: true},
		{happens: func(t testing.TB, s *story, n uint64) {
			s.dir[copied] = copyDir(t, s.dir[rightful])
			s.comes(t, copied, n)
		}, stopped: []string{rightful, copied}},
	},
	"a directory is lost": {
		{happens: func(t testing.TB, s *story, _ uint64) {
			s.kill(t, rightful)
			s.dir[rightful] = ""
		}},
	},
}

// begin is what has happened, with a server that ought not to be there and hands out n.
func (trouble trouble) begin(t testing.TB, s *story, n uint64) {
	for _, host := range []string{second, third, rightful} {
		s.begin(t, host, 0)
	}
	time.Sleep(2 * time.Second)
	s.spill(t, rightful, 10)
	time.Sleep(2 * time.Second)
	trouble.happens(t, s, n)
	for _, host := range trouble.stopped {
		if !s.hasStopped(t, s.running[host], host) || !s.running[host].hasSaid(WayOut) {
			t.Errorf("%s is not stopped, or knows no way out: %q", host, s.running[host].said)
		}
	}
	for _, peer := range []string{second, third} {
		if s.running[peer].hasSaid("twice") && !s.running[peer].hasSaid(WayOut) {
			t.Errorf("%s knows no way out: %q", peer, s.running[peer].said)
		}
	}
}

// README.md has one way out for each row of its table, which is WayOut. Followed step by step
// it repeats nothing, whichever server is to stay, or one in a new directory.
func TestWayOutOfEachTrouble(t *testing.T) {
	rows := rowsOfREADME(t)
	if len(rows) != len(troubles) {
		t.Errorf("README.md has %d rows, and %d are known", len(rows), len(troubles))
	}
	for _, row := range rows {
		if len(troubles[row]) == 0 {
			t.Errorf("row %q is not known", row)
		}
		for _, trouble := range troubles[row] {
			for _, stays := range rivals() {
				t.Run(row+", "+stays, func(t *testing.T) {
					s := newStory(t, 1)
					fresh := t.TempDir()
					synctest.Test(t, func(t *testing.T) {
						trouble.begin(t, s, 100)
						if s.dir[stays] == "" {
							s.dir[stays] = fresh
						}
						s.wayOut(t, stays)
						s.finish(t, stays)
						s.begin(t, stays, 0) // it needs no floor any more
						time.Sleep(5 * time.Second)
						if !s.handOut(t, stays) {
							t.Errorf("started once more it does not go on: %q", s.running[stays].said)
						}
						s.end(t)
					})
				})
			}
		}
	}
}

// Where the rightful server goes on, and who was stopped beside it says that it has handed out
// nothing, it is enough to end that one.
func TestShortWayOut(t *testing.T) {
	for row, all := range troubles {
		for _, trouble := range all {
			if !trouble.beside {
				continue
			}
			t.Run(row, func(t *testing.T) {
				s := newStory(t, 1)
				synctest.Test(t, func(t *testing.T) {
					trouble.begin(t, s, 0)
					if !s.running[copied].hasSaid("has handed out 0 ") {
						t.Errorf("said: %q", s.running[copied].said)
					}
					s.finish(t, copied)
					for range 3 {
						time.Sleep(5 * time.Second)
						if !s.handOut(t, rightful) {
							t.Errorf("said: %q", s.running[rightful].said)
						}
					}
					s.end(t)
				})
			})
		}
	}
}

// Who is told to stop says how far it is, so that the floor can be above that.
func TestWhoStopsSaysHowFarItIs(t *testing.T) {
	s := newStory(t, 1)
	synctest.Test(t, func(t *testing.T) {
		troubles["two servers have one number"][0].begin(t, s, 100)
		if !s.running[other].hasSaid("it is at 298, and has handed out 100 since its start") {
			t.Errorf("said: %q", s.running[other].said)
		}
		s.end(t)
	})
}

// A server has another count: all that it meets stop. README.md has the way out, which
// repeats nothing.
func TestWayOutOfAnotherCount(t *testing.T) {
	s := newStory(t, 1)
	readme := wordsOf(readREADME(t))
	if !strings.Contains(readme, wordsOf(otherCount)) {
		t.Errorf("README.md does not say: %s", otherCount)
	}
	synctest.Test(t, func(t *testing.T) {
		for _, host := range []string{second, third, rightful} {
			s.begin(t, host, 0)
		}
		time.Sleep(2 * time.Second)
		s.isolate(other, true, second)
		s.running[other] = s.serve(open(t, s.dir[other], oneOfTwo, 0), other, second)
		s.spill(t, other, 100)
		s.isolate(other, false, second)
		time.Sleep(5 * time.Second)
		if !s.hasStopped(t, s.running[other], other) || !s.hasStopped(t, s.running[second], second) {
			t.Errorf("said: %q", s.running[second].said)
		}
		s.finish(t, other)
		floor := s.highest()
		for _, host := range []string{second, third, rightful} {
			s.finish(t, host)
			s.begin(t, host, floor)
		}
		time.Sleep(5 * time.Second)
		for _, host := range []string{second, third, rightful} {
			if !s.handOut(t, host) {
				t.Errorf("%s said: %q", host, s.running[host].said)
			}
		}
		s.end(t)
	})
}

// wordsOf is a text without case, marks and line breaks.
func wordsOf(text string) string {
	return strings.ToLower(strings.Join(strings.Fields(strings.NewReplacer("`", "", "*", "", ".", "").Replace(text)), " "))
}

func readREADME(t testing.TB) string {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// rowsOfREADME is what can happen by its table. Below it the steps of WayOut are to stand, in
// their order.
func rowsOfREADME(t testing.TB) (rows []string) {
	_, text, _ := strings.Cut(readREADME(t), "| what happened | who stops | when |\n|---|---|---|\n")
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "|") {
			break
		}
		rows = append(rows, strings.TrimSpace(strings.Split(line, "|")[1]))
	}
	steps := regexp.MustCompile(`(?m)^\d\. (.*)$`).FindAllStringSubmatch(text, -1)
	var words []string
	for _, step := range steps {
		words = append(words, wordsOf(step[1]))
	}
	if got := strings.Join(words, ", "); got != wordsOf(strings.ReplaceAll(WayOut, "and then ", "")) {
		t.Errorf("README.md has the way out %q, and not %q", got, WayOut)
	}
	return rows
}
