package locust

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A stop that was lost with a link is heeded when the master says that its run is over; what was
// done meanwhile is told.
func TestStopThatWasLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		users := &fakeUsers{most: 1}
		m := starts(t, users, true)
		m.spawnsIn("a", 1)
		time.Sleep(2500 * time.Millisecond)
		m.says(runMessage, map[string]any{"run": "a"})
		time.Sleep(time.Second)
		if kinds := m.kinds(); slices.Contains(kinds, "client_stopped") {
			t.Errorf("stopped in its own run: %v", kinds)
		}
		m.says(runMessage, map[string]any{"run": ""})
		m.says(runMessage, map[string]any{"run": ""})
		time.Sleep(time.Second)
		done := users.did()
		time.Sleep(time.Second)
		if n := len(m.of("client_stopped")); n != 1 || users.did() != done || m.counted("num_requests") != float64(done) || !m.heard("the master's run has ended meanwhile") {
			t.Errorf("stopped %d times, %d and then %d done, %v told", n, done, users.did(), m.counted("num_requests"))
		}
		m.quits()
	})
}

// What was done in a run that the master knows no more has no place in the next one: it is said to
// be in no figure, whether the next one's order came or was lost, too.
func TestRunThatIsNoMore(t *testing.T) {
	for _, lost := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			users := &fakeUsers{most: 2}
			m := starts(t, users, true)
			m.spawnsIn("a", 1)
			time.Sleep(3500 * time.Millisecond)
			told := m.counted("num_requests")
			m.forgetBut()
			if lost {
				m.says(runMessage, map[string]any{"run": "b"})
				time.Sleep(100 * time.Millisecond)
				if kinds := m.kinds(); !slices.Contains(kinds, "client_ready") {
					t.Errorf("it asks for no order: %v", kinds)
				}
			}
			m.spawnsIn("b", 2)
			time.Sleep(50 * time.Millisecond)
			before := users.did() // of these a few are of the new run
			time.Sleep(2 * time.Second)
			m.says("stop", nil)
			time.Sleep(time.Second)
			if n := m.counted("num_requests"); n < float64(users.did()-before) || n > float64(users.did()-before)+12 || users.opened != 2 {
				t.Errorf("lost %v: %v told in the new run, %d done since; opened %d times", lost, n, users.did()-before, users.opened)
			}
			m.says("quit", nil)
			if err := <-m.result; !errors.Is(err, errUntold) {
				t.Errorf("lost %v: %v, after %v were told of the first run", lost, err, told)
			}
		})
	}
}

// An order that was held up with the link tells of no clock, and what goes wrong at the end of a run
// that is no more stands on no other run's page.
func TestOrderThatWasHeldUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		users := &fakeUsers{most: 1, lossy: errors.New("7 operations are lost")}
		m := starts(t, users, true)
		time.Sleep(2500 * time.Millisecond)
		m.mute.Store(true)
		time.Sleep(6 * time.Second)
		m.mute.Store(false)
		for range 6 { // every answer that was held up
			m.says("heartbeat", nil)
		}
		m.spawns(time.Now().Add(-6*time.Second), 1)
		time.Sleep(3400 * time.Millisecond) // not until a moment at which the worker does something, too
		if words := strings.Join(m.heardAll(), "; "); strings.Contains(words, "clock") {
			t.Error(words)
		}
		stats := m.of("stats")
		total := stats[len(stats)-1].at("stats_total").(map[any]any)
		if first, _ := number(total["start_time"]); first < float64(time.Now().Unix()-5) {
			t.Errorf("begun at %v, now it is %d", first, time.Now().Unix())
		}
		m.quits()
	})
	synctest.Test(t, func(t *testing.T) {
		m := starts(t, &fakeUsers{most: 1, lossy: errors.New("7 operations are lost")}, true)
		m.spawnsIn("a", 1)
		time.Sleep(3500 * time.Millisecond)
		m.spawnsIn("b", 1)
		time.Sleep(time.Second)
		if slices.Contains(m.exceptions(), "7 operations are lost") || !m.heard("in the run that was given up: 7 operations are lost") {
			t.Errorf("%q, said %q", m.exceptions(), m.heardAll())
		}
		m.says("quit", nil)
		<-m.result // operations of the first run
	})
}
