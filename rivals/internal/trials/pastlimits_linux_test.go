package trials

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/rivals/internal/logs"
	"github.com/syncwrite/syncwrite/rivals/internal/memory"
)

// While a log is filled, the pages of the window are in use, and nobody else's
// when it begins.
func TestPagesAreHeldWhileALogIsFilled(t *testing.T) {
	for _, level := range []string{warm, found} {
		log := &watchedLog{t: t}
		v := pastLimitsVariant(logs.Rival{Open: func(string, int) (logs.Appender, error) { return log, nil }})
		if _, err := v.Open(harness.Setup{Ops: 1, Factors: map[string]string{"payload": "3", "before": "1", "pages": level}}); err != nil {
			t.Fatal(err)
		}
		if held := log.resident - resident(t); held >= memory.Least/2 != (level == warm) {
			t.Errorf("pages %s: %d bytes more were in use while the log was filled", level, held)
		}
	}
}

// A watchedLog knows how many bytes of memory were in use when it was filled.
type watchedLog struct {
	t        *testing.T
	resident int64
}

func (l *watchedLog) Append([]byte) error { return nil }

func (l *watchedLog) Repeat([]byte, int) error {
	l.resident = resident(l.t)
	return nil
}

func (l *watchedLog) Close() error { return nil }

func resident(t *testing.T) int64 {
	t.Helper()
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Fatal(err)
	}
	pages, err := strconv.ParseInt(strings.Fields(string(text))[1], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return pages * int64(os.Getpagesize())
}
