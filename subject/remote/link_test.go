package remote

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"testing"

	"pgregory.net/rapid"

	"github.com/syncwrite/syncwrite/subject/remote/remotepb"
)

// A deadEnd is a stream that is told apart, and carries nothing.
type deadEnd struct{ generation uint64 }

func (deadEnd) Send(*remotepb.Packet) error     { return nil }
func (deadEnd) Recv() (*remotepb.Packet, error) { return nil, errors.New("nothing") }
func callOf(n uint64) call                      { return call{Message: messageOf(n), ctx: context.Background()} }
func messageOf(n uint64) Message                { return Message{Payload: binary.LittleEndian.AppendUint64(nil, n)} }
func numberOf(c call) uint64                    { return binary.LittleEndian.Uint64(c.Payload) }
func allFit(calls []call) int                   { return min(len(calls), 2) }
func checkNumbers(t *rapid.T, calls []call, from uint64) {
	for i, c := range calls {
		if numberOf(c) != from+uint64(i) {
			t.Fatalf("message %d stands where %d is due", numberOf(c), from+uint64(i))
		}
	}
}

// A linkModel is a link beside what is known of it: messages are numbered as they are
// registered, so that each one's number is its own.
type linkModel struct {
	link     *link
	again    bool
	alive    uint64   // the generation that lives; 0 if none does
	dead     []uint64 // those that do not
	opened   uint64
	written  uint64 // the number behind the last message that was registered
	first    uint64 // the first one that was neither answered nor lost
	onStream uint64 // the number behind the last one that was sent on the living stream
	handled  uint64 // what the other side handles next
	ended    uint64 // streams that were hung up
}

// Steps in any order, also those in the name of streams that are gone: every message is
// answered or lost once, in order, and what is sent again begins where the other side
// is.
func TestLinkSteps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := &linkModel{again: rapid.Bool().Draw(t, "again"), written: 1, first: 1, onStream: 1, handled: 1}
		m.link = newLink(Options{InFlight: 1 << 20, ExactlyOnce: m.again})
		t.Repeat(map[string]func(*rapid.T){
			"begin":    m.begin,
			"resend":   m.resend,
			"register": m.register,
			"handle":   m.handle,
			"answered": m.answered,
			"hangUp":   m.hangUp,
			"broken":   m.broken,
			"stale":    m.stale,
		})
	})
}

func (m *linkModel) begin(t *rapid.T) {
	generation, _, err := m.link.begin(deadEnd{m.opened + 1}, func(error) { m.ended++ }, m.handled, func(Message) error { return nil })
	if m.alive != 0 {
		if err == nil {
			t.Fatal("two streams are alive")
		}
		return
	}
	if err != nil || generation != m.opened+1 {
		t.Fatalf("generation %d: %v", generation, err)
	}
	m.opened++
	m.alive, m.onStream = m.opened, m.handled
}

func (m *linkModel) resend(t *rapid.T) {
	if m.alive == 0 {
		t.Skip("no stream")
	}
	first, settled, calls := m.link.resend(m.alive, deadEnd{m.alive}, allFit)
	if len(calls) == 0 {
		return
	}
	if first != m.onStream || settled != m.first-1 || m.onStream+uint64(len(calls)) > m.written {
		t.Fatalf("sent again from %d, settled %d: %d and %d are due", first, settled, m.onStream, m.first-1)
	}
	checkNumbers(t, calls, first)
	m.onStream += uint64(len(calls))
}

// ready reports whether the messenger has the stream.
func (m *linkModel) ready() bool { return m.link.stream != nil }

func (m *linkModel) register(t *rapid.T) {
	if m.alive == 0 || !m.ready() {
		t.Skip("no stream")
	}
	if m.onStream != m.written {
		t.Fatalf("the messenger has the stream, and %d of %d are sent", m.onStream, m.written)
	}
	n := rapid.IntRange(1, 4).Draw(t, "n")
	var calls []call
	for i := range n {
		calls = append(calls, callOf(m.written+uint64(i)))
	}
	first, settled, ok := m.link.register(m.alive, calls)
	if !ok || first != m.written || settled != m.first-1 {
		t.Fatalf("registered as %d, settled %d, %v: %d and %d are due", first, settled, ok, m.written, m.first-1)
	}
	m.written += uint64(n)
	m.onStream = m.written
}

// handle is the other side: it has got some of what was sent.
func (m *linkModel) handle(t *rapid.T) {
	m.handled += rapid.Uint64Range(0, m.onStream-min(m.handled, m.onStream)).Draw(t, "handled")
}

func (m *linkModel) answered(t *rapid.T) {
	if m.alive == 0 || m.handled <= m.first {
		t.Skip("nothing to answer")
	}
	n := rapid.Uint64Range(1, m.handled-m.first).Draw(t, "n")
	if _, err := m.link.answered(m.alive, m.first+1, int(n), nil); err == nil {
		t.Fatal("answers to others were taken")
	}
	calls, err := m.link.answered(m.alive, m.first, int(n), nil)
	if err != nil || len(calls) != int(n) {
		t.Fatalf("%d answered: %v", len(calls), err)
	}
	checkNumbers(t, calls, m.first)
	if m.link.waitsFor() != 0 {
		t.Fatal("an answer is waited for while others are being told")
	}
	m.link.told(len(calls))
	m.first += n
}

// hangUp is a stream on which nothing can be sent: one that the other side has ended is
// left to whoever receives from it.
func (m *linkModel) hangUp(t *rapid.T) {
	if m.alive == 0 {
		t.Skip("no stream")
	}
	why, ended := rapid.SampledFrom([]error{io.EOF, errFaulty}).Draw(t, "why"), m.ended
	if m.link.hangUp(m.alive, why); m.ready() || (m.ended > ended) == (why == io.EOF) {
		t.Fatalf("%v: the messenger has the stream: %v; it was hung up: %v", why, m.ready(), m.ended > ended)
	}
}

func (m *linkModel) broken(t *rapid.T) {
	if m.alive == 0 {
		t.Skip("no stream")
	}
	lost := m.link.broken(errors.New("broken"))
	if m.again && len(lost) > 0 || !m.again && uint64(len(lost)) != m.written-m.first {
		t.Fatalf("%d lost of %d", len(lost), m.written-m.first)
	}
	checkNumbers(t, lost, m.first)
	m.link.told(len(lost))
	m.first += uint64(len(lost))
	m.dead = append(m.dead, m.alive)
	m.alive = 0
	if !m.again { // another stream is another line
		m.handled, m.onStream = m.first, m.first
	}
}

// stale is whatever somebody does who has not learned yet that a stream is gone.
func (m *linkModel) stale(t *rapid.T) {
	if len(m.dead) == 0 {
		t.Skip("none is gone")
	}
	old, ended := rapid.SampledFrom(m.dead).Draw(t, "old"), m.ended
	if _, _, ok := m.link.register(old, []call{callOf(0)}); ok {
		t.Fatal("sent on a stream that is gone")
	}
	if calls, err := m.link.answered(old, m.first, 1, nil); err == nil {
		t.Fatalf("answers of a stream that is gone were taken: %d", len(calls))
	}
	if _, _, calls := m.link.resend(old, deadEnd{old}, allFit); len(calls) > 0 {
		t.Fatal("sent again on a stream that is gone")
	}
	if m.link.hangUp(old, errStale); m.ended != ended {
		t.Fatal("the living stream was hung up")
	}
	if s, is := m.link.stream.(deadEnd); is && s.generation != m.alive {
		t.Fatalf("the messenger has stream %d, and %d is the last", s.generation, m.alive)
	}
}
