package actor

// A refuser is a message somebody may wait for: it is told that nobody will answer.
type refuser interface{ Refuse(why error) }

// refuse tells who waits for an answer to a message that there will be none.
func refuse(message any, why error) {
	if r, ok := message.(refuser); ok {
		r.Refuse(why)
	}
}
