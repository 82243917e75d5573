package locust

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/syncwrite/syncwrite/results"
)

// midway is a time at which no operation ends: each takes 10 ms.
const midway = 4005 * time.Millisecond

// breaks has the connection end, and comesBack has another one begin.
func (m *fakeMaster) breaks() {
	m.down.Store(true)
	m.tell(event{err: errors.New("EOF")})
	synctest.Wait()
}

func (m *fakeMaster) comesBack() {
	m.down.Store(false)
	m.tell(event{up: true})
	synctest.Wait()
}

// endsLacking has the worker end by a Ctrl-C, and holds what it says to the operations that the
// master was not told of.
func (m *fakeMaster) endsLacking(users *fakeUsers, how error, why string) {
	m.t.Helper()
	m.stop()
	err := <-m.result
	lacking := users.did() - int(m.counted("num_requests"))
	if want := fmt.Sprintf("%v %s: %s", how, results.Count(lacking, "operation"), why); lacking == 0 || err == nil || err.Error() != want {
		m.t.Errorf("%v, want %q", err, want)
	}
}

// A run that stops while the link is broken is told when it is whole again, and in an order in
// which the master counts it: who has stopped, has no users.
func TestLastReportWaitsForTheMaster(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		users := &fakeUsers{most: 3}
		m := starts(t, users, true)
		m.spawns(time.Now(), 3)
		time.Sleep(midway)
		m.says("stop", nil)
		m.breaks()
		time.Sleep(1200 * time.Millisecond)
		m.mute.Store(true)
		m.forgetBut("stats")
		m.comesBack()
		if got := m.kinds(); !slices.Equal(got, []string{"stats"}) {
			t.Errorf("a master that may be another one was told %v", got)
		}
		m.says("heartbeat", nil)
		synctest.Wait()
		if got := m.kinds(); !slices.Equal(got, []string{"stats", "stats", "client_stopped", "client_ready"}) {
			t.Errorf("told %v", got)
		}
		m.mute.Store(false)
		m.says("ack", map[string]any{"index": 0})
		m.quits()
		if got := m.counted("num_requests"); int(got) != users.did() {
			t.Errorf("told of %v requests, done were %d", got, users.did())
		}
	})
}

// Who ends while the link is broken says how much nobody was told of, and that is an error.
func TestEndWithoutTheMaster(t *testing.T) {
	for _, stopped := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			users := &fakeUsers{most: 3}
			m := starts(t, users, true)
			m.spawns(time.Now(), 3)
			time.Sleep(midway)
			if stopped {
				m.says("stop", nil)
			}
			m.breaks()
			time.Sleep(4 * time.Second)
			m.endsLacking(users, errUntold, "the one at master:5557 cannot be reached")
			if len(m.words) != 2 {
				t.Errorf("said %q", m.words)
			}
		})
	}
}

// What a connection can have lost is said, and never sent again: it would count twice.
func TestConnectionBreaksBeforeAnAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := starts(t, &fakeUsers{most: 1}, true)
		m.spawns(time.Now(), 1)
		time.Sleep(2500 * time.Millisecond)
		m.mute.Store(true)
		time.Sleep(time.Second)
		m.breaks()
		m.mute.Store(false)
		m.comesBack()
		m.stop()
		if err := <-m.result; !errors.Is(err, errUnsure) || !slices.Equal(m.exceptions(), []string{err.Error()}) {
			t.Errorf("%v; the master was told %q", err, m.exceptions())
		}
		if n := len(m.of("stats")); n != 2 {
			t.Errorf("%d times statistics", n)
		}
	})
}

// A socket takes what nobody reads any more.
func TestLastReportIsNotAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := starts(t, &fakeUsers{most: 1}, true)
		m.spawns(time.Now(), 1)
		time.Sleep(2500 * time.Millisecond)
		m.mute.Store(true)
		m.says("quit", nil)
		if err := <-m.result; !errors.Is(err, errUnsure) || !strings.HasSuffix(err.Error(), "it has not answered within "+confirming.String()) {
			t.Error(err)
		}
	})
}

// A master empties its table when a run begins: what is left of the last one has no place in it.
func TestAnotherRunBegins(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		users := &fakeUsers{most: 3}
		m := starts(t, users, true)
		m.spawns(time.Now(), 3)
		time.Sleep(midway)
		m.says("stop", nil)
		m.breaks()
		time.Sleep(time.Second)
		lacking := users.did() - int(m.counted("num_requests"))
		m.mute.Store(true)
		m.comesBack()
		m.spawns(time.Now(), 1)
		m.mute.Store(false)
		time.Sleep(2 * time.Second)
		want := fmt.Sprintf("%v %d operations: the one at master:5557 has begun another run", errUntold, lacking)
		if !slices.Equal(m.exceptions(), []string{want}) || users.atWork() != 1 {
			t.Errorf("the master was told %q, want %q; %d users", m.exceptions(), want, users.atWork())
		}
		m.endsLacking(users, errUntold, "the one at master:5557 has begun another run")
	})
}

// A worker that leaves a master joins the next one when its run is closed, and not before:
// that one would be told of a run that it did not begin.
func TestJoiningAnewWaitsForTheRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		users := &fakeUsers{most: 1, longer: 20 * time.Second}
		m := starts(t, users, true)
		m.spawns(time.Now(), 1)
		m.mute.Store(true)
		m.breaks()
		m.forgetBut()
		m.comesBack()
		time.Sleep(4 * time.Second)
		m.breaks()
		m.comesBack()
		if got := m.kinds(); len(got) != 0 || !m.heard("the master at master:5557 does not answer this worker any more: joining it anew, by another name") {
			t.Errorf("told %v, said %q", got, m.words)
		}
		time.Sleep(20 * time.Second)
		if got := m.kinds(); !slices.Equal(got, []string{"client_ready"}) || len(m.names) != 1 {
			t.Errorf("told %v, names %v", got, m.names)
		}
		m.endsLacking(users, errUntold, "the one at master:5557 knew this worker no more, or is another one")
	})
}

// A master that was told that a run has stopped answers no heartbeat, however long that run is
// checked.
func TestClosingTakesLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := starts(t, &fakeUsers{most: 1, checking: 3 * time.Minute}, true)
		m.spawns(time.Now(), 1)
		time.Sleep(time.Second)
		m.says("stop", nil)
		time.Sleep(20 * time.Millisecond)
		m.mute.Store(true)
		time.Sleep(2 * time.Minute)
		m.mute.Store(false)
		time.Sleep(2 * time.Minute)
		if n := len(m.of("client_ready")); n != 2 {
			t.Errorf("%d times ready", n)
		}
		m.quits()
	})
}
