package actor

import "testing"

// A protocol is the wake-up of bell.go as steps of the receiver and of those who put,
// for a search through all the ways in which they can interleave. Its steps are those
// of the code: one access to shared memory each.
type protocol struct {
	sleepFirst   bool // the receiver says that it sleeps before it looks
	publishFirst bool // who puts makes the message visible before looking whether the receiver sleeps
	keepsToken   bool // a second ring before the receiver has woken is kept
}

// A world is one state: what is shared, and where everybody stands.
type world struct {
	there, taken int // messages
	asleep       bool
	token        bool // in the channel rung
	receiver     int
	producers    [3]struct{ step, left int }
}

// Steps of the receiver; in sleep it can only go on with a token.
const (
	look = iota
	fallAsleep
	lookAgain
	sleep
)

// receive are the states after the receiver's next step; none if it has to wait.
func (p protocol) receive(w world) []world {
	switch w.receiver {
	case look, lookAgain:
		found := w.there > w.taken
		switch {
		case found:
			w.taken = w.there
			w.asleep = w.asleep && w.receiver == look // awake: asleep.Store(false)
			w.receiver = look
		case p.sleepFirst && w.receiver == look, !p.sleepFirst && w.receiver == lookAgain:
			w.receiver = fallAsleep
		case p.sleepFirst:
			w.receiver = sleep
		default:
			w.receiver = lookAgain
		}
	case fallAsleep:
		w.asleep = true
		if w.receiver = sleep; p.sleepFirst {
			w.receiver = lookAgain
		}
	case sleep:
		if !w.token {
			return nil
		}
		w.token, w.receiver = false, fallAsleep // the loop of await
	}
	return []world{w}
}

// put is the state after the next step of who puts.
func (p protocol) put(w world, i int) []world {
	g := &w.producers[i]
	if g.left == 0 {
		return nil
	}
	publish := func() { w.there++ }
	switch g.step {
	case 0:
		if p.publishFirst {
			publish()
			g.step = 1
		} else if g.step = 3; w.asleep { // the look that comes too early, kept in the step
			g.step = 4
		}
	case 1: // asleep.Load
		if g.step = 2; !w.asleep {
			g.step, g.left = 0, g.left-1
		}
	case 2: // CompareAndSwap, and the token
		if w.asleep {
			w.asleep = false
			w.token = w.token || p.keepsToken
		}
		g.step, g.left = 0, g.left-1
	case 3:
		publish()
		g.step, g.left = 0, g.left-1
	case 4:
		publish()
		g.step = 2
	}
	return []world{w}
}

// lostWakeUps counts the states, of all that can be reached, in which everybody has
// put, a message is there, and the receiver sleeps with nothing that wakes it.
func (p protocol) lostWakeUps(producers, messages int) (lost, states int) {
	var first world
	for i := range producers {
		first.producers[i].left = messages
	}
	seen, todo := map[world]bool{first: true}, []world{first}
	for len(todo) > 0 {
		w := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		next := p.receive(w)
		for i := range producers {
			next = append(next, p.put(w, i)...)
		}
		if len(next) == 0 && w.there > w.taken {
			lost++
		}
		for _, n := range next {
			if !seen[n] {
				seen[n] = true
				todo = append(todo, n)
			}
		}
	}
	return lost, len(seen)
}

// No interleaving leaves a message with a receiver that sleeps; and the search finds
// the ones that would, where a step of the protocol is turned round or left out.
func TestNoLostWakeUp(t *testing.T) {
	for name, c := range map[string]struct {
		protocol
		sound bool
	}{
		"as it is":                       {protocol{true, true, true}, true},
		"looks, then says it sleeps":     {protocol{false, true, true}, false},
		"looks at sleep, then publishes": {protocol{true, false, true}, false},
		"no token":                       {protocol{true, true, false}, false},
	} {
		lost, states := c.lostWakeUps(3, 3)
		if (lost == 0) != c.sound || states < 1000 {
			t.Errorf("%s: %d of %d states are lost wake-ups", name, lost, states)
		}
	}
}
