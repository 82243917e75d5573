package remote

import (
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/syncwrite/syncwrite/subject/remote/remotepb"
)

// A stream carries packets both ways: one goroutine sends, one receives.
type stream interface {
	Send(*remotepb.Packet) error
	Recv() (*remotepb.Packet, error)
}

// A link is what a peer knows of its connection, the one owner of all this: which
// stream is open, and which messages are without an answer. Each method is one step.
// Streams have numbers, their generation; a step in the name of one that is not the
// last does nothing.
type link struct {
	inFlight int
	again    bool // what had no answer is sent again
	together int  // how many messages travel together at most; 0: as many as fit

	mu         sync.Mutex
	changed    sync.Cond // something that somebody waits for
	generation uint64
	begun      bool   // the stream of this generation is the last, and lives
	stream     stream // the same; nil while it is not the messenger's to send on
	end        func(error)
	pending    queue[call]   // without an answer
	size       int           // bytes of them
	telling    int           // messages whose fate is known, and being told
	first      uint64        // the number of the first of them; numbers begin at 1
	sent       uint64        // the number of the first one that was not sent on this stream
	packets    queue[uint64] // of those without answers, the number behind each one's last message
	closed     error         // why nothing will be sent any more
	down       error         // why there was no stream last
	tries      int           // how often one was looked for
	counts     Counts
}

func newLink(options Options) *link {
	l := &link{inFlight: options.InFlight, again: options.ExactlyOnce, together: options.PerPacket, first: 1, sent: 1}
	l.changed.L = &l.mu
	return l
}

// begin begins a generation on a stream, before anything but a greeting was sent on
// it. next is the number of the first message that the other side has not handled: those
// before it have answers that did not come. Of those behind it the ones that do not fit
// any more are returned, and not sent again.
func (l *link) begin(s stream, end func(error), next uint64, fits func(Message) error) (generation uint64, tooLarge []call, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.begun {
		return 0, nil, errors.New("two streams at a time")
	}
	if next < l.first || next > l.behind() {
		return 0, nil, fmt.Errorf("%w: message %d is due there, and from %d to %d here", errProtocol, next, l.first, l.behind())
	}
	tooLarge = l.sift(int(next-l.first), fits)
	l.generation++
	l.begun, l.end, l.sent, l.down = true, end, next, nil
	l.tries++
	if l.generation > 1 {
		l.counts.Reconnects++
	}
	if next > l.first {
		l.packets.push(next) // their answers come first, as those of one packet
	}
	if next == l.behind() {
		l.stream = s
	}
	l.changed.Broadcast()
	return l.generation, tooLarge, nil
}

// sift takes out of the messages without an answer, behind the first so many, those that
// do not fit. The others move up.
func (l *link) sift(from int, fits func(Message) error) (tooLarge []call) {
	waiting := l.pending.pop(l.pending.len(), nil)
	for i, c := range waiting {
		if i >= from && fits(c.Message) != nil {
			tooLarge = append(tooLarge, c)
			l.size -= frameSize(c.Payload)
		} else {
			l.pending.push(c)
		}
	}
	l.telling += len(tooLarge)
	return tooLarge
}

// behind is the number that the next message gets.
func (l *link) behind() uint64 { return l.first + uint64(l.pending.len()) }

// full reports whether nothing more may be sent for now: what has no answer is bounded
// by the packets under way, and by what these have at most, since what is sent again may
// be packed in another way.
func (l *link) full() bool {
	return l.packets.len() >= l.inFlight || l.size >= l.inFlight*packetSize || l.together > 0 && l.pending.len() >= l.inFlight*l.together
}

// resend gives the messages that are to be sent again on a stream, as many as fit into
// a packet, waiting until it may be sent. None are left when the messenger has the
// stream, or the stream has broken.
func (l *link) resend(generation uint64, s stream, fit func([]call) int) (first, settled uint64, calls []call) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.is(generation) && l.stream == nil && l.packets.len() >= l.inFlight {
		l.changed.Wait()
	}
	if !l.is(generation) || l.stream != nil {
		return 0, 0, nil
	}
	waiting := l.pending.waiting()[l.sent-l.first:]
	if len(waiting) == 0 {
		l.stream = s
		l.changed.Broadcast()
		return 0, 0, nil
	}
	calls = append(calls, waiting[:fit(waiting)]...)
	first = l.sent
	l.sent += uint64(len(calls))
	l.packets.push(l.sent)
	l.counts.Resent += len(calls)
	return first, l.first - 1, calls
}

