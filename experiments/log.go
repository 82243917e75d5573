package experiments

// What does writing to one log from many goroutines cost?

import (
	"fmt"
	"path/filepath"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/internal/workload"
	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/subject/commitlog"
	"github.com/syncwrite/syncwrite/subject/commitlog/leveldb"
	"github.com/syncwrite/syncwrite/subject/commitlog/naive"
)

// Log is the main job: the append-only log in nine designs.
func Log() harness.Experiment {
	return harness.Experiment{
		Name:     "log",
		Question: "What does writing to one log from many goroutines cost?",
		Unit:     "append",
		Factors:  []harness.Factor{payloadFactor(), readsFactor()},
		Limits: []results.Limit{
			{Experiment: "limits", Variant: "write", About: "one write(2) each, which a mapped file does without"},
			{Experiment: "limits", Variant: "fdatasync-prepared", About: "one write and fdatasync each, which goroutines can share"},
		},
		Trades: []results.Trade{{Weaker: "async-durable", Stronger: "file-durable"}, {Weaker: "async-leveldb", Stronger: "leveldb"}},
		Variants: []harness.Variant{
			naiveVariant("naive-memory", "the documents' log: a slice under a RWMutex", "nothing",
				func() naive.Log { return new(naive.InMemoryLog) }),
			naiveVariant("naive-file", "the documents' log: the slice, and one JSON line written per append", "process-crash",
				func() naive.Log { return new(naive.FileLog) }),
			logVariant("memory", "values in large chunks, put into order under a lock that spins", "nothing", openMemory),
			logVariant("async-leveldb", "a queue before goleveldb, Sync off; the rate is of what leveldb has", "nothing", queued(openLevelDB(false))),
			logVariant("async-durable", "a queue before file-durable; the rate is of what is safe", "nothing", queued(openFile(commitlog.Always))),
			logVariant("file", "checksummed records, stored into a mapped file", "process-crash", openFile(commitlog.None)),
			logVariant("leveldb", "goleveldb, Sync off", "process-crash", openLevelDB(false)),
			logVariant("file-durable", "the file log; an fdatasync covers every append, shared by those that wait", "power-cut", openFile(commitlog.Always)),
			logVariant("leveldb-durable", "goleveldb, Sync on", "power-cut", openLevelDB(true)),
		},
	}
}

func payloadFactor() harness.Factor {
	return harness.Factor{Name: "payload", About: "bytes of a value; 3 is the documents' \"foo\"", Default: "3",
		Check: harness.Between(0, commitlog.MaxValueSize)}
}

func readsFactor() harness.Factor {
	return harness.Factor{Name: "reads", About: "percent of the operations that Get a random earlier entry", Default: "0",
		Unit: "operation", Check: harness.Between(0, 99)}
}

func promised(survives string) results.Promise {
	return results.Promise{Order: "total", Result: "linearizable", Survives: survives}
}

func openMemory(string) (commitlog.Log, error) {
	return commitlog.OpenMemory(commitlog.MemoryOptions{}), nil
}

func openFile(durability commitlog.Durability) func(string) (commitlog.Log, error) {
	return func(dir string) (commitlog.Log, error) {
		return commitlog.OpenFile(filepath.Join(dir, "log"), commitlog.FileOptions{Durability: durability})
	}
}

func openLevelDB(sync bool) func(string) (commitlog.Log, error) {
	return func(dir string) (commitlog.Log, error) {
		return leveldb.Open(filepath.Join(dir, "db"), leveldb.Options{Sync: sync})
	}
}

// queued is a log with a queue before it.
func queued(open func(dir string) (commitlog.Log, error)) func(dir string) (commitlog.Log, error) {
	return func(dir string) (commitlog.Log, error) {
		log, err := open(dir)
		if err != nil {
			return nil, err
		}
		return commitlog.NewAsync(log, commitlog.AsyncOptions{}), nil
	}
}

// logVariant measures a commitlog.Log.
func logVariant(name, about, survives string, open func(dir string) (commitlog.Log, error)) harness.Variant {
	return harness.Variant{Name: name, About: about, Promise: promised(survives), Open: func(s harness.Setup) (harness.Instance, error) {
		log, err := open(s.Dir)
		if err != nil {
			return harness.Instance{}, err
		}
		w := workload.NewLogTrial(s)
		instance := harness.Instance{
			Worker: func(g int) harness.Operation { return w.Operation(g, log.Append, reader(log)) },
			Check:  func(int) error { return w.Check(reader(log)) },
			Close:  log.Close,
		}
		if flusher, ok := log.(interface{ Flush() error }); ok {
			instance.Finish = flusher.Flush
		}
		return instance, nil
	}}
}

func reader(log commitlog.Log) func(uint64) ([]byte, error) {
	return func(index uint64) ([]byte, error) {
		entry, err := log.Get(index)
		if err == nil && entry.Index != index {
			err = fmt.Errorf("get entry %d: got entry %d", index, entry.Index)
		}
		return entry.Value, err
	}
}

// naiveVariant measures one of the documents' own logs.
func naiveVariant(name, about, survives string, make func() naive.Log) harness.Variant {
	return harness.Variant{Name: name, About: about, Promise: promised(survives), Open: func(s harness.Setup) (harness.Instance, error) {
		log := make()
		if err := log.Open(filepath.Join(s.Dir, "log")); err != nil {
			return harness.Instance{}, err
		}
		w := workload.NewLogTrial(s)
		read := func(index uint64) ([]byte, error) {
			entry, err := log.Get(int(index))
			if err != nil {
				return nil, err
			}
			return entry.Value, nil
		}
		return harness.Instance{
			Worker: func(g int) harness.Operation { return w.Operation(g, unindexed(log), read) },
			Check:  func(int) error { return w.Check(read) },
			Close:  log.Close,
		}, nil
	}}
}

// unindexed is an append that does not say where the value went.
func unindexed(log naive.Log) func([]byte) (uint64, error) {
	return func(value []byte) (uint64, error) { return workload.NoIndex, log.Append(value) }
}
