package remote

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"time"
	"unicode/utf8"
)

// Options are the settings of a peer; the zero value is useful.
type Options struct {
	// Name is that of the other side in reports; empty means its endpoint.
	Name string
	// Self is how this side calls itself to the other one, in at most 256 bytes of UTF-8.
	Self string
	// Mailbox is how many messages can wait to be sent, and how many events to be
	// received; 0 means 1024.
	Mailbox int
	// PerPacket is the most messages that travel together; 0 means as many as wait and
	// have room in 64 KiB, 1 sends each on its own.
	PerPacket int
	// InFlight is how many packets may be without their answers, and how often 64 KiB in
	// all: a larger message counts as several. 0 means 4. With 1 nothing is sent before what
	// was sent is answered.
	InFlight int
	// ExactlyOnce sends again, on the next link, what had no answer on the last one,
	// and the receiver passes over what it has seen. Without it such a message is lost.
	ExactlyOnce bool
	// Largest is the most bytes that a message or an answer may have; 0 means 1 MiB.
	Largest int
	// Stalled is how long messages may wait for answers while none comes, until the
	// link is given up, a quarter of it later at most; 0 means 10 s. A receiver sends
	// answers when 100 ms of handling have passed, and behind the message in hand: let it
	// be some times as long as that, and as its handler takes for a message; with an inbox,
	// as it takes for a message of each peer.
	Stalled time.Duration
	// Backoff is the mean pause before a link is tried again. It doubles, up to a hundred
	// times as long, with each link that did not come about, or broke before an answer
	// came and sooner than its pause is long; 0 means 50 ms.
	Backoff time.Duration
	// TLS is how the connection is secured; nil does not secure it.
	TLS *tls.Config
	// Dialer makes connections; nil means those of TCP.
	Dialer func(ctx context.Context, endpoint string) (net.Conn, error)
}

// MostLargest is the most bytes that Options.Largest and ServiceOptions.Largest may allow.
const MostLargest = 1 << 30

const (
	defaultMailbox  = 1024
	defaultInFlight = 4
	defaultLargest  = 1 << 20
	defaultStalled  = 10 * time.Second
	defaultBackoff  = 50 * time.Millisecond
	packetSize      = 64 << 10 // bytes of messages that travel together
	mostMailbox     = 1 << 24
	mostInFlight    = 1 << 16
	mostWait        = 24 * time.Hour
	mostName        = 256
)

var (
	errNegative = errors.New("a setting is negative")
	errEndpoint = errors.New("not HOST:PORT")
	errName     = errors.New("a name that is not UTF-8")
)

// check reports the first setting that means nothing, and fills in what is not set.
func (o Options) check(endpoint string) (Options, error) {
	if _, _, err := net.SplitHostPort(endpoint); err != nil {
		return o, errEndpoint
	}
	for _, n := range []int{o.Mailbox, o.PerPacket, o.InFlight, o.Largest, int(o.Stalled), int(o.Backoff)} {
		if n < 0 {
			return o, errNegative
		}
	}
	switch {
	case o.Mailbox > mostMailbox:
		return o, fmt.Errorf("a mailbox of %d messages: at most %d", o.Mailbox, mostMailbox)
	case o.InFlight > mostInFlight:
		return o, fmt.Errorf("%d packets in flight: at most %d", o.InFlight, mostInFlight)
	case o.PerPacket > mostMailbox:
		return o, fmt.Errorf("%d messages in a packet: at most %d", o.PerPacket, mostMailbox)
	case o.Stalled > mostWait || o.Backoff > mostWait:
		return o, fmt.Errorf("waits of %v and %v: at most %v", o.Stalled, o.Backoff, mostWait)
	case len(o.Self) > mostName:
		return o, fmt.Errorf("a name of %d bytes: at most %d", len(o.Self), mostName)
	case !utf8.ValidString(o.Self):
		return o, errName
	case o.Largest > MostLargest:
		return o, fmt.Errorf("messages of %d bytes: at most %d", o.Largest, MostLargest)
	}
	o.Name = cmp.Or(o.Name, endpoint)
	o.Mailbox = cmp.Or(o.Mailbox, defaultMailbox)
	o.InFlight = cmp.Or(o.InFlight, defaultInFlight)
	o.Largest = cmp.Or(o.Largest, defaultLargest)
	o.Stalled = cmp.Or(o.Stalled, defaultStalled)
	o.Backoff = cmp.Or(o.Backoff, defaultBackoff)
	return o, nil
}
