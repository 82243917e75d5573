package actor

import (
	"sync/atomic"
	"testing"
	"time"
)

// Somebody who begins to watch while a run ends sees either that it is under way, or all of
// it counted: never an end that is not counted yet, which would stay in the depth.
func TestRunIsCountedBeforeItEnds(t *testing.T) {
	var m meter
	run := m.begin() // of five that nobody watched
	m.watchers.Add(1)
	m.mu.Lock() // whoever has come looks
	var ended atomic.Bool
	done := make(chan struct{})
	go func() { run.end(5); ended.Store(true); close(done) }()
	time.Sleep(20 * time.Millisecond)
	if !m.inRun.Load() || ended.Load() || m.handled.Load() != 0 {
		t.Errorf("under way %t, ended %t, %d counted", m.inRun.Load(), ended.Load(), m.handled.Load())
	}
	m.mu.Unlock()
	<-done
	if m.inRun.Load() || m.handled.Load() != 5 {
		t.Errorf("under way %t, %d counted", m.inRun.Load(), m.handled.Load())
	}
}
