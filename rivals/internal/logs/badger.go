package logs

import (
	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"
)

// badgerRivals is badger with its defaults, which its documentation calls
// recommended for good performance, less what a log has no use for: metrics,
// compression, and the detection of conflicts between keys that are never
// written twice. Its writes go to mapped memory, hence survive kill -9 without
// SyncWrites.
func badgerRivals() []Rival {
	return []Rival{
		{"badger", "badger, SyncWrites off: writes to mapped memory", keyed(ProcessCrash), openBadger(false), scanBadger},
		{"badger-durable", "badger, SyncWrites on", keyed(PowerCut), openBadger(true), scanBadger},
	}
}

type badgerLog struct {
	*badger.DB
	keys
}

func (l *badgerLog) Append(value []byte) error {
	return l.Update(func(txn *badger.Txn) error { return txn.Set(l.next(), value) })
}

func (l *badgerLog) Add(value []byte) (uint64, error) {
	index := l.draw()
	return index, l.Update(func(txn *badger.Txn) error { return txn.Set(key(index), value) })
}

func (l *badgerLog) Fetch(index uint64, buf []byte) (value []byte, err error) {
	err = l.View(func(txn *badger.Txn) error {
		item, err := txn.Get(key(index))
		if err != nil {
			return err
		}
		value, err = item.ValueCopy(buf)
		return err
	})
	return value, err
}

func badgerOptions(dir string, sync bool) badger.Options {
	return badger.DefaultOptions(Within(dir)).WithSyncWrites(sync).WithLogger(nil).
		WithMetricsEnabled(false).WithCompression(options.None).WithDetectConflicts(false)
}

func openBadger(sync bool) func(string, int) (Appender, error) {
	return func(dir string, _ int) (Appender, error) {
		db, err := badger.Open(badgerOptions(dir, sync))
		return &badgerLog{DB: db}, err
	}
}

func scanBadger(dir string, each func([]byte) error) error {
	db, err := badger.Open(badgerOptions(dir, false))
	if err != nil {
		return err
	}
	defer db.Close()
	return db.View(func(txn *badger.Txn) error {
		all := txn.NewIterator(badger.DefaultIteratorOptions)
		defer all.Close()
		for all.Rewind(); all.Valid(); all.Next() {
			if err := all.Item().Value(each); err != nil {
				return err
			}
		}
		return nil
	})
}
