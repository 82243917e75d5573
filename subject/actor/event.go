package actor

import "fmt"

// EventType says what an event is about. Types beyond those that have a name
// are the user's own.
type EventType uint16

// The types that have a name.
const (
	Unknown EventType = iota
	IdentityRequest
	SyncTimeout
	SyncRequest
	SyncReply
	TickerStart
	TickerStop
)

// String returns the type's name.
func (t EventType) String() string {
	names := [...]string{"unknown", "identityRequest", "syncTimeout", "syncRequest", "syncReply", "tickerStart", "tickerStop"}
	if int(t) < len(names) {
		return names[t]
	}
	return fmt.Sprintf("event type %d", uint16(t))
}

// Event is a message to an actor.
type Event struct {
	Type   EventType
	Source any // who sent it
	Value  any
}

// SameType makes runs of events of one type ([Options.Alike]).
func SameType(first, event Event) bool { return event.Type == first.Type }

// Refuse tells who asked, if somebody did, that there will be no answer.
func (e Event) Refuse(why error) { refuse(e.Source, why) }
