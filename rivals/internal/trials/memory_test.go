package trials

import (
	"errors"
	"testing"
)

// A log in memory is checked for what is missing and for what is too much.
func TestMemoryCountsItsEntries(t *testing.T) {
	for _, open := range []func() (memoryLog, error){openMemory, openNaiveMemory} {
		log, err := open()
		if err := errors.Join(err, log.add([]byte("foo")), log.holds(1, []byte("foo"))); err != nil {
			t.Fatal(err)
		}
		if log.holds(0, []byte("foo")) == nil || log.holds(2, []byte("foo")) == nil || log.holds(1, []byte("bar")) == nil {
			t.Error("a wrong log passes")
		}
	}
}
