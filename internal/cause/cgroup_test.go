package cause

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/syncwrite/syncwrite/results"
)

// Lines of /proc/self/mountinfo.
const (
	rootMount = "23 1 254:0 / / rw,relatime - ext4 /dev/vda rw\n"
	v1Mount   = rootMount + "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,relatime - cgroup cgroup rw,cpu,cpuacct\n" +
		"34 31 0:31 / /sys/fs/cgroup/cpuset rw,relatime - cgroup cgroup rw,cpuset\n"
	v2Mount = rootMount + "31 23 0:28 / /sys/fs/cgroup rw,relatime shared:9 - cgroup2 cgroup2 rw,nsdelegate\n"
)

// system is a file system with the files of /proc and others.
func system(groups, mounts string, others map[string]string) fstest.MapFS {
	files := fstest.MapFS{
		"proc/self/cgroup":    {Data: []byte(groups)},
		"proc/self/mountinfo": {Data: []byte(mounts)},
	}
	for name, text := range others {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return files
}

// A quota can be set while a run goes on: what holds a group back is counted where
// none was set, too.
func TestQuotaThatIsSetLater(t *testing.T) {
	for name, files := range map[string]fstest.MapFS{
		"version 1": system("1:cpu,cpuacct:/t\n", v1Mount, map[string]string{
			"sys/fs/cgroup/cpu,cpuacct/t/cpu.cfs_quota_us": "-1\n", "sys/fs/cgroup/cpu,cpuacct/t/cpu.cfs_period_us": "100000\n",
			"sys/fs/cgroup/cpu,cpuacct/t/cpu.stat": "nr_periods 0\nnr_throttled 0\nthrottled_time 0\n",
		}),
		"version 2": system("0::/a\n", v2Mount, map[string]string{
			"sys/fs/cgroup/a/cpu.max": "max 100000\n", "sys/fs/cgroup/a/cpu.stat": "usage_usec 5\nthrottled_usec 0\n",
		}),
	} {
		q := findQuotas(files)
		start := q.throttled(files)
		for path, file := range files {
			file.Data = []byte(strings.NewReplacer("throttled_time 0", "throttled_time 7000", "throttled_usec 0", "throttled_usec 7").Replace(string(file.Data)))
			files[path] = file
		}
		if got := q.throttledBetween(start, q.throttled(files)); q.least().Known() || got != 7000 {
			t.Errorf("%s: quota %v, held back for %v ns", name, q.least(), got)
		}
	}
}

func TestQuotaOfAGroup(t *testing.T) {
	missing := results.Missing()
	for _, c := range []struct {
		name   string
		system fstest.MapFS
		want   results.Number
		known  bool
	}{
		{"version 1", system("4:memory:/m\n1:cpu,cpuacct:/t\n0::/\n", v1Mount, map[string]string{
			"sys/fs/cgroup/cpu,cpuacct/t/cpu.cfs_quota_us": "50000\n", "sys/fs/cgroup/cpu,cpuacct/t/cpu.cfs_period_us": "100000\n",
			"sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us": "-1\n", "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us": "100000\n",
		}), 0.5, true},
		{"version 1, none", system("1:cpu,cpuacct:/\n", v1Mount, map[string]string{
			"sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us": "-1\n", "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us": "100000\n",
		}), missing, true},
		{"version 2", system("0::/a\n", v2Mount, map[string]string{"sys/fs/cgroup/a/cpu.max": "150000 100000\n"}), 1.5, true},
		{"version 2, none", system("0::/a\n", v2Mount, map[string]string{"sys/fs/cgroup/a/cpu.max": "max 100000\n"}), missing, true},
		{"version 2, set above", system("0::/a/b/c\n", v2Mount, map[string]string{
			"sys/fs/cgroup/a/cpu.max": "30000 100000\n", "sys/fs/cgroup/a/b/cpu.max": "200000 100000\n", "sys/fs/cgroup/a/b/c/cpu.max": "max 100000\n",
		}), 0.3, true},
		{"version 2, the name has an escape", system("0::/a\\x2d.slice\n", rootMount+"31 23 0:28 /a\\134x2d.slice /sys/fs/my\\040groups rw - cgroup2 cgroup2 rw\n",
			map[string]string{"sys/fs/my groups/cpu.max": "50000 100000\n"}), 0.5, true},
		{"container, the mount begins at its group", system("1:cpu:/docker/abc\n", rootMount+"32 31 0:29 /docker/abc /sys/fs/cgroup/cpu ro - cgroup cgroup rw,cpu\n",
			map[string]string{"sys/fs/cgroup/cpu/cpu.cfs_quota_us": "25000\n", "sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n"}), 0.25, true},
		{"container, namespaced", system("0::/\n", v2Mount, map[string]string{"sys/fs/cgroup/cpu.max": "50000 100000\n"}), 0.5, true},
		{"container, the name is that outside", system("0::/docker/abc\n", v2Mount, map[string]string{"sys/fs/cgroup/cpu.max": "50000 100000\n"}), 0.5, true},
		{"both versions, the controller in one", system("1:cpu,cpuacct:/t\n0::/u\n", v1Mount+"41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n", map[string]string{
			"sys/fs/cgroup/cpu,cpuacct/t/cpu.cfs_quota_us": "50000\n", "sys/fs/cgroup/cpu,cpuacct/t/cpu.cfs_period_us": "100000\n",
			"sys/fs/cgroup/unified/u/cgroup.procs": "1\n",
		}), 0.5, true},
		{"outside of what the container sees", system("0::/../other\n", v2Mount, map[string]string{"sys/fs/cgroup/cgroup.procs": ""}), missing, false},
		{"a mount of another group's tree", system("0::/docker/abc\n", rootMount+"31 23 0:28 /docker/abcd /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n",
			map[string]string{"sys/fs/cgroup/cpu.max": "50000 100000\n"}), missing, false},
		{"its own group is not shown", system("0::/docker/abc\n", v2Mount, map[string]string{"sys/fs/cgroup/other/cpu.max": "50000 100000\n"}), missing, false},
		{"nothing mounted", system("0::/\n", rootMount, nil), missing, false},
		{"no /proc", fstest.MapFS{}, missing, false},
		{"garbage", system("::\n0\n\n1:cpu:\n0::relative\n", "x - y\n - - -\n31 23 0:28 / /sys/fs/cgroup rw - cgroup2\n", nil), missing, false},
	} {
		found := findQuotas(c.system)
		if got := found.least(); got != c.want && (got.Known() || c.want.Known()) || found.known != c.known {
			t.Errorf("%s: quota %v, known %v; want %v, %v", c.name, got, found.known, c.want, c.known)
		}
	}
}

func TestParseQuota(t *testing.T) {
	for _, c := range []struct{ limit, period string }{{"max", "100000"}, {"-1", "100000"}, {"", ""}, {"50000", ""}, {"50000", "0"}, {"x", "y"}, {"NaN", "1"}} {
		if got := parseQuota(c.limit, c.period); got.Known() {
			t.Errorf("%q of %q: %v", c.limit, c.period, got)
		}
	}
}

// Two groups on the way have a quota. What the larger of them took counts:
// both may hold the process back at once.
func TestThrottledTime(t *testing.T) {
	files := system("0::/a/b\n", v2Mount, map[string]string{
		"sys/fs/cgroup/a/cpu.max": "50000 100000\n", "sys/fs/cgroup/a/b/cpu.max": "50000 100000\n",
		"sys/fs/cgroup/a/cpu.stat":   "usage_usec 7\nnr_throttled 1\nthrottled_usec 1000\n",
		"sys/fs/cgroup/a/b/cpu.stat": "throttled_usec 20\n",
	})
	found := findQuotas(files)
	before := found.throttled(files)
	files["sys/fs/cgroup/a/cpu.stat"].Data = []byte("throttled_usec 1300\n")
	files["sys/fs/cgroup/a/b/cpu.stat"].Data = []byte("throttled_usec 120\n")
	if got := found.throttledBetween(before, found.throttled(files)); got != 300_000 {
		t.Errorf("throttled for %v ns, want 300,000", got)
	}
	if got := (quotas{known: true}).throttledBetween(nil, nil); got != 0 {
		t.Errorf("without a quota: %v, want 0", got)
	}
	if got := (quotas{}).throttledBetween(nil, nil); got.Known() {
		t.Errorf("groups that cannot be read: %v, want missing", got)
	}
	delete(files, "sys/fs/cgroup/a/b/cpu.stat")
	if got := found.throttledBetween(before, found.throttled(files)); got.Known() {
		t.Errorf("a count that cannot be read: %v, want missing", got)
	}
}

func TestParseThrottled(t *testing.T) {
	v1 := "nr_periods 45\nnr_throttled 44\nthrottled_time 2200000000\n"
	if got := parseThrottled(v1); got != 2.2e9 {
		t.Errorf("version 1: %v ns, want 2.2e9", got)
	}
	if got := parseThrottled("throttled_usec 12\n"); got != 12_000 {
		t.Errorf("version 2: %v ns, want 12,000", got)
	}
	for _, bad := range []string{"", "throttled_usec x\n", "throttled_time\n", "nr_throttled 3\n"} {
		if got := parseThrottled(bad); got.Known() {
			t.Errorf("%q: %v", bad, got)
		}
	}
}

func TestUnmeasured(t *testing.T) {
	seen, hidden := machineUsage{busy: 1, steal: 0}, machineUsage{results.Missing(), results.Missing()}
	for _, c := range []struct {
		machine machineUsage
		quotas  quotas
		want    []string
	}{
		{seen, quotas{known: true}, nil},
		{hidden, quotas{}, []string{"steal", "other processes", "cgroup quota"}},
		{seen, quotas{}, []string{"cgroup quota"}},
	} {
		if got := unmeasured(c.machine, c.quotas); !slices.Equal(got, c.want) {
			t.Errorf("%v, want %v", got, c.want)
		}
	}
}
