package parallel

// The benchmark's timer may be stopped within a window. Operations that pass
// meanwhile are in b.N and in no time: the lanes tell of them.

// asks comes first when a goroutine asks for more: what it was dealt has passed. Where a
// window has one goroutine, nobody else stops the timer, and its operation waits for that.
func (l *lane) asks() {
	switched := l.window.switched.Load()
	if switched == l.switched || l.finished {
		return
	}
	l.switched = switched
	if alone := len(l.window.lanes) == 1 && l.timing; l.ops > 0 && !alone {
		l.window.mistimed.Store(true)
	}
}

// begins comes before operations are dealt.
func (l *lane) begins() {
	if l.switched%2 == 0 {
		l.window.mistimed.Store(true)
	}
}