// await waits until a packet may be sent, and returns on which stream; none if there is
// nothing more to send, which [link.look] has it find out.
func (l *link) await(nothing func() bool) (stream, uint64, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.closed == nil && (l.stream == nil || l.full()) {
		if nothing() {
			return nil, 0, nil
		}
		l.changed.Wait()
	}
	return l.stream, l.generation, l.closed
}

// look has who waits see that a message is not to be sent any more.
func (l *link) look() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.changed.Broadcast()
}

// room waits until a packet has room in front of those that are out.
func (l *link) room() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.closed == nil && l.begun && l.full() {
		l.changed.Wait()
	}
}

// register notes that messages are being sent on a stream. It returns the number of
// the first and up to which one answers have come, and reports whether that is still
// the stream.
func (l *link) register(generation uint64, calls []call) (first, settled uint64, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.is(generation) || l.closed != nil {
		return 0, 0, false
	}
	first = l.sent
	l.pending.push(calls...)
	for _, c := range calls {
		l.size += frameSize(c.Payload)
	}
	l.sent += uint64(len(calls))
	l.packets.push(l.sent)
	return first, l.first - 1, true
}

// answered takes the messages off whose answers have come on a stream, so many from a
// number on.
func (l *link) answered(generation, first uint64, n int, to []call) ([]call, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case !l.is(generation):
		return nil, errStale
	case first != l.first || first+uint64(n) > l.sent:
		return nil, fmt.Errorf("%w: answers to messages from %d to %d, and %d to %d are due", errProtocol, first, first+uint64(n)-1, l.first, l.sent-1)
	}
	l.counts.Answered += n
	return l.off(n, to), nil
}

// told notes that the fate of so many messages was told. Further packets go only then:
// who sends again at once travels with the next one.
func (l *link) told(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.telling -= n
	for l.packets.len() > 0 && l.packets.waiting()[0] <= l.first {
		l.packets.pop(1, nil)
	}
	l.changed.Broadcast()
}

// failed notes why no stream came about.
func (l *link) failed(why error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.down = why
	l.tries++
	l.changed.Broadcast()
}

// broken ends a generation and returns the messages that are lost by it.
func (l *link) broken(why error) (lost []call) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.begun, l.stream, l.end, l.down, l.packets = false, nil, nil, why, queue[uint64]{}
	if !l.again {
		lost = l.abandon()
	}
	l.changed.Broadcast()
	return lost
}

// forget gives up all messages without an answer.
func (l *link) forget() []call {
	l.mu.Lock()
	defer l.mu.Unlock()
	defer l.changed.Broadcast()
	return l.abandon()
}

func (l *link) abandon() []call {
	return l.off(l.pending.len(), nil)
}

// off takes the first so many off, whose fate is to be told.
func (l *link) off(n int, to []call) []call {
	before := len(to)
	to = l.pending.pop(n, to)
	for _, c := range to[before:] {
		l.size -= frameSize(c.Payload)
	}
	l.first += uint64(n)
	l.telling += n
	return to
}

// close lets nothing be sent any more.
func (l *link) close(why error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed == nil {
		l.closed = why
	}
	l.changed.Broadcast()
}

// settle waits until the fate of every message is told, or nothing will be sent any
// more.
func (l *link) settle() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.closed == nil && !l.settled() {
		l.changed.Wait()
	}
}

func (l *link) settled() bool { return l.pending.len() == 0 && l.telling == 0 }

// tried waits until a stream was looked for, and returns why there is none.
func (l *link) tried() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.tries == 0 && l.closed == nil {
		l.changed.Wait()
	}
	if l.begun {
		return nil
	}
	return errors.Join(l.down, l.closed)
}

// next is the number of the first message without an answer.
func (l *link) next() uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.first
}

// waitsFor is the number of the first message without an answer; 0 if there is none. While
// answers that have come are being told nobody waits for others.
func (l *link) waitsFor() uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.pending.len() == 0 || l.telling > 0 {
		return 0
	}
	return l.first
}

// hangUp ends a stream, if it is the last one; the messenger sends nothing more on it.
// io.EOF, from who sent, means that the other side has ended it: whoever receives has
// still to get what came before, and why.
func (l *link) hangUp(generation uint64, why error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.is(generation) {
		return
	}
	l.stream = nil
	if !errors.Is(why, io.EOF) {
		l.end(why)
	}
}

// count changes the counts.
func (l *link) count(change func(*Counts)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	change(&l.counts)
}

func (l *link) is(generation uint64) bool { return l.begun && generation == l.generation }

var (
	errStale    = errors.New("the stream is not the last one any more")
	errProtocol = errors.New("the other side does not keep to the protocol")
)
