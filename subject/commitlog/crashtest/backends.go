package crashtest

import (
	"time"

	"github.com/syncwrite/syncwrite/subject/commitlog"
	"github.com/syncwrite/syncwrite/subject/commitlog/leveldb"
	"github.com/syncwrite/syncwrite/subject/commitlog/naive"
)

// A Log is what the rig asks of a log. Get fails with commitlog.ErrNotFound
// behind the last entry.
type Log interface {
	Append(value []byte) (index uint64, err error)
	Get(index uint64) (commitlog.Entry, error)
	Close() error
}

// A Backend is a log at one level of durability.
type Backend struct {
	Name  string
	Level string
	// Survives is what an acknowledged append is promised to survive, in the
	// words of results.Promise.
	Survives string
	// Unindexed says that Append returns no index.
	Unindexed bool
	Open      func(path string) (Log, error)
}

// segmentSize is small, so that the logs roll while they are watched.
const segmentSize = 1 << 20

// Backends are the logs of this project at each of their levels.
func Backends() []Backend {
	return []Backend{
		{Name: "naive-file", Level: "none", Survives: "process-crash", Unindexed: true, Open: openNaive},
		{Name: "file", Level: "none", Survives: "process-crash", Open: file(commitlog.None)},
		{Name: "file", Level: "interval, 10 ms", Survives: "process-crash", Open: file(commitlog.Interval)},
		{Name: "file", Level: "always", Survives: "power-cut", Open: file(commitlog.Always)},
		{Name: "async over file", Level: "none", Survives: "nothing", Open: async(commitlog.None)},
		{Name: "async over file", Level: "always", Survives: "nothing", Open: async(commitlog.Always)},
		{Name: "leveldb", Level: "no sync", Survives: "process-crash", Open: openLevelDB(false)},
		{Name: "leveldb", Level: "sync", Survives: "power-cut", Open: openLevelDB(true)},
	}
}

func openFile(path string, durability commitlog.Durability) (commitlog.Log, error) {
	return commitlog.OpenFile(path, commitlog.FileOptions{
		Durability: durability, Interval: 10 * time.Millisecond, SegmentSize: segmentSize,
	})
}

func file(durability commitlog.Durability) func(string) (Log, error) {
	return func(path string) (Log, error) { return openFile(path, durability) }
}

func async(durability commitlog.Durability) func(string) (Log, error) {
	return func(path string) (Log, error) {
		log, err := openFile(path, durability)
		if err != nil {
			return nil, err
		}
		return commitlog.NewAsync(log, commitlog.AsyncOptions{}), nil
	}
}

func openLevelDB(sync bool) func(string) (Log, error) {
	return func(path string) (Log, error) { return leveldb.Open(path, leveldb.Options{Sync: sync}) }
}

// naiveLog gives the documents' log the shape of the others.
type naiveLog struct{ log *naive.FileLog }

func openNaive(path string) (Log, error) {
	log := new(naive.FileLog)
	if err := log.Open(path); err != nil {
		return nil, err
	}
	return naiveLog{log}, nil
}

func (n naiveLog) Append(value []byte) (uint64, error) { return 0, n.log.Append(value) }

func (n naiveLog) Get(index uint64) (commitlog.Entry, error) {
	entry, err := n.log.Get(int(index))
	if err != nil { // it has no other reason to fail
		return commitlog.Entry{}, commitlog.ErrNotFound
	}
	return commitlog.Entry{Index: index, Value: entry.Value}, nil
}

func (n naiveLog) Close() error { return n.log.Close() }
