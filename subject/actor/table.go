package actor

import "errors"

// ErrNoHandler is what an event meets for whose type there is no handler.
var ErrNoHandler = errors.New("there is no handler for events of this type")

// Table says what an actor does with each type of event, by the type:
//
//	actor.Table{
//		actor.IdentityRequest: s.onIdentityRequest,
//		actor.SyncRequest:     s.onSyncRequest,
//	}
//
// Events of a type without a handler go to that of [Unknown]. Where there is none
// either, they end the actor, so that none is lost unseen.
type Table []Handler[Event]

// Handle is the [Handler] of an actor that has this table.
func (t Table) Handle(self *Self[Event], event Event) error {
	at := int(event.Type)
	if at >= len(t) || t[at] == nil {
		at = int(Unknown)
	}
	if at >= len(t) || t[at] == nil {
		return ErrNoHandler
	}
	return t[at](self, event)
}
