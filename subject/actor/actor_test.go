package actor_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/syncwrite/syncwrite/subject/actor"
)

// A question is a message that somebody waits for.
type question struct {
	n int
	actor.Reply[int]
}

func ask(n int, reply actor.Reply[int]) question { return question{n, reply} }

// mailboxes opens each mailbox.
func mailboxes[M any](options actor.Options[M]) map[string]func() actor.Mailbox[M] {
	return map[string]func() actor.Mailbox[M]{
		"Channel": func() actor.Mailbox[M] { return actor.NewChannel(options) },
		"Buffer":  func() actor.Mailbox[M] { return actor.NewBuffer(options) },
		"Rings":   func() actor.Mailbox[M] { return actor.NewRings(options) },
	}
}

func within(t *testing.T, d time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), d)
	t.Cleanup(cancel)
	return ctx
}

// Stop drains: what was put is handled. Halt refuses what waits, and who asked is
// told so. Nothing is put afterwards.
func TestStopDrainsAndHaltDoesNot(t *testing.T) {
	for name, open := range mailboxes(actor.Options[question]{Capacity: 16}) {
		for _, halts := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, halts %v", name, halts), func(t *testing.T) {
				entered, leave := make(chan struct{}), make(chan struct{})
				a := actor.Start(t.Context(), func(self *actor.Self[question], q question) error {
					if q.n == 0 {
						close(entered)
						<-leave
					}
					q.Send(q.n)
					return nil
				}, actor.Settings[question]{Mailbox: open()})
				asker := actor.NewAsker(a, ask)
				answers, more := make([]error, 9), 0
				var asking sync.WaitGroup
				for n := range answers {
					asking.Go(func() { _, answers[n] = asker.Ask(t.Context(), n) })
					if n == 0 {
						<-entered
					}
				}
				for a.Metrics().Depth < len(answers) {
					time.Sleep(time.Millisecond)
				}
				end := a.Stop
				if halts {
					end = a.Halt
				}
				ended := make(chan error)
				go func() { ended <- end(t.Context()) }()
				for !errors.Is(a.Dispatch(t.Context(), question{n: 100}), actor.ErrClosed) {
					time.Sleep(time.Millisecond)
					more++
				}
				close(leave)
				if err := <-ended; err != nil {
					t.Error(err)
				}
				asking.Wait()
				refused := 0
				for _, err := range answers {
					if errors.Is(err, actor.ErrEnded) {
						refused++
					} else if err != nil {
						t.Error(err)
					}
				}
				m, want := a.Metrics(), actor.Metrics{Handled: 9 + more}
				if halts {
					want = actor.Metrics{Handled: 1, Refused: 8 + more}
				}
				if m != want || refused != want.Refused && refused+more != want.Refused {
					t.Errorf("%d askers were refused: %+v, want %+v", refused, m, want)
				}
			})
		}
	}
}

// An actor whose handler does not return keeps Stop waiting up to its deadline, and no
// longer.
func TestStopGivesUp(t *testing.T) {
	leave := make(chan struct{})
	a := actor.Start(t.Context(), func(*actor.Self[int], int) error { <-leave; return nil }, actor.Settings[int]{Name: "stuck"})
	for range 3 {
		if err := a.Dispatch(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
	}
	for _, end := range []func(context.Context) error{a.Stop, a.Halt} {
		err := end(within(t, 20*time.Millisecond))
		if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), " stuck: gave up while it had not ended, with 3 messages not handled") {
			t.Errorf("got %v", err)
		}
	}
	close(leave)
	if err := a.Wait(); err != nil {
		t.Error(err)
	}
}

// A panic, or an error, ends the actor: its owner learns which message and why, who
// asked is told, and what waits is refused.
func TestFailureEndsTheActor(t *testing.T) {
	for name, c := range map[string]struct {
		handle func() error
		want   string
	}{
		"panic": {func() error { panic("boom") }, "counter: handle message: panic: boom\n"},
		"error": {func() error { return errors.New("no room") }, "counter: handle message: no room"},
	} {
		a := actor.Start(t.Context(), func(_ *actor.Self[question], q question) error {
			if q.n == 2 {
				return c.handle()
			}
			return q.Send(q.n)
		}, actor.Settings[question]{Name: "counter"})
		asker := actor.NewAsker(a, ask)
		for n := range 2 {
			if got, err := asker.Ask(t.Context(), n); err != nil || got != n {
				t.Errorf("%s: %d, %v", name, got, err)
			}
		}
		if _, err := asker.Ask(t.Context(), 2); !errors.Is(err, actor.ErrEnded) {
			t.Errorf("%s: who asked got %v", name, err)
		}
		for _, err := range []error{a.Wait(), a.Stop(t.Context())} {
			if err == nil || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("%s: got %v", name, err)
			}
		}
		if _, err := asker.Ask(t.Context(), 3); !errors.Is(err, actor.ErrClosed) {
			t.Errorf("%s: afterwards %v", name, err)
		}
	}
}

