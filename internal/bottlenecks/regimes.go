package main

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/results"
)

func regimes() []bottleneck {
	running := []string{results.TimeRunning}
	all := []bottleneck{
		// Half of the time both compute, and half of it one of them waits for the other, which is asleep.
		{"regime flip", "for 30 ms both compute, then for 30 ms each sleeps 1 ms under one lock", 2, running, 0.5, "", openFlip},
	}
	if group, err := quotaGroup(); err == nil {
		// Who is held back by the system seems to be on a processor: the doubt of the cell says that it was not.
		all = append(all, bottleneck{"quota of processors", "two compute with a quota of one processor", 2, running, 1, "", openQuota(group)})
	}
	return all
}

func openFlip(harness.Setup) (harness.Instance, error) {
	var mu sync.Mutex
	start := time.Now()
	return instance(func(int) {
		if time.Since(start)/(30*time.Millisecond)%2 == 0 {
			work(100 * time.Microsecond)
			return
		}
		mu.Lock()
		time.Sleep(time.Millisecond)
		mu.Unlock()
	}, nil), nil
}

// A controlGroup is where quotas are set, and how.
type controlGroup struct{ root, quota, value string }

// quotaGroup finds one in which a quota can be set: root's alone.
func quotaGroup() (controlGroup, error) {
	for _, g := range []controlGroup{{"/sys/fs/cgroup/cpu", "cpu.cfs_quota_us", "100000"}, {"/sys/fs/cgroup", "cpu.max", "100000 100000"}} {
		dir, err := os.MkdirTemp(g.root, "syncwrite-")
		if err != nil {
			continue
		}
		_, err = os.Stat(filepath.Join(dir, g.quota))
		if os.Remove(dir); err == nil {
			return g, nil
		}
	}
	return controlGroup{}, errors.New("no control group for a quota")
}

// openQuota moves this process into a group of its own, and back.
func openQuota(g controlGroup) func(harness.Setup) (harness.Instance, error) {
	return func(harness.Setup) (harness.Instance, error) {
		dir, err := os.MkdirTemp(g.root, "syncwrite-")
		if err != nil {
			return harness.Instance{}, err
		}
		move := func(to string) error {
			return os.WriteFile(filepath.Join(to, "cgroup.procs"), []byte(strconv.Itoa(os.Getpid())), 0)
		}
		back := func() error { return errors.Join(move(g.root), os.Remove(dir)) }
		if err := os.WriteFile(filepath.Join(dir, g.quota), []byte(g.value), 0); err != nil {
			return harness.Instance{}, errors.Join(err, os.Remove(dir))
		}
		if err := move(dir); err != nil {
			return harness.Instance{}, errors.Join(err, back())
		}
		return instance(func(int) { work(100 * time.Microsecond) }, back), nil
	}
}
