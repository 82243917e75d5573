package locust

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/syncwrite/syncwrite/hist"
)

func TestUsersComeAndGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		users := &fakeUsers{most: 100}
		m := starts(t, users, true)
		for _, want := range []int{10, 100, 20} {
			m.spawns(time.Now(), want)
			time.Sleep(time.Second + time.Millisecond)
			synctest.Wait()
			if users.atWork() != want {
				t.Errorf("%d users work, want %d", users.atWork(), want)
			}
			complete := m.of("spawning_complete")
			if n, _ := number(complete[len(complete)-1].at("user_count")); int(n) != want {
				t.Errorf("told of %v users, want %d", n, want)
			}
		}
		m.spawns(time.Now().Add(-time.Hour), 70) // overtaken
		time.Sleep(time.Second)
		synctest.Wait()
		if users.atWork() != 20 || len(m.of("spawning_complete")) != 3 {
			t.Errorf("%d users after an order that was overtaken", users.atWork())
		}
		if users.options.Host != "http://there" || users.options.Values["wait"] != "1s" || len(users.options.Values) != 1 {
			t.Errorf("options %+v", users.options)
		}
		m.quits()
	})
}

func TestWhatTheMasterIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		users := &fakeUsers{most: 3}
		m := starts(t, users, true)
		m.spawns(time.Now(), 3)
		time.Sleep(7 * time.Second)
		synctest.Wait()
		m.says("stop", nil)
		synctest.Wait()
		time.Sleep(10 * time.Millisecond)
		synctest.Wait()
		want := []string{"client_ready", "spawning", "spawning_complete", "stats", "stats", "stats", "client_stopped", "client_ready"}
		if got := m.kinds(); !slices.Equal(got, want) {
			t.Errorf("said %v, want %v", got, want)
		}
		if ready := m.of("client_ready"); ready[0].data != Version {
			t.Errorf("version %v", ready[0].data)
		}
		if got := m.counted("num_requests"); int(got) != users.did() || users.did() < 2000 {
			t.Errorf("told of %v requests, done were %d", got, users.did())
		}
		if got := m.counted("total_content_length"); int(got) != 100*users.did() {
			t.Errorf("told of %v bytes", got)
		}
		if len(users.closed) != 1 || users.closed[0] != users.did() {
			t.Errorf("closed with %v operations, done were %d", users.closed, users.did())
		}
		row := m.of("stats")[1].at("stats").([]any)[0].(map[any]any)
		if row["name"] != "/albums" || row["method"] != "GET" || row["min_response_time"] != 10.0 {
			t.Errorf("row %v", row)
		}
		if times := row["response_times"].(map[any]any); len(times) != 1 || times[10.0] == nil {
			t.Errorf("response times %v, want 10.0 alone", times)
		}
		// The next run needs no other worker.
		m.spawns(time.Now(), 1)
		time.Sleep(5 * time.Millisecond)
		synctest.Wait()
		if users.opened != 2 || users.atWork() != 1 {
			t.Errorf("opened %d times, %d work", users.opened, users.atWork())
		}
		m.interrupts()
		if got := m.kinds(); got[len(got)-1] != "quit" || got[len(got)-2] != "stats" {
			t.Errorf("in the end %v", got[len(got)-2:])
		}
	})
}

// The full histograms that travel along hold the same requests, exactly.
func TestSharesAddUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		users := &fakeUsers{most: 2}
		m := starts(t, users, true)
		m.spawns(time.Now(), 2)
		time.Sleep(8 * time.Second)
		synctest.Wait()
		m.quits()
		whole, lasts := new(hist.Histogram), []bool(nil)
		for _, s := range m.of("stats") {
			share, is := s.at(Histograms).(map[any]any)
			if !is {
				continue
			}
			lasts = append(lasts, share["last"].(bool))
			for _, second := range share["seconds"].(map[any]any) {
				kind := second.(map[any]any)["kinds"].(map[any]any)["GET /albums"].(map[any]any)
				var part hist.Histogram
				if err := part.UnmarshalText([]byte(kind["hist"].(string))); err != nil {
					t.Fatal(err)
				}
				whole.Merge(&part)
			}
		}
		if !slices.Equal(lasts, []bool{false, false, true}) {
			t.Errorf("the last of them: %v", lasts)
		}
		if done, begun, answers := users.did(), m.cycles("begun"), m.cycles("answers"); begun != done || answers != done-2 {
			t.Errorf("cycles of %d operations, %d of them behind a user's first; done were %d", begun, answers, done)
		}
		if int(whole.Count()) != users.did() || whole.Quantile(0.5) != 1e7 {
			t.Errorf("%d operations, the median %v ns; done were %d of 10 ms", whole.Count(), whole.Quantile(0.5), users.did())
		}
	})
}

func TestFailuresAreTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		users := &fakeUsers{most: 1, fails: "status 500\nand more"}
		m := starts(t, users, true)
		m.spawns(time.Now(), 1)
		time.Sleep(time.Second + time.Millisecond)
		synctest.Wait()
		m.quits()
		if asked, failed := m.counted("num_requests"), m.counted("num_failures"); int(failed) != users.did() || asked != failed {
			t.Errorf("%v of %v failed, of %d", failed, asked, users.did())
		}
		var took uint64
		for _, s := range m.of("stats") {
			for _, second := range s.at(Histograms).(map[any]any)["seconds"].(map[any]any) {
				took += second.(map[any]any)["kinds"].(map[any]any)["GET /albums"].(map[any]any)["failed_ns"].(uint64)
			}
		}
		if whole := users.did() * 10e6; math.Abs(float64(took)-float64(whole)) > 0.01*float64(whole) {
			t.Errorf("%d failures took %v", users.did(), time.Duration(took))
		}
		if begun, answers := m.cycles("begun"), m.cycles("answers"); begun != users.did() || answers != 0 {
			t.Errorf("cycles of %d operations, %d of them answered", begun, answers)
		}
		for _, e := range m.of("stats")[0].at("errors").(map[any]any) {
			if got := e.(map[any]any)["error"]; got != "status 500; and more" {
				t.Errorf("error %q", got)
			}
		}
		if users.closed[0] != 0 {
			t.Errorf("%d operations passed for successes", users.closed[0])
		}
	})
}

// Each way to end without success is one sentence.
func TestNoMaster(t *testing.T) {
	for _, c := range []struct {
		name, want string
		do         func(m *fakeMaster)
	}{
		{"nobody", "no master at master:5557 within 10s: refused", func(m *fakeMaster) { m.told <- event{err: errors.New("refused")} }},
		{"another service", "master:5557: it does not speak ZeroMQ", func(m *fakeMaster) { m.told <- event{err: errForeign} }},
		{"another socket", "acknowledges no worker within 10s", func(m *fakeMaster) { m.told <- event{up: true} }},
		{"an old one", "older than Locust 2.11", func(m *fakeMaster) { m.told <- event{up: true}; m.says("ack", nil) }},
		{"a newer one", `is Locust "3.1.0", and this worker speaks the protocol of 2.`, func(m *fakeMaster) {
			m.told <- event{up: true}
			m.says("ack", map[string]any{"index": 0})
			m.says(versionMessage, map[string]any{"version": "3.1.0"})
		}},
		{"a silent one", "the master at master:5557 has been silent for 1m0s", func(m *fakeMaster) {
			m.mute.Store(true)
			m.told <- event{up: true}
			m.says("ack", map[string]any{"index": 0})
		}},
		{"one that is gone", "the master at master:5557 has been silent for 1m0s", func(m *fakeMaster) {
			m.told <- event{up: true}
			m.says("ack", map[string]any{"index": 0})
			m.told <- event{err: errors.New("EOF")}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := starts(t, &fakeUsers{}, false)
				c.do(m)
				if err := <-m.result; err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("%v, want %q", err, c.want)
				}
			})
		})
	}
}