// An actor's context ends it, without an error of its own making.
func TestContextEndsTheActor(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	a := actor.Start(ctx, func(*actor.Self[int], int) error { return nil }, actor.Settings[int]{})
	cancel()
	if err := a.Wait(); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// A handler can change what handles the next message.
func TestBecome(t *testing.T) {
	var got []string
	var upper actor.Handler[string]
	lower := func(self *actor.Self[string], s string) error {
		got = append(got, strings.ToLower(s))
		self.Become(upper)
		return nil
	}
	upper = func(self *actor.Self[string], s string) error {
		got = append(got, strings.ToUpper(s))
		self.Become(lower)
		return nil
	}
	a := actor.Start(t.Context(), lower, actor.Settings[string]{})
	if _, err := a.PutAll(t.Context(), []string{"aA", "bB", "cC"}); err != nil {
		t.Fatal(err)
	}
	if err := a.Stop(t.Context()); err != nil || !slices.Equal(got, []string{"aa", "BB", "cc"}) {
		t.Errorf("%q, %v", got, err)
	}
}

// Children end with their parent, which waits for them and tells what they failed of.
func TestChildren(t *testing.T) {
	for _, fails := range []bool{false, true} {
		handled := make(chan int, 3)
		parent := actor.Start(t.Context(), func(self *actor.Self[int], n int) error {
			child := actor.Spawn(self, func(_ *actor.Self[int], n int) error {
				time.Sleep(time.Millisecond)
				handled <- n
				if fails {
					return fmt.Errorf("child %d fails", n)
				}
				return nil
			}, actor.Settings[int]{Name: "child"})
			return child.Dispatch(self.Context(), n)
		}, actor.Settings[int]{Name: "parent"})
		for n := range 3 {
			if err := parent.Dispatch(t.Context(), n); err != nil {
				t.Fatal(err)
			}
		}
		err := parent.Stop(t.Context())
		if len(handled) != 3 || (err != nil) != fails || fails && !strings.Contains(err.Error(), "fails (and 2 more that it had started failed)") {
			t.Errorf("%d of 3 handled, %v", len(handled), err)
		}
	}
}

// What an actor has started beside its children ends with it, too, and an error of it
// ends the actor.
func TestGo(t *testing.T) {
	over, errWork := false, errors.New("work")
	work := func(ctx context.Context) error {
		<-ctx.Done()
		time.Sleep(10 * time.Millisecond) // an actor that does not wait has ended by then
		over = true
		return nil
	}
	for name, c := range map[string]struct {
		work func(context.Context) error
		want string
	}{
		"ends":   {work, ""},
		"fails":  {func(context.Context) error { return errWork }, "actor: work"},
		"panics": {func(context.Context) error { panic("at work") }, "actor: panic: at work"},
	} {
		a := actor.Start(t.Context(), func(self *actor.Self[int], _ int) error { self.Go(c.work); return nil }, actor.Settings[int]{})
		if err := a.Dispatch(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		if c.want == "" {
			for a.Metrics().Handled == 0 {
				time.Sleep(time.Millisecond)
			}
			if a.Stop(t.Context()); !over {
				t.Error("the actor did not wait")
			}
		}
		if err := a.Wait(); (err == nil) != (c.want == "") || err != nil && !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The error of what an actor has started is told also where it comes while a message
// is handled and others wait.
func TestGoFailsBesideTheHandler(t *testing.T) {
	errWork := errors.New("work")
	a := actor.Start(t.Context(), func(self *actor.Self[int], _ int) error {
		self.Go(func(context.Context) error { return errWork })
		<-self.Context().Done()
		return nil
	}, actor.Settings[int]{})
	if _, err := a.PutAll(t.Context(), []int{1, 2, 3}); err != nil {
		t.Fatal(err)
	}
	if err := a.Wait(); !errors.Is(err, errWork) || a.Metrics().Handled != 1 || a.Metrics().Refused != 2 {
		t.Errorf("%v, %+v", err, a.Metrics())
	}
}

// A handler that ends its goroutine, as a test's FailNow does, ends the actor.
func TestHandlerEndsItsGoroutine(t *testing.T) {
	a := actor.Start(t.Context(), func(*actor.Self[question], question) error { runtime.Goexit(); return nil }, actor.Settings[question]{})
	if _, err := actor.NewAsker(a, ask).Ask(t.Context(), 1); !errors.Is(err, actor.ErrEnded) {
		t.Errorf("who asked: %v", err)
	}
	if err := a.Wait(); err == nil || err.Error() != "actor: its goroutine was ended (runtime.Goexit)" {
		t.Errorf("got %v", err)
	}
}

// An actor that asks itself, or would wait for room in its own full mailbox, is told.
func TestNobodyWaitsForItself(t *testing.T) {
	errs := make(chan error, 2)
	var asker *actor.Asker[question, int, int]
	a := actor.Start(t.Context(), func(self *actor.Self[question], q question) error {
		if q.n == 1 {
			_, err := asker.Ask(self.Context(), 2)
			errs <- err
			for err = nil; err == nil; {
				err = self.Dispatch(question{n: 3})
			}
			errs <- err
		}
		return nil
	}, actor.Settings[question]{Mailbox: actor.NewBuffer(actor.Options[question]{Capacity: 2})})
	asker = actor.NewAsker(a, ask)
	if err := a.Dispatch(t.Context(), question{n: 1}); err != nil {
		t.Fatal(err)
	}
	if err := <-errs; !errors.Is(err, actor.ErrItself) {
		t.Errorf("who asks itself: %v", err)
	}
	if err := <-errs; !errors.Is(err, actor.ErrFull) {
		t.Errorf("who waits for its own mailbox: %v", err)
	}
	if err := a.Stop(t.Context()); err != nil {
		t.Error(err)
	}
}

// Events go to the handler of their type; an unknown one to that of Unknown or, where
// there is none, it ends the actor.
func TestTable(t *testing.T) {
	var got []actor.EventType
	note := func(_ *actor.Self[actor.Event], e actor.Event) error { got = append(got, e.Type); return nil }
	events := []actor.Event{{Type: actor.IdentityRequest}, {Type: actor.SyncReply}, {Type: 999}, {Type: actor.IdentityRequest}}
	for name, c := range map[string]struct {
		table actor.Table
		want  int
		err   string
	}{
		"all known":  {actor.Table{actor.Unknown: note, actor.IdentityRequest: note, actor.SyncReply: note}, 4, ""},
		"unknown":    {actor.Table{actor.IdentityRequest: note, actor.SyncReply: note}, 2, "actor: handle event type 999: there is no handler for events of this type"},
		"none known": {nil, 0, "actor: handle identityRequest: there is no handler for events of this type"},
	} {
		got = nil
		a := actor.Start(t.Context(), c.table.Handle, actor.Settings[actor.Event]{})
		a.PutAll(t.Context(), events)
		err := a.Stop(t.Context())
		if len(got) != c.want || fmt.Sprint(err) != cmp.Or(c.err, "<nil>") {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

// A ticker ticks from a start event to a stop event, as often as it is told.
func TestTicker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		box := actor.NewBuffer(actor.Options[actor.Event]{Capacity: 100})
		tick := actor.Event{Type: actor.SyncTimeout}
		ticker := actor.StartTicker(t.Context(), box, tick, time.Second)
		send := func(kind actor.EventType, after time.Duration, want int) {
			t.Helper()
			time.Sleep(after)
			if got := box.Len(); got != want {
				t.Errorf("%d ticks, want %d", got, want)
			}
			if err := ticker.Dispatch(t.Context(), actor.Event{Type: kind}); err != nil {
				t.Error(err)
			}
			synctest.Wait()
		}
		send(actor.TickerStart, 10*time.Second, 0)
		send(actor.TickerStart, 2500*time.Millisecond, 2) // it ticks already
		send(actor.TickerStop, time.Second, 3)
		send(actor.TickerStop, 10*time.Second, 3)
		send(actor.TickerStart, time.Second, 3)
		time.Sleep(1500 * time.Millisecond)
		if err := ticker.Stop(t.Context()); err != nil || box.Len() != 4 {
			t.Errorf("%d ticks, %v", box.Len(), err)
		}
		again := actor.StartTicker(t.Context(), box, tick, time.Second)
		again.Dispatch(t.Context(), actor.Event{Type: actor.TickerStart})
		box.Close()
		if err := again.Wait(); !errors.Is(err, actor.ErrClosed) {
			t.Errorf("a ticker of a closed mailbox: %v", err)
		}
	})
}

// The zero trace keeps as many as NewTrace(0).
func TestZeroTrace(t *testing.T) {
	trace := new(actor.Trace)
	a := actor.Start(t.Context(), func(*actor.Self[int], int) error { return nil }, actor.Settings[int]{Trace: trace})
	a.Dispatch(t.Context(), 1)
	if err := a.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if kept, total := trace.Steps(); len(kept) != 1 || total != 1 {
		t.Errorf("%d of %d steps", len(kept), total)
	}
}

// Several actors with one trace: the order in which it has their messages is one in
// which they could have been handled one by one.
func TestTraceShowsASerialOrder(t *testing.T) {
	trace := actor.NewTrace(6)
	handle := func(_ *actor.Self[int], n int) error { return nil }
	a := actor.Start(t.Context(), handle, actor.Settings[int]{Name: "a", Trace: trace})
	b := actor.Start(t.Context(), func(self *actor.Self[int], n int) error { return a.Dispatch(self.Context(), -n) }, actor.Settings[int]{Name: "b", Trace: trace})
	for n := range 5 {
		b.Dispatch(t.Context(), n+1)
	}
	b.Stop(t.Context())
	a.Stop(t.Context())
	steps, total := trace.Steps()
	if len(steps) != 6 || total != 10 {
		t.Fatalf("%d of %d steps: %v", len(steps), total, steps)
	}
	last := map[string]int{}
	for _, s := range steps {
		n := s.Message.(int)
		if s.Actor == "a" && -n <= last["a"] || s.Actor == "b" && n <= last["b"] {
			t.Errorf("out of order: %v", steps)
		}
		last[s.Actor] = max(n, -n)
	}
}
