package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/syncwrite/syncwrite/rivals/internal/logs"
	"github.com/syncwrite/syncwrite/subject/commitlog"
	"github.com/tidwall/wal"
)

// A full log is one to read from.
type full struct {
	get   func(i uint64) ([]byte, error) // the entry, counted from 0, in memory of its own
	close func() error
}

// batch is how many entries fill a log at a time.
const batch = 1 << 12

// filled returns a log with the entries of the trial.
func (t trial) filled() (full, error) {
	switch t.Log {
	case "file":
		return t.filledOurs()
	case "tidwall":
		return t.filledTidwall()
	case "mapping":
		return t.filledMapping()
	case "pread":
		return t.filledFile()
	}
	return full{}, fmt.Errorf("nobody fills %q", t.Log)
}

func (t trial) filledOurs() (full, error) {
	log, err := commitlog.OpenFile(logs.Within(t.Dir), commitlog.FileOptions{SegmentSize: t.Segment})
	if err != nil {
		return full{}, err
	}
	values := logs.Repeated(make([]byte, t.Payload), batch)
	for err == nil && log.Next() < uint64(t.Entries) {
		_, err = log.AppendBatch(values[:min(batch, uint64(t.Entries)-log.Next())])
	}
	return full{func(i uint64) ([]byte, error) {
		entry, err := log.Get(i)
		return entry.Value, err
	}, log.Close}, err
}

func (t trial) filledTidwall() (full, error) {
	log, err := wal.Open(logs.Within(t.Dir), logs.TidwallReadOptions())
	if err != nil {
		return full{}, err
	}
	few, value := new(wal.Batch), make([]byte, t.Payload)
	for index := 1; index <= t.Entries && err == nil; index++ {
		few.Write(uint64(index), value)
		if index%batch == 0 || index == t.Entries {
			err = log.WriteBatch(few)
		}
	}
	return full{func(i uint64) ([]byte, error) { return log.Read(i + 1) }, log.Close}, err
}

// filledFile is a file of as many bytes as the entries have, of which a read is 4 KiB.
func (t trial) filledFile() (full, error) {
	file, err := os.Create(filepath.Join(t.Dir, "file"))
	if err != nil {
		return full{}, err
	}
	pages := uint64(t.Entries) * uint64(t.Payload) / 4096
	for i := uint64(0); i < pages && err == nil; i += 256 {
		_, err = file.Write(make([]byte, 256*4096))
	}
	return full{func(i uint64) ([]byte, error) {
		b := make([]byte, 4096)
		_, err := file.ReadAt(b, int64(i%pages)*4096)
		return b, err
	}, file.Close}, err
}

// dropCache has the system forget what it holds of files.
func dropCache() error {
	syscall.Sync()
	return os.WriteFile("/proc/sys/vm/drop_caches", []byte("3"), 0)
}

// fillAndDie is the work of a process that fills our log and is killed.
func (t trial) fillAndDie() (float64, error) {
	if _, err := t.filled(); err != nil {
		return 0, err
	}
	for sealed := !t.Sealed; !sealed; {
		v, err := commitlog.Verify(logs.Within(t.Dir))
		if err != nil {
			return 0, err
		}
		n := len(v.Segments) - 1 // the last one may be the next, which is empty
		sealed = !slices.ContainsFunc(v.Segments[:max(0, n-1)], func(s commitlog.SegmentInfo) bool { return !s.Sealed })
	}
	return 0, syscall.Kill(os.Getpid(), syscall.SIGKILL)
}

// fillElsewhere has another process fill the log and be killed.
func (t trial) fillElsewhere() error {
	t.What = dying
	c, err := t.command()
	if err != nil {
		return err
	}
	if err := c.Run(); c.ProcessState == nil || c.ProcessState.Exited() {
		return fmt.Errorf("the process that fills the log was not killed: %v", err)
	}
	return nil
}

// command is a process that measures the trial.
func (t trial) command() (*exec.Cmd, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	c := exec.Command(self, "-trial", t.words())
	c.Stderr = os.Stderr
	return c, nil
}
