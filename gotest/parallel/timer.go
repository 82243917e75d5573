package parallel

// The benchmark's timer may be stopped or reset within a window. Operations that pass
// meanwhile, or before the last reset, are in b.N and in no time: the lanes tell of them.

// asks comes first when a goroutine asks for more, or leaves: what it was dealt has passed.
func (l *lane) asks() {
	switched, resets := l.window.switched.Load(), l.window.resets.Load()
	if switched == l.switched && resets == l.resets || l.finished {
		return
	}
	if l.ops > 0 {
		l.missed(switched, resets)
	}
	l.switched, l.resets = switched, resets
}

// missed notes what the timer has missed of the operations that were dealt. Where a window has
// one goroutine, nobody else stops the timer, and its operation waits for that. All may have
// passed before a reset, also the one that was dealt last.
func (l *lane) missed(switched, resets int64) {
	if alone := len(l.window.lanes) == 1 && l.timing; switched != l.switched && !alone {
		l.window.mistimed.Store(true)
	}
	if resets != l.resets {
		l.early = l.ops
		l.longest, l.sampled = 0, l.window.resetAt.Load()
	}
}

// begins comes before operations are dealt.
func (l *lane) begins() {
	if l.switched%2 == 0 {
		l.window.mistimed.Store(true)
	}
}

// timedSince is how long a goroutine that has left was timed behind the last reset.
func (l *lane) timedSince(resets int64) int64 {
	switch resets {
	case l.begin.resets:
		return max(0, l.end.timed-l.begin.timed) // what began just behind a start may have read a little too much
	case l.end.resets:
		return l.end.timed
	}
	return 0
}

// longestSince is the lane's longest stretch behind the last reset: it has none if it had
// nothing more to do then.
func (l *lane) longestSince(resets int64) int64 {
	if l.resets != resets {
		return 0
	}
	return l.longest
}

// beforeReset is how many operations of a goroutine that has left passed before the last
// reset, or may have. It may have asked for none since.
func (l *lane) beforeReset(resets int64) uint64 {
	if l.resets != resets {
		return l.ops
	}
	return l.early
}