func TestOtherMinorVersionIsSaid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := starts(t, &fakeUsers{}, true)
		m.says(versionMessage, map[string]any{"version": "2.48.1"})
		m.says(versionMessage, map[string]any{"version": "2.47.9"})
		m.says("nonsense", nil)
		m.says("nonsense", nil)
		m.told <- event{frame: []byte{0xc1}}
		synctest.Wait()
		if len(m.words) != 4 || !m.heard(`the master is Locust "2.48.1", and this worker was tested with `+Version) {
			t.Errorf("said %q", m.words)
		}
		m.stop()
		<-m.result
	})
}

// A master that was started anew knows nobody: users end, and nothing that they did for the
// last one is told to it. How much that is, is said.
func TestMasterRestarts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		users := &fakeUsers{most: 5}
		m := starts(t, users, true)
		m.spawns(time.Now(), 5)
		time.Sleep(4 * time.Second)
		synctest.Wait()
		m.down.Store(true) // the statistics of second 6 cannot be sent, though nobody has said so yet
		time.Sleep(2500 * time.Millisecond)
		synctest.Wait()
		m.told <- event{err: errors.New("EOF")}
		time.Sleep(time.Second)
		synctest.Wait()
		m.down.Store(false)
		m.mute.Store(true)
		told := m.counted("num_requests")
		m.forgetBut()
		m.told <- event{up: true}
		time.Sleep(6 * time.Second)
		synctest.Wait()
		if got := m.kinds(); !slices.Equal(got, []string{"client_ready"}) {
			t.Fatalf("the new master was told %v", got)
		}
		if users.atWork() != 0 || len(m.names) != 1 || m.names[0] == "me" {
			t.Errorf("%d users work; names %v", users.atWork(), m.names)
		}
		m.mute.Store(false)
		m.says("ack", map[string]any{"index": 0})
		synctest.Wait()
		if n := m.counted("num_requests"); n != 0 {
			t.Errorf("the new master was told of %v requests of the old one", n)
		}
		if want := fmt.Sprintf("%v %d operations: the one at master:5557 knew this worker no more, or is another one", errUntold, users.did()-int(told)); !m.heard(want) {
			t.Errorf("said %q, want %q", m.words, want)
		}
		m.spawns(time.Now().Add(-30*time.Second), 2) // its clock is another one
		time.Sleep(5 * time.Millisecond)
		synctest.Wait()
		if users.atWork() != 2 || users.opened != 2 {
			t.Errorf("%d users work, of run %d", users.atWork(), users.opened)
		}
		m.stop()
		if err := <-m.result; !errors.Is(err, errUntold) {
			t.Errorf("in the end %v", err)
		}
	})
}

// A connection that breaks is no reason to end anything, where the master is the same.
func TestConnectionBreaks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		users := &fakeUsers{most: 5}
		m := starts(t, users, true)
		m.spawns(time.Now(), 5)
		time.Sleep(2 * time.Second)
		synctest.Wait()
		m.down.Store(true) // the statistics of second 3 cannot be sent, though nobody has said so yet
		time.Sleep(1500 * time.Millisecond)
		synctest.Wait()
		m.told <- event{err: errors.New("EOF")}
		m.down.Store(false)
		m.told <- event{up: true}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		m.says("reconnect", nil)
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if !slices.Equal(m.names, []string{"me"}) || len(m.of("client_ready")) != 1 {
			t.Errorf("names %v, %d times ready", m.names, len(m.of("client_ready")))
		}
		m.quits()
		if got := m.counted("num_requests"); int(got) != users.did() {
			t.Errorf("told of %v requests, done were %d", got, users.did())
		}
	})
}

func TestUsersThatDoNotEnd(t *testing.T) {
	for _, order := range []string{"stop", "quit"} {
		synctest.Test(t, func(t *testing.T) {
			m := starts(t, &fakeUsers{most: 1, hangs: true}, true)
			m.spawns(time.Now(), 1)
			m.says(order, nil)
			if err := <-m.result; !errors.Is(err, errStuck) {
				t.Errorf("%s: %v", order, err)
			}
			time.Sleep(25 * time.Hour)
		})
	}
}

