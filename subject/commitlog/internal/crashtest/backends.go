package crashtest

import (
	"bytes"
	"time"

	"github.com/syncwrite/syncwrite/subject/commitlog"
	"github.com/syncwrite/syncwrite/subject/commitlog/leveldb"
	"github.com/syncwrite/syncwrite/subject/commitlog/naive"
)

// A Backend is a log and what is promised for it.
type Backend struct {
	// Name tells it from all others.
	Name string
	// Level is what has been done when an append is acknowledged.
	Level string
	// Survives is what an acknowledged append is promised to survive:
	// "nothing", "process-crash" or "power-cut".
	Survives string
	// Unindexed says that Append does not know which index it got.
	Unindexed bool
	// Fragile says that a record which a crash has torn keeps the whole log
	// from being opened: a known defect, to be counted and not to be reported.
	Fragile bool
	// Open opens the log at path, or makes one there. The directory that path
	// lies in exists.
	Open func(path string) (commitlog.Log, error)
}

// SurvivesKill says whether an acknowledged append must survive kill -9.
func (b Backend) SurvivesKill() bool { return b.Survives == "process-crash" || b.SurvivesPowerCut() }

// SurvivesPowerCut says whether an acknowledged append must survive the loss
// of power.
func (b Backend) SurvivesPowerCut() bool { return b.Survives == "power-cut" }

// Verdict returns how an outcome breaks the backend's promise, and nil if it
// does not.
func (b Backend) Verdict(o Outcome) error {
	if o.Mode == Kill && !b.SurvivesKill() || o.Mode != Kill && !b.SurvivesPowerCut() {
		return nil
	}
	if b.Fragile {
		o.Refused = nil
	}
	return o.Broken()
}

// Backends returns the project's own logs.
func Backends() []Backend {
	return []Backend{
		{Name: "file", Level: "none", Survives: "process-crash", Open: openFile(commitlog.None)},
		{Name: "file-interval", Level: "every 10 ms", Survives: "process-crash", Open: openFile(commitlog.Interval)},
		{Name: "file-durable", Level: "always", Survives: "power-cut", Open: openFile(commitlog.Always)},
		{Name: "async-file-durable", Level: "queued", Survives: "nothing", Open: openAsync(openFile(commitlog.Always))},
		{Name: "leveldb", Level: "no sync", Survives: "process-crash", Open: openLevelDB(leveldb.Options{})},
		{Name: "leveldb-sync", Level: "sync", Survives: "power-cut", Open: openLevelDB(leveldb.Options{Sync: true})},
		{Name: "naive-file", Level: "none", Survives: "process-crash", Unindexed: true, Fragile: true, Open: openNaive},
	}
}

// openAs keeps a nil log of a backend's own type from looking like a log.
func openAs[L commitlog.Log](log L, err error) (commitlog.Log, error) {
	if err != nil {
		return nil, err
	}
	return log, nil
}

// openFile opens the file log in segments so small that it rolls over some
// before it crashes.
func openFile(durability commitlog.Durability) func(string) (commitlog.Log, error) {
	return func(path string) (commitlog.Log, error) {
		return openAs(commitlog.OpenFile(path, commitlog.FileOptions{
			Durability: durability, Interval: 10 * time.Millisecond, SegmentSize: 256 << 10,
		}))
	}
}

func openAsync(inner func(string) (commitlog.Log, error)) func(string) (commitlog.Log, error) {
	return func(path string) (commitlog.Log, error) {
		log, err := inner(path)
		if err != nil {
			return nil, err
		}
		return commitlog.NewAsync(log, commitlog.AsyncOptions{}), nil
	}
}

func openLevelDB(options leveldb.Options) func(string) (commitlog.Log, error) {
	return func(path string) (commitlog.Log, error) { return openAs(leveldb.Open(path, options)) }
}

// unindexed gives the naive log the shape of the others, without an index.
type unindexed struct{ naive.Log }

func openNaive(path string) (commitlog.Log, error) {
	log := new(naive.FileLog)
	return openAs(unindexed{log}, log.Open(path))
}

// Append gives the log a copy, since it keeps what it is given.
func (u unindexed) Append(value []byte) (uint64, error) {
	return 0, u.Log.Append(bytes.Clone(value))
}

// Get has one error for all: the naive log has no other than that there is no
// such entry.
func (u unindexed) Get(index uint64) (commitlog.Entry, error) {
	entry, err := u.Log.Get(int(index))
	if err != nil {
		return commitlog.Entry{}, commitlog.ErrNotFound
	}
	return commitlog.Entry{Index: index, Value: entry.Value}, nil
}
