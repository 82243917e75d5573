package trials

import (
	"errors"
	"testing"

	"github.com/syncwrite/syncwrite/rivals/internal/logs"
)

// The file that prepared appends to is checked as a log is.
func TestPreparedCountsItsRecords(t *testing.T) {
	record := recordOf([]byte("foo"))
	p, err := prepare(logs.Within(t.TempDir()), record, 2)
	if err != nil {
		t.Fatal(err)
	}
	defer p.file.Close()
	if err := errors.Join(p.append(), p.append(), p.holds(2)); err != nil {
		t.Error(err)
	}
	if len(record) != 16 || len(recordOf(make([]byte, 1024))) != 1040 {
		t.Errorf("a record of 3 B takes %d B", len(record))
	}
	if p.holds(1) == nil {
		t.Error("records are not counted")
	}
}
