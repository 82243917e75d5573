package commitlog

import "testing"

// Reading takes no lock: who appends may be stopped at any point.
func TestGetWhileTheTurnIsTaken(t *testing.T) {
	log, _ := numbered(t, None, 10)
	next := log.turn.Take()
	defer log.turn.Give(next)
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
