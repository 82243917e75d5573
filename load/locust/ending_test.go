package locust

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// What a worker that ends does not wait for is said, on the master's page too, while that
// still hears of it.
func TestWhatIsUnderWayAtTheEndIsSaid(t *testing.T) {
	for name, ends := range map[string]func(*fakeMaster){"the master quits": (*fakeMaster).quits, "Ctrl-C": (*fakeMaster).interrupts} {
		synctest.Test(t, func(t *testing.T) {
			m := starts(t, &fakeUsers{most: 3, longer: 2 * time.Second}, true)
			m.spawns(time.Now(), 3)
			time.Sleep(time.Second)
			ends(m)
			want := errStuck.Error() + " within 300ms; in no figure: 3 operations"
			if !m.heard(want) || !slices.Equal(m.exceptions(), []string{want}) {
				t.Errorf("%s: said %q, and the master %q", name, m.words, m.exceptions())
			}
			if n := m.counted("num_requests"); n != 0 { // they end while statistics are due
				t.Errorf("%s: told of %v requests", name, n)
			}
			if got := m.kinds(); slices.Index(got, "quit") < slices.Index(got, "exception") {
				t.Errorf("%s: in the order %v", name, got)
			}
		})
	}
}

// Who is told to quit while it waits for users to stop does so no longer.
func TestQuitHurriesAStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := starts(t, &fakeUsers{most: 1, longer: 4 * time.Second}, true)
		m.spawns(time.Now(), 1)
		m.says("stop", nil)
		time.Sleep(time.Second)
		m.quits()
		if got := m.exceptions(); len(got) != 1 || !strings.Contains(got[0], "within 300ms; in no figure: 1 operation") {
			t.Errorf("the master was told %q", got)
		}
	})
}

// No connection is missed whose other end has quit.
func TestMasterThatQuitIsNotLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := starts(t, &fakeUsers{most: 1, longer: 2 * time.Second}, true)
		m.spawns(time.Now(), 1)
		m.says("quit", nil)
		m.says("quit", nil)
		m.tell(event{err: errors.New("EOF")})
		if err := <-m.result; err != nil {
			t.Error(err)
		}
		if m.heard("lost the master at master:5557 (EOF): connecting again") || len(m.words) != 3 {
			t.Errorf("said %q", m.words)
		}
	})
}

// A variant that promises no better can lose operations: that is said, and is no failure.
func TestLossesAreSaid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lossy := errors.New("2 of 3 are lost")
		m := starts(t, &fakeUsers{most: 1, lossy: lossy}, true)
		m.spawns(time.Now(), 1)
		m.says("stop", nil)
		time.Sleep(time.Second)
		synctest.Wait()
		if !m.heard(lossy.Error()) || !slices.Equal(m.exceptions(), []string{lossy.Error()}) {
			t.Errorf("said %q, and the master %q", m.words, m.exceptions())
		}
		m.quits()
	})
}

// A run keeps its options: that others have come is said, once each time.
func TestOptionsThatComeLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		users := &fakeUsers{most: 5}
		m := starts(t, users, true)
		for i, want := range []int{0, 0, 1, 1, 2} {
			host := []string{"http://there", "http://there", "http://elsewhere", "http://elsewhere", "http://there"}[i]
			m.spawnsAt(host, time.Now(), i+1)
			time.Sleep(time.Second)
			synctest.Wait()
			if got := m.exceptions(); len(got) != want || want > 0 && got[want-1] != errOptions.Error() {
				t.Errorf("order %d: the master was told %q, want %d", i, got, want)
			}
		}
		if users.opened != 1 {
			t.Errorf("%d runs", users.opened)
		}
		m.quits()
	})
}
