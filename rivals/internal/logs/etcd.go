package logs

import (
	"sync"

	"go.etcd.io/etcd/server/v3/storage/wal"
	"go.etcd.io/etcd/server/v3/storage/wal/walpb"
	"go.etcd.io/raft/v3/raftpb"
	"go.uber.org/zap"
)

// etcdRivals is the write-ahead log of the etcd server. SetUnsafeNoFsync is
// what etcd's own --unsafe-no-fsync sets: Save still flushes its buffer by
// write(2).
func etcdRivals() []Rival {
	return []Rival{
		{"etcd", "etcd's wal, SetUnsafeNoFsync: one write(2) per append", Ordered(ProcessCrash), openEtcd(true), scanEtcd},
		{"etcd-durable", "etcd's wal: one write and one fdatasync per append", Ordered(PowerCut), openEtcd(false), scanEtcd},
	}
}

// etcdLog draws the index. etcd saves from one goroutine; others need a lock
// around the drawing and the saving, since entries must be saved in order.
type etcdLog struct {
	*wal.WAL
	mu    sync.Mutex
	index uint64
}

func (l *etcdLog) Append(value []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	entry := &raftpb.Entry{Term: new(uint64(1)), Index: new(l.index + 1), Data: value}
	if err := l.Save(nil, []*raftpb.Entry{entry}); err != nil {
		return err
	}
	l.index++
	return nil
}

func (l *etcdLog) Repeat(value []byte, times int) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	entries := make([]*raftpb.Entry, times)
	for i := range entries {
		entries[i] = &raftpb.Entry{Term: new(uint64(1)), Index: new(l.index + 1 + uint64(i)), Data: value}
	}
	if err := l.Save(nil, entries); err != nil {
		return err
	}
	l.index += uint64(times)
	return nil
}

func openEtcd(noSync bool) func(string, int) (Appender, error) {
	return func(dir string, _ int) (Appender, error) {
		log, err := wal.Create(zap.NewNop(), Within(dir), nil)
		if err != nil {
			return nil, err
		}
		if noSync {
			log.SetUnsafeNoFsync()
		}
		return &etcdLog{WAL: log}, nil
	}
}

func scanEtcd(dir string, each func([]byte) error) error {
	log, err := wal.OpenForRead(zap.NewNop(), Within(dir), &walpb.Snapshot{})
	if err != nil {
		return err
	}
	defer log.Close()
	_, _, entries, err := log.ReadAll()
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if err := each(entry.GetData()); err != nil {
			return err
		}
	}
	return nil
}
