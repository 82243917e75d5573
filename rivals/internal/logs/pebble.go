package logs

import (
	"github.com/cockroachdb/pebble/v2"
)

// pebbleRivals is pebble with the settings of its own benchmark command. With
// NoSync it acknowledges before write(2), so that kill -9 loses what was
// acknowledged: it survives nothing, and is not ranked with logs that do.
func pebbleRivals() []Rival {
	return []Rival{
		{"pebble-nosync", "pebble, Set with NoSync: acknowledged before write(2)", keyed(Nothing), openPebble(pebble.NoSync), scanPebble},
		{"pebble-durable", "pebble, Set with Sync; waiting writes share a flush", keyed(PowerCut), openPebble(pebble.Sync), scanPebble},
	}
}

type pebbleLog struct {
	*pebble.DB
	keys
	write *pebble.WriteOptions
}

func (l *pebbleLog) Append(value []byte) error { return l.Set(l.next(), value, l.write) }

func openPebble(write *pebble.WriteOptions) func(string, int) (Appender, error) {
	return func(dir string, _ int) (Appender, error) {
		db, err := pebble.Open(Within(dir), pebbleOptions())
		return &pebbleLog{DB: db, write: write}, err
	}
}

// pebbleOptions are those of cmd/pebble, less what is about its keys.
func pebbleOptions() *pebble.Options {
	return &pebble.Options{
		FormatMajorVersion:          pebble.FormatNewest,
		L0CompactionThreshold:       2,
		L0StopWritesThreshold:       1000,
		LBaseMaxBytes:               64 << 20,
		MaxOpenFiles:                16384,
		MemTableSize:                64 << 20,
		MemTableStopWritesThreshold: 4,
		CompactionConcurrencyRange:  func() (int, int) { return 1, 3 },
		Logger:                      quiet{},
	}
}

// quiet keeps words off stderr; what is fatal still ends the process.
type quiet struct{}

func (quiet) Infof(string, ...any)              {}
func (quiet) Errorf(string, ...any)             {}
func (quiet) Fatalf(format string, args ...any) { pebble.DefaultLogger.Fatalf(format, args...) }

func scanPebble(dir string, each func([]byte) error) error {
	db, err := pebble.Open(Within(dir), pebbleOptions())
	if err != nil {
		return err
	}
	defer db.Close()
	all, err := db.NewIter(nil)
	if err != nil {
		return err
	}
	defer all.Close()
	for all.First(); all.Valid(); all.Next() {
		if err := each(all.Value()); err != nil {
			return err
		}
	}
	return all.Error()
}
