package harness

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/syncwrite/syncwrite/internal/cause"
	"github.com/syncwrite/syncwrite/results"
)

// environment describes where and how this run measures. Levels and window are
// those of the first experiment: the one that was asked for.
func environment(c Config, overhead results.Overhead, first Experiment) results.Env {
	env := results.Env{
		Format: results.Format, Start: time.Now().UTC().Truncate(time.Millisecond),
		Command: c.Command, Machine: machine(), Disk: DiskOf(c.Dir),
		Settings: results.Settings{
			Goroutines: c.LevelsOf(first), Trials: c.Trials, WindowNS: c.window(first).Nanoseconds(),
			BudgetNS: c.Budget.Nanoseconds(), Ops: c.Ops, Seed: c.Seed, Loop: loop(c), Asked: first.Asked,
		},
		Overhead: overhead, LoadBefore: loadAverage(), Unmeasured: cause.Unmeasured(),
	}
	if env.Disk.FileSystem == "" {
		env.Unmeasured = append(env.Unmeasured, "file system")
	}
	env.Warnings = environmentWarnings(env)
	return env
}

func loop(c Config) string {
	if len(c.Rates) > 0 {
		return results.OpenLoop
	}
	return results.ClosedLoop
}

func environmentWarnings(e results.Env) []results.Warning {
	var all []results.Warning
	if e.Disk.Memory() {
		all = append(all, results.Warning{Code: results.WarnTmpfs, Text: fmt.Sprintf(
			"the directory is on %s: there is no disk under it, and nothing measured here survives a power cut", onDisk(e.Disk))})
	}
	processors := max(e.Machine.Cores, cause.Processors()) // the load is all processors'
	if busy := float64(e.LoadBefore); busy > 0.5*float64(processors) {
		all = append(all, results.Warning{Code: results.WarnDisturbed, Text: fmt.Sprintf(
			"the load average was %.2f on %s before the run started", busy, results.Count(processors, "processor"))})
	}
	if e.Machine.GOOS != "linux" {
		all = append(all, results.Warning{Code: results.WarnPlatform, Text: fmt.Sprintf(
			"%s: durability and timings are claimed on linux only", e.Machine.GOOS)})
	}
	if len(e.Unmeasured) > 0 {
		all = append(all, results.NotMeasured(e.Unmeasured))
	}
	return all
}

func onDisk(d results.Disk) string {
	if d.Mount == "" {
		return d.FileSystem
	}
	return fmt.Sprintf("%s (%s)", d.FileSystem, d.Mount)
}

// Here describes the machine, as this process sees it.
func Here() results.Machine { return machine() }

func machine() results.Machine {
	m := results.Machine{
		GOOS: runtime.GOOS, GOARCH: runtime.GOARCH, Go: runtime.Version(),
		Cores: runtime.NumCPU(), GOMAXPROCS: runtime.GOMAXPROCS(0), CPUQuota: cause.CPUQuota(),
		Kernel: firstLine("/proc/sys/kernel/osrelease"), CPU: processor(), Memory: memory(),
		Clock: firstLine("/sys/devices/system/clocksource/clocksource0/current_clocksource"),
		GOGC:  currentSettings().gogc(), Commit: commit(),
	}
	return m
}

// firstLine reads a one-line file of the kernel; empty where there is none.
func firstLine(path string) string {
	text, _ := os.ReadFile(path)
	line, _, _ := strings.Cut(string(text), "\n")
	return strings.TrimSpace(line)
}

// field finds "name : value" in a file of the kernel.
func field(path, name string) string {
	text, _ := os.ReadFile(path)
	for line := range strings.Lines(string(text)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

func processor() string { return field("/proc/cpuinfo", "model name") }

// memory is the machine's, in bytes; 0 where it cannot be read.
func memory() int64 {
	kib, _ := strconv.ParseInt(strings.TrimSuffix(field("/proc/meminfo", "MemTotal"), " kB"), 10, 64)
	return kib * 1024
}

// loadAverage is the machine's over one minute.
func loadAverage() results.Number {
	one, _, _ := strings.Cut(firstLine("/proc/loadavg"), " ")
	load, err := strconv.ParseFloat(one, 64)
	if err != nil {
		return results.Missing()
	}
	return results.Number(load)
}

// commit is the revision the binary was stamped with; empty if it was not.
func commit() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	revision, dirty := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "+dirty"
		}
	}
	return revision + dirty
}

// DiskOf finds the file system under a directory; unknown off Linux. Without
// /proc it can still be told whether it is memory.
func DiskOf(dir string) results.Disk {
	path, err := filepath.Abs(dir)
	if err == nil {
		path, err = filepath.EvalSymlinks(path)
	}
	text, errMounts := os.ReadFile("/proc/self/mountinfo")
	if err != nil || errMounts != nil {
		return results.Disk{FileSystem: memoryAt(dir)}
	}
	return findMount(string(text), path)
}

// findMount picks the deepest mount above path (proc_pid_mountinfo(5)); of
// several at one place the last covers the others.
func findMount(mountinfo, path string) results.Disk {
	var best results.Disk
	for line := range strings.Lines(mountinfo) {
		front, back, ok := strings.Cut(strings.TrimSpace(line), " - ")
		left, right := strings.Fields(front), strings.Fields(back)
		if !ok || len(left) < 6 || len(right) < 2 {
			continue
		}
		mount := unescape.Replace(left[4])
		if under(path, mount) && len(mount) >= len(best.Mount) {
			best = results.Disk{FileSystem: right[0], Mount: mount, Options: left[5], Device: right[1]}
		}
	}
	return best
}

// unescape undoes mountinfo's octal escapes.
var unescape = strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`)

func under(path, mount string) bool {
	return mount == "/" || path == mount || strings.HasPrefix(path, mount+"/")
}
