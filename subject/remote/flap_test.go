package remote

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// A witness is a receiver that notes what it sees: which message of which sender, how
// often, and whether in order.
type witness struct {
	mu   sync.Mutex
	seen map[[2]uint32]int
	last map[uint32]uint32
	odd  []string

	inside, crowded atomic.Int64 // calls that are under way, and those that came beside another
}

func newWitness() *witness {
	return &witness{seen: make(map[[2]uint32]int), last: make(map[uint32]uint32)}
}

func (w *witness) handle(_ context.Context, _ string, m Message) ([]byte, error) {
	if w.inside.Add(1) != 1 {
		w.crowded.Add(1)
	}
	defer w.inside.Add(-1)
	runtime.Gosched()
	w.mu.Lock()
	defer w.mu.Unlock()
	from, number := binary.LittleEndian.Uint32(m.Payload), binary.LittleEndian.Uint32(m.Payload[4:])
	w.seen[[2]uint32{from, number}]++
	if number <= w.last[from] && len(w.odd) < 10 {
		w.odd = append(w.odd, fmt.Sprintf("message %d of sender %d behind its %d", number, from, w.last[from]))
	}
	w.last[from] = number
	return m.Payload[:8], nil
}

func numbered(from, number int) Message {
	payload := make([]byte, 8, 16)
	binary.LittleEndian.PutUint32(payload, uint32(from))
	binary.LittleEndian.PutUint32(payload[4:], uint32(number))
	return Message{Type: 7, Payload: payload}
}

// An account is what a sender's side was told.
type account struct {
	mu             sync.Mutex
	answered, lost map[[2]uint32]int
	why            *LostError // of the last one
	odd            []string
}

func newAccount() *account {
	return &account{answered: make(map[[2]uint32]int), lost: make(map[[2]uint32]int)}
}

func (a *account) note(m Message, answer []byte, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	key := [2]uint32{binary.LittleEndian.Uint32(m.Payload), binary.LittleEndian.Uint32(m.Payload[4:])}
	var lost *LostError
	switch {
	case err == nil && string(answer) == string(m.Payload):
		a.answered[key]++
	case errors.As(err, &lost):
		a.lost[key]++
		a.why = lost
		if lost.Type != 7 || lost.Peer != "other side" || lost.Endpoint == "" || lost.Why == nil {
			a.odd = append(a.odd, fmt.Sprintf("lost without its particulars: %v", err))
		}
	default:
		a.odd = append(a.odd, fmt.Sprintf("answer %q to %q, error %v", answer, m.Payload, err))
	}
}

func (a *account) events(run []Event) error {
	for _, e := range run {
		a.note(e.Message, e.Answer, e.Err)
	}
	return nil
}

// noLeaks holds the test to leave no goroutine behind, when all it has begun is ended.
func noLeaks(t *testing.T) {
	before := goleak.IgnoreCurrent()
	t.Cleanup(func() { goleak.VerifyNone(t, before) })
}

// flap sends from several senders over a link that breaks again and again, half of
// them requests, and returns what both sides know.
func flap(t *testing.T, seed uint64, senders, each int, options Options) (*witness, *account, Counts) {
	w, a := newWitness(), newAccount()
	links := newFaults(seed, 15*time.Millisecond)
	options.Name, options.Dialer, options.Stalled, options.Backoff = "other side", links.dial, 60*time.Millisecond, time.Millisecond
	endpoint, stop := listenUntil(t, w.handle, ServiceOptions{})
	p, err := New(endpoint, options)
	if err != nil {
		t.Fatal(err)
	}
	var reader, all sync.WaitGroup
	reader.Go(func() { p.Events(context.Background(), a.events) })
	for s := range senders {
		all.Go(func() {
			for i := range each {
				m := numbered(s, i+1)
				if s%2 == 0 {
					answer, err := p.Request(context.Background(), m)
					a.note(m, answer, err)
				} else if err := p.Send(context.Background(), m); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if err := p.Close(context.Background()); err != nil {
		t.Error(err)
	}
	reader.Wait()
	stop() // what is lost may still be in hand
	if n := w.crowded.Load(); n > 0 {
		t.Errorf("%d messages of one peer were handled beside another one", n)
	}
	for _, text := range append(w.odd, a.odd...) {
		t.Error(text)
	}
	return w, a, p.Counts()
}

// Over a link that flaps every message is either answered, and was seen once, or
// reported lost. SYNCWRITE_RECONNECTS has it flap so often in all, with a seed after the
// other.
func TestFlappingLink(t *testing.T) {
	wanted := fromEnvironment("SYNCWRITE_RECONNECTS", 0) / len(modes)
	for _, mode := range modes {
		done := 0
		for seed := uint64(1); seed == 1 || done < wanted && !t.Failed(); seed++ {
			t.Run(fmt.Sprint(mode.name, "/", seed), func(t *testing.T) {
				noLeaks(t)
				done += flapsHonestly(t, mode.name, mode.options, seed)
			})
		}
	}
}

// flapsHonestly returns how often the link broke.
func flapsHonestly(t *testing.T, mode string, options Options, seed uint64) int {
	const senders = 8
	each := 1500
	if mode == "sync" {
		each /= 5
	}
	w, a, counts := flap(t, seed, senders, each, options)
	if n := len(a.answered) + len(a.lost); n != senders*each || counts.Answered != len(a.answered) || counts.Lost != len(a.lost) {
		t.Errorf("%d answered and %d lost of %d, counted as %+v", len(a.answered), len(a.lost), senders*each, counts)
	}
	for key, n := range a.answered {
		if n != 1 || w.seen[key] != 1 || a.lost[key] != 0 {
			t.Fatalf("message %v answered %d times, lost %d times, seen %d times", key, n, a.lost[key], w.seen[key])
		}
	}
	for key, n := range w.seen {
		if n != 1 || a.answered[key]+a.lost[key] != 1 {
			t.Fatalf("message %v seen %d times, told of %d times", key, n, a.answered[key]+a.lost[key])
		}
	}
	if options.ExactlyOnce && len(a.lost) > 0 {
		t.Errorf("%d lost", len(a.lost))
	}
	t.Logf("%+v", counts)
	return counts.Reconnects
}
