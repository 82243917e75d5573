package cause

import (
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"
	"sync"

	"github.com/syncwrite/syncwrite/results"
)

// A quota is a limit that one control group, the process's own or one above
// it, sets to processor time (cgroups(7)).
type quota struct {
	processors results.Number // missing: no limit, when it was looked for
	stat       string         // the file that counts how long the group was held back
}

// quotas are those of all groups of a process that count being held back, also
// where none is set: it can be set any time.
type quotas struct {
	all   []quota
	known bool // whether its groups could be read at all
}

// ownQuotas are this process's, found once: a snapshot is to read no more than
// it must. Who is moved to another group later is not followed.
var ownQuotas = sync.OnceValue(func() quotas { return findQuotas(os.DirFS("/")) })

// CPUQuota is how many processors this process is granted by the least of the
// quotas of its control group and of those above; missing without a quota.
func CPUQuota() results.Number { return ownQuotas().least() }

func (q quotas) least() results.Number {
	least := results.Missing()
	for _, one := range q.all {
		if one.processors.Known() && !(least <= one.processors) {
			least = one.processors
		}
	}
	return least
}

// findQuotas walks from the process's groups up to where their trees are
// mounted. The two versions of control groups can be mounted side by side; the
// processor's controller is in one of them.
func findQuotas(system fs.FS) quotas {
	groups, err := fs.ReadFile(system, "proc/self/cgroup")
	mounts, errMounts := fs.ReadFile(system, "proc/self/mountinfo")
	if err != nil || errMounts != nil {
		return quotas{}
	}
	var found quotas
	for _, m := range parseMounts(string(mounts)) {
		below, ok := m.below(parseGroups(string(groups)))
		if !ok {
			continue
		}
		for dir := path.Join(m.point, below); ; dir = path.Dir(dir) {
			if q := m.quota(system, dir); q.processors.Known() || q.counts(system) {
				found.all = append(found.all, q)
			}
			if dir == m.point {
				break
			}
		}
		// A container may see its group at the mount, under the name that the
		// group has outside.
		_, err := fs.Stat(system, rooted(path.Join(m.point, below)))
		found.known = found.known || err == nil || len(found.all) > 0
	}
	return found
}

// groups are the paths of a process's control groups; empty where it has none.
type groups struct{ v1, v2 string }

// parseGroups reads /proc/self/cgroup: a line "number:controllers:path" each,
// that of version 2 without controllers.
func parseGroups(text string) (g groups) {
	for line := range strings.Lines(text) {
		parts := strings.SplitN(strings.TrimRight(line, "\n"), ":", 3)
		switch {
		case len(parts) < 3:
		case parts[0] == "0" && parts[1] == "":
			g.v2 = parts[2]
		case lists(parts[1], "cpu"):
			g.v1 = parts[2]
		}
	}
	return g
}

func lists(commas, word string) bool { return strings.Contains(","+commas+",", ","+word+",") }

// A mount shows the tree of control groups from root on at a point of the file
// system.
type mount struct {
	root, point string
	v2          bool
}

// parseMounts finds the trees that may hold the processor's controller in
// /proc/self/mountinfo (proc_pid_mountinfo(5)).
func parseMounts(text string) []mount {
	var all []mount
	for line := range strings.Lines(text) {
		front, back, ok := strings.Cut(strings.TrimSpace(line), " - ")
		left, right := strings.Fields(front), strings.Fields(back)
		if !ok || len(left) < 6 || len(right) < 3 {
			continue
		}
		if v2 := right[0] == "cgroup2"; v2 || right[0] == "cgroup" && lists(right[2], "cpu") {
			all = append(all, mount{unescape.Replace(left[3]), unescape.Replace(left[4]), v2})
		}
	}
	return all
}

// unescape undoes mountinfo's octal escapes.
var unescape = strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`)

// below is where the process's group lies below the mount's point; false if the
// mount does not show it.
func (m mount) below(g groups) (string, bool) {
	group := g.v1
	if m.v2 {
		group = g.v2
	}
	if !strings.HasPrefix(group, "/") || strings.HasPrefix(group, "/..") {
		return "", false // none, or outside of what this container sees
	}
	if m.root == "/" {
		return group, true
	}
	below, ok := strings.CutPrefix(group, m.root)
	return below, ok && (below == "" || below[0] == '/')
}

// quota reads the limit of one group; missing if it sets none.
func (m mount) quota(system fs.FS, dir string) quota {
	read := func(name string) string {
		text, _ := fs.ReadFile(system, rooted(path.Join(dir, name)))
		return strings.TrimSpace(string(text))
	}
	stat := rooted(path.Join(dir, "cpu.stat"))
	if m.v2 {
		limit, period, _ := strings.Cut(read("cpu.max"), " ")
		return quota{parseQuota(limit, period), stat}
	}
	return quota{parseQuota(read("cpu.cfs_quota_us"), read("cpu.cfs_period_us")), stat}
}

// counts reports whether the kernel counts how long the group was held back.
func (q quota) counts(system fs.FS) bool {
	text, _ := fs.ReadFile(system, q.stat)
	return parseThrottled(string(text)).Known()
}

// rooted is an absolute path as fs.FS wants it.
func rooted(path string) string { return strings.TrimPrefix(path, "/") }

// parseQuota divides the time that may be used in a period by the period. No
// quota is written "max" in version 2 and -1 in version 1.
func parseQuota(limit, period string) results.Number {
	l, errLimit := strconv.ParseFloat(limit, 64)
	p, errPeriod := strconv.ParseFloat(period, 64)
	if errLimit != nil || errPeriod != nil || !(l > 0 && p > 0) {
		return results.Missing()
	}
	return results.Number(l / p)
}

// throttled is how long each of the quotas has held its group back so far, in
// nanoseconds summed over processors.
func (q quotas) throttled(system fs.FS) []results.Number {
	var all []results.Number
	for _, one := range q.all {
		text, _ := fs.ReadFile(system, one.stat)
		all = append(all, parseThrottled(string(text)))
	}
	return all
}

// throttledBetween is the most that any one quota held its group back: of
// several that do, the times can overlap.
func (q quotas) throttledBetween(start, end []results.Number) results.Number {
	if !q.known || len(start) != len(end) {
		return results.Missing()
	}
	most := results.Number(0)
	for i := range end {
		most = max(most, end[i]-start[i]) // missing if one of them is
	}
	return most
}

// parseThrottled reads cpu.stat: throttled_time in nanoseconds in version 1,
// throttled_usec in version 2.
func parseThrottled(text string) results.Number {
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		n, err := strconv.ParseUint(value, 10, 64)
		switch {
		case err != nil:
		case name == "throttled_time":
			return results.Number(n)
		case name == "throttled_usec":
			return results.Number(n) * 1000
		}
	}
	return results.Missing()
}
