package logs

import (
	"github.com/syndtr/goleveldb/leveldb"
	"github.com/syndtr/goleveldb/leveldb/opt"
)

// leveldbRivals is goleveldb as its user would write a log with it: a counter
// for the key, Put, and WriteOptions.Sync on or off. goleveldb merges the
// writes that wait at the same time into one. subject/commitlog/leveldb does
// more than that, to be a log without gaps.
func leveldbRivals() []Rival {
	return []Rival{
		{"leveldb", "goleveldb, Put with Sync off", keyed(ProcessCrash), openLevelDB(false), scanLevelDB},
		{"leveldb-durable", "goleveldb, Put with Sync on; waiting writes share a flush", keyed(PowerCut), openLevelDB(true), scanLevelDB},
	}
}

type leveldbLog struct {
	*leveldb.DB
	keys
	write *opt.WriteOptions
}

func (l *leveldbLog) Append(value []byte) error { return l.Put(l.next(), value, l.write) }

func (l *leveldbLog) Add(value []byte) (uint64, error) {
	index := l.draw()
	return index, l.Put(key(index), value, l.write)
}

func (l *leveldbLog) Fetch(index uint64, _ []byte) ([]byte, error) { return l.Get(key(index), nil) }

func openLevelDB(sync bool) func(string, int) (Appender, error) {
	return func(dir string, _ int) (Appender, error) {
		db, err := leveldb.OpenFile(Within(dir), &opt.Options{WriteBuffer: 64 << 20})
		return &leveldbLog{DB: db, write: &opt.WriteOptions{Sync: sync}}, err
	}
}

func scanLevelDB(dir string, each func([]byte) error) error {
	db, err := leveldb.OpenFile(Within(dir), nil)
	if err != nil {
		return err
	}
	defer db.Close()
	all := db.NewIterator(nil, nil)
	defer all.Release()
	for all.Next() {
		if err := each(all.Value()); err != nil {
			return err
		}
	}
	return all.Error()
}
