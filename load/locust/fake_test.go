package locust

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/syncwrite/syncwrite/harness"
)

// A fakeMaster is a wire with the test at its other end.
type fakeMaster struct {
	t      *testing.T
	told   chan event
	down   atomic.Bool // it can be sent nothing
	mute   atomic.Bool // heartbeats have no answer
	ended  chan struct{}
	result chan error
	stop   func()

	mu    sync.Mutex
	said  []message // by the worker
	names []string  // that were connected under
	words []string
}

func (m *fakeMaster) events() <-chan event { return m.told }
func (m *fakeMaster) close()               { close(m.ended) }

func (m *fakeMaster) send(frame []byte) error {
	if m.down.Load() {
		return errNotConnected
	}
	said, err := decode(frame)
	if err != nil {
		m.t.Error(err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.said = append(m.said, said)
	if said.kind == "heartbeat" && !m.mute.Load() {
		go m.says("heartbeat", nil)
	}
	return nil
}

func (m *fakeMaster) drop(name string) {
	m.mu.Lock()
	m.names = append(m.names, name)
	m.mu.Unlock()
	go func() {
		m.tell(event{err: errors.New("dropped")})
		m.tell(event{up: true})
	}()
}

// starts has a worker work for the master, and has it join unless the test does that itself.
func starts(t *testing.T, users Users, joins bool) *fakeMaster {
	m := &fakeMaster{t: t, told: make(chan event), ended: make(chan struct{}), result: make(chan error, 1)}
	ctx, stop := context.WithCancel(t.Context())
	m.stop = stop
	go func() {
		m.result <- Work(ctx, Config{Master: "master:5557", Users: users, Name: "me",
			Say: m.say, dial: func(string) wire { return m }})
	}()
	if joins {
		m.told <- event{up: true}
		m.says("ack", map[string]any{"index": 0})
		synctest.Wait()
	}
	return m
}

func (m *fakeMaster) says(kind string, data any) {
	frame, err := message{kind: kind, data: data}.encode()
	if err != nil {
		m.t.Error(err)
	}
	m.tell(event{frame: frame})
}

// tell tells the worker, unless it has ended.
func (m *fakeMaster) tell(e event) {
	select {
	case m.told <- e:
	case <-m.ended:
	}
}

// quits ends the worker in order, and interrupts does by its context.
func (m *fakeMaster) quits() {
	m.says("quit", nil)
	if err := <-m.result; err != nil {
		m.t.Error(err)
	}
}

func (m *fakeMaster) interrupts() {
	m.stop()
	if err := <-m.result; err != nil {
		m.t.Error(err)
	}
}

// spawns orders so many users, at a moment of the master's clock.
func (m *fakeMaster) spawns(at time.Time, users int) {
	m.spawnsAt("http://there", at, users)
}

// spawnsIn orders so many users of a run that has a name.
func (m *fakeMaster) spawnsIn(run string, users int) {
	m.says("spawn", map[string]any{
		"timestamp": float64(time.Now().UnixNano()) / 1e9, "user_classes_count": map[string]int{"Syncwrite": users},
		"parsed_options": map[string]any{"syncwrite_run": run},
	})
	synctest.Wait()
}

func (m *fakeMaster) spawnsAt(host string, at time.Time, users int) {
	m.says("spawn", map[string]any{
		"timestamp": float64(at.UnixNano()) / 1e9, "user_classes_count": map[string]int{"Syncwrite": users},
		"host": host, "stop_timeout": 0.0,
		"parsed_options": map[string]any{"syncwrite_wait": "1s", "num_users": users, "tags": nil},
	})
	synctest.Wait()
}

func (m *fakeMaster) say(text string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.words = append(m.words, text)
}

// forgetBut forgets what the worker said, but for these kinds.
func (m *fakeMaster) forgetBut(kinds ...string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.said = slices.DeleteFunc(m.said, func(said message) bool { return !slices.Contains(kinds, said.kind) })
}

// kinds are those of all that the worker said, but for heartbeats. As with all that a test looks at, what
// else happens at that moment has happened.
func (m *fakeMaster) kinds() (all []string) {
	synctest.Wait()
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, said := range m.said {
		if said.kind != "heartbeat" {
			all = append(all, said.kind)
		}
	}
	return all
}

// of are the messages of one kind.
func (m *fakeMaster) of(kind string) (all []message) {
	synctest.Wait()
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, said := range m.said {
		if said.kind == kind {
			all = append(all, said)
		}
	}
	return all
}

// exceptions are what the master's page says went wrong.
func (m *fakeMaster) exceptions() (all []string) {
	for _, e := range m.of("exception") {
		all = append(all, text(e.at("msg")))
	}
	return all
}

func (m *fakeMaster) heard(text string) bool { return slices.Contains(m.heardAll(), text) }

// heardAll are all words of the worker's.
func (m *fakeMaster) heardAll() []string {
	synctest.Wait()
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.words)
}

// counted adds up what statistics say of a number, in the row of everything.
func (m *fakeMaster) counted(name string) (sum float64) {
	for _, s := range m.of("stats") {
		total, _ := s.at("stats_total").(map[any]any)
		n, _ := number(total[name])
		sum += n
	}
	return sum
}

// cycles adds up a number of the users' cycles.
func (m *fakeMaster) cycles(name string) (sum int) {
	for _, s := range m.of("stats") {
		share, _ := s.at(Histograms).(map[any]any)
		all, _ := share["cycles"].([]any)
		for _, of := range all {
			n, _ := number(of.(map[any]any)[name])
			sum += int(n)
		}
	}
	return sum
}

// fakeUsers take a hundredth of a second for what they do.
type fakeUsers struct {
	working, done    atomic.Int64
	opened           int
	options          Options
	fails            string
	closing, opening error
	lossy            error
	hangs            bool
	checking         time.Duration // at a run's end
	longer           time.Duration // of the first; of the others as many times as much
	most             int
	closed           []int
}

// atWork is how many users are amid an operation, and did how many operations have ended.
func (f *fakeUsers) atWork() int { synctest.Wait(); return int(f.working.Load()) }
func (f *fakeUsers) did() int    { synctest.Wait(); return int(f.done.Load()) }

func (f *fakeUsers) Open(_ context.Context, o Options) (Run, error) {
	f.opened++
	f.options = o
	return fakeRun{f}, f.opening
}

type fakeRun struct{ *fakeUsers }

func (f fakeRun) Kinds() []Kind { return []Kind{{"GET", "/albums"}} }
func (f fakeRun) Most() int     { return max(f.most, 1) }
func (f fakeRun) Close(done int) (doubt, err error) {
	f.closed = append(f.closed, done)
	time.Sleep(f.checking)
	return f.lossy, f.closing
}

func (f fakeRun) User(g int) (User, error) {
	return User{Request: func() harness.Answer {
		f.working.Add(1)
		time.Sleep(10*time.Millisecond + time.Duration(g+1)*f.longer)
		if f.hangs {
			time.Sleep(24 * time.Hour)
		}
		f.working.Add(-1)
		f.done.Add(1)
		return harness.Answer{Bytes: 100, Failure: f.fails}
	}}, nil
}
