package logs

import (
	"time"

	"go.etcd.io/bbolt"
)

// bboltRivals is bbolt with what its documentation says for such a load: Batch
// where there is more than one writer, a small delay, pages filled to the brim
// for append-only keys, the freelist as a hash map and not synced. NoSync
// leaves out the flush and still writes every page.
func bboltRivals() []Rival {
	return []Rival{
		{"bbolt", "bbolt, NoSync; Batch from two writers on", Ordered(ProcessCrash), openBBolt(true), scanBBolt},
		{"bbolt-durable", "bbolt; Batch from two writers on", Ordered(PowerCut), openBBolt(false), scanBBolt},
	}
}

var entries = []byte("entries")

type bboltLog struct {
	*bbolt.DB
	update func(func(*bbolt.Tx) error) error
}

func (l *bboltLog) Append(value []byte) error {
	_, err := l.Add(value)
	return err
}

// Add needs no counter of its own: the bucket has one. Batch may call the
// function again, which then draws another key.
func (l *bboltLog) Add(value []byte) (index uint64, err error) {
	err = l.update(func(tx *bbolt.Tx) error {
		bucket := tx.Bucket(entries)
		bucket.FillPercent = 1
		next, err := bucket.NextSequence()
		if err != nil {
			return err
		}
		index = next
		return bucket.Put(key(index), value)
	})
	return index, err
}

func (l *bboltLog) Fetch(index uint64, buf []byte) (value []byte, err error) {
	err = l.View(func(tx *bbolt.Tx) error {
		value = append(buf[:0], tx.Bucket(entries).Get(key(index))...)
		return nil
	})
	return value, err
}

func openBBolt(noSync bool) func(string, int) (Appender, error) {
	return func(dir string, writers int) (Appender, error) {
		db, err := bbolt.Open(Within(dir), 0o600, &bbolt.Options{
			NoSync: noSync, NoFreelistSync: true, FreelistType: bbolt.FreelistMapType,
		})
		if err != nil {
			return nil, err
		}
		log := &bboltLog{DB: db, update: db.Update}
		if writers > 1 { // Batch is only useful then, says its documentation
			log.update = db.Batch
			db.MaxBatchSize = writers // a batch with all of them need not wait
			db.MaxBatchDelay = 200 * time.Microsecond
		}
		return log, db.Update(func(tx *bbolt.Tx) error {
			_, err := tx.CreateBucketIfNotExists(entries)
			return err
		})
	}
}

func scanBBolt(dir string, each func([]byte) error) error {
	db, err := bbolt.Open(Within(dir), 0o600, nil)
	if err != nil {
		return err
	}
	defer db.Close()
	return db.View(func(tx *bbolt.Tx) error {
		return tx.Bucket(entries).ForEach(func(_, value []byte) error { return each(value) })
	})
}
