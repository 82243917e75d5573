package commitlog

import (
	"sync"
	"testing"
	"time"
)

// Whoever has the turn is alone, also where goroutines wait so long that they
// are parked.
func TestTurnIsOnes(t *testing.T) {
	var turns turn
	var group sync.WaitGroup
	inside, total := 0, 0
	for g := range 8 {
		group.Go(func() {
			for i := range 500 {
				next := turns.take()
				if inside++; inside != 1 || int(next) != total {
					t.Errorf("%d have the turn, which says %d of %d", inside, next, total)
				}
				if g == 0 && i%100 == 0 {
					time.Sleep(2 * time.Millisecond)
				}
				total++
				inside--
				turns.give(next + 1)
			}
		})
	}
	group.Wait()
	if turns.next() != 4000 || total != 4000 {
		t.Errorf("%d turns of 4000, %d counted", turns.next(), total)
	}
}

// Reading takes no lock: who appends may be stopped at any point.
func TestGetWhileTheTurnIsTaken(t *testing.T) {
	log, _ := numbered(t, None, 10)
	next := log.turn.take()
	defer log.turn.give(next)
	for index, want := range []string{"0", "1", "2"} {
		entry, err := log.Get(uint64(index))
		if err != nil || string(entry.Value) != want {
			t.Errorf("entry %d reads %q, %v", index, entry.Value, err)
		}
	}
	if log.Next() != 10 || log.First() != 0 {
		t.Errorf("entries %d to %d", log.First(), log.Next())
	}
}
