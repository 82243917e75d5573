package crashtest

import (
	"bufio"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/syncwrite/syncwrite/subject/commitlog"
)

// A plainLog is a log whose promise can be read off a few lines, so that the
// rig can be held to account: each record is length, checksum and value.
type plainLog struct {
	mu     sync.Mutex
	file   *os.File
	out    io.Writer
	flush  func() error // before an append is acknowledged
	values [][]byte
}

// controls are the logs whose losses are known beforehand. All but the first
// promise more than they keep.
func controls() []Backend {
	return []Backend{
		{Name: "control-honest", Level: "fsync", Survives: "power-cut", Open: openHonest},
		{Name: "control-early", Level: "before fsync", Survives: "power-cut", Open: openEarly},
		{Name: "control-unsynced", Level: "write", Survives: "power-cut", Open: openUnsynced},
		{Name: "control-buffered", Level: "before write", Survives: "process-crash", Open: openBuffered},
	}
}

func control(name string) Backend {
	for _, b := range controls() {
		if b.Name == name {
			return b
		}
	}
	panic("no control " + name)
}

func openHonest(path string) (commitlog.Log, error) {
	l, err := openPlain(path)
	if err != nil {
		return nil, err
	}
	l.flush = l.file.Sync
	return l, nil
}

// openEarly flushes every other millisecond, whoever has been acknowledged by
// then.
func openEarly(path string) (commitlog.Log, error) {
	l, err := openPlain(path)
	if err != nil {
		return nil, err
	}
	go func() {
		for l.file.Sync() == nil {
			time.Sleep(2 * time.Millisecond)
		}
	}()
	return l, nil
}

// openUnsynced takes as long as a flush and does none.
func openUnsynced(path string) (commitlog.Log, error) {
	l, err := openPlain(path)
	if err != nil {
		return nil, err
	}
	l.flush = func() error { time.Sleep(100 * time.Microsecond); return nil }
	return l, nil
}

func openBuffered(path string) (commitlog.Log, error) {
	l, err := openPlain(path)
	if err != nil {
		return nil, err
	}
	l.out = bufio.NewWriter(l.file)
	return l, nil
}

// openPlain reads the records up to the first that is not intact and cuts off
// the rest.
func openPlain(path string) (*plainLog, error) {
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	l := &plainLog{file: file, out: file, flush: func() error { return nil }}
	end := int64(0)
	for len(data) >= 8 {
		length, sum := binary.LittleEndian.Uint32(data), binary.LittleEndian.Uint32(data[4:])
		if length == 0 || int(length) > len(data)-8 || crc32.ChecksumIEEE(data[8:8+length]) != sum {
			break
		}
		l.values = append(l.values, data[8:8+length])
		data, end = data[8+length:], end+8+int64(length)
	}
	return l, errors.Join(file.Truncate(end), file.Sync(), syncDirectoryOf(path))
}

func syncDirectoryOf(path string) error {
	if runtime.GOOS == "windows" { // which refuses to
		return nil
	}
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

func (l *plainLog) Append(value []byte) (uint64, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	record := binary.LittleEndian.AppendUint32(nil, uint32(len(value)))
	record = binary.LittleEndian.AppendUint32(record, crc32.ChecksumIEEE(value))
	record = append(record, value...)
	if _, err := l.out.Write(record); err != nil {
		return 0, err
	}
	l.values = append(l.values, record[8:])
	return uint64(len(l.values) - 1), l.flush()
}

func (l *plainLog) Get(index uint64) (commitlog.Entry, error) {
	if index >= uint64(len(l.values)) {
		return commitlog.Entry{}, commitlog.ErrNotFound
	}
	return commitlog.Entry{Index: index, Value: l.values[index]}, nil
}

func (l *plainLog) Close() error { return l.file.Close() }
