package logs

import (
	"sync"

	"github.com/prometheus/common/promslog"
	"github.com/prometheus/prometheus/tsdb/wlog"
	"github.com/prometheus/prometheus/util/compression"
)

// prometheusRivals is the write log of the Prometheus time series database,
// uncompressed, since the others do not compress either. Log writes what it was
// given by write(2).
func prometheusRivals() []Rival {
	return []Rival{
		{"prometheus", "prometheus wlog: one write(2) per append", Ordered(ProcessCrash), openPrometheus, scanPrometheus},
		{"prometheus-durable", "prometheus wlog: one write and one fsync per append", Ordered(PowerCut), openPrometheusDurable, scanPrometheus},
	}
}

type prometheusLog struct{ *wlog.WL }

func (l prometheusLog) Append(value []byte) error { return l.Log(value) }

func (l prometheusLog) Repeat(value []byte, times int) error { return l.Log(Repeated(value, times)...) }

// prometheusDurable syncs after each append. Sync reads the current segment
// without a lock, so that its users need one around Log and Sync.
type prometheusDurable struct {
	*wlog.WL
	mu sync.Mutex
}

func (l *prometheusDurable) Append(value []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.Log(value); err != nil {
		return err
	}
	return l.Sync()
}

func newPrometheus(dir string) (*wlog.WL, error) {
	return wlog.New(promslog.NewNopLogger(), nil, Within(dir), compression.None)
}

func openPrometheus(dir string, _ int) (Appender, error) {
	log, err := newPrometheus(dir)
	return prometheusLog{log}, err
}

func openPrometheusDurable(dir string, _ int) (Appender, error) {
	log, err := newPrometheus(dir)
	return &prometheusDurable{WL: log}, err
}

func scanPrometheus(dir string, each func([]byte) error) error {
	segments, err := wlog.NewSegmentsReader(Within(dir))
	if err != nil {
		return err
	}
	defer segments.Close()
	records := wlog.NewReader(segments)
	for records.Next() {
		if err := each(records.Record()); err != nil {
			return err
		}
	}
	return records.Err()
}