func TestRunsThatFail(t *testing.T) {
	lost := errors.New("2 entries are lost")
	synctest.Test(t, func(t *testing.T) {
		m := starts(t, &fakeUsers{closing: lost}, true)
		m.spawns(time.Now(), 1)
		m.says("stop", nil)
		time.Sleep(time.Second)
		synctest.Wait()
		if e := m.of("exception"); len(e) != 1 || e[0].at("msg") != lost.Error() || len(m.of("client_ready")) != 2 {
			t.Errorf("the master was told %v", m.kinds())
		}
		m.says("quit", nil)
		if err := <-m.result; !errors.Is(err, lost) {
			t.Errorf("in the end %v", err)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		users := &fakeUsers{opening: lost}
		m := starts(t, users, true)
		m.spawns(time.Now(), 1)
		if n, _ := number(m.of("spawning_complete")[0].at("user_count")); n != 0 || len(m.of("exception")) != 1 {
			t.Errorf("told of %v users, and of %d exceptions", n, len(m.of("exception")))
		}
		m.says("stop", nil) // and with other options, perhaps
		time.Sleep(time.Second)
		synctest.Wait()
		users.opening = nil
		m.spawns(time.Now(), 1)
		time.Sleep(5 * time.Millisecond)
		synctest.Wait()
		if users.atWork() != 1 {
			t.Error("the next run has no users")
		}
		m.says("quit", nil)
		if err := <-m.result; !errors.Is(err, lost) {
			t.Errorf("in the end %v", err)
		}
	})
}

func TestMoreUsersThanThereCanBe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		users := &fakeUsers{most: 7}
		m := starts(t, users, true)
		m.spawns(time.Now(), 9)
		time.Sleep(5 * time.Millisecond)
		synctest.Wait()
		n, _ := number(m.of("spawning_complete")[0].at("user_count"))
		if users.atWork() != 7 || n != 7 || len(m.of("exception")) != 1 {
			t.Errorf("%d users work, told were %v", users.atWork(), n)
		}
		if want := errTooMany.Error() + ": the master wants 9 here, and 7 work (--max-users)"; !m.heard(want) {
			t.Errorf("said %q", m.words)
		}
		m.stop()
		<-m.result
	})
}

func TestOrdersThatMakeNoSense(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		users := &fakeUsers{most: 7}
		m := starts(t, users, true)
		for i, counts := range []any{nil, map[string]any{"A": -1}, map[string]any{"A": 1.5}, map[string]any{"A": "1"}, map[int]int{1: 1}, map[string]any{"A": 1e9}} {
			m.says("spawn", map[string]any{"timestamp": 1e9 + float64(i), "user_classes_count": counts})
		}
		m.says("spawn", map[string]any{"user_classes_count": map[string]int{"A": 1}})
		m.says("spawn", "what")
		m.says("ack", "what")
		synctest.Wait()
		if users.opened != 0 || len(m.words) < 8 {
			t.Errorf("opened %d times; said %q", users.opened, m.words)
		}
		<-m.result // an ack without an index
	})
}

// A master whose clock is another one is told the seconds by its own.
func TestClocksDiffer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := starts(t, &fakeUsers{most: 1}, true)
		ahead := 90 * time.Second
		m.spawns(time.Now().Add(ahead), 1)
		began := time.Now().Add(ahead)
		time.Sleep(2500 * time.Millisecond)
		synctest.Wait()
		m.quits()
		total := m.of("stats")[0].at("stats_total").(map[any]any)
		if first, _ := number(total["start_time"]); int64(first) != began.Unix() {
			t.Errorf("began at %v, by the master's clock %d", first, began.Unix())
		}
		for second := range total["num_reqs_per_sec"].(map[any]any) {
			if at, _ := number(second); int64(at) < began.Unix() || int64(at) > began.Unix()+3 {
				t.Errorf("requests at %v, by the master's clock from %d on", at, began.Unix())
			}
		}
		if want := fmt.Sprintf("the master's clock is %+.1f s from this machine's: seconds are told by the master's", ahead.Seconds()); !m.heard(want) {
			t.Errorf("said %q", m.words)
		}
	})
}
