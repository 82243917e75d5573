package results

import "time"

// Format is the version of the JSON Lines format that this package writes.
const Format = 1

// Env is where, how and with what settings trials were measured.
type Env struct {
	Format     int       `json:"format"`
	Start      time.Time `json:"start"`
	Command    []string  `json:"command"`
	Machine    Machine   `json:"machine"`
	Disk       Disk      `json:"disk"`
	Settings   Settings  `json:"settings"`
	Overhead   Overhead  `json:"overhead"`
	LoadBefore Number    `json:"load_before"`          // 1-minute load average at the start
	Unmeasured []string  `json:"unmeasured,omitempty"` // what could not be told here: steal, other processes, cgroup quota, file system
	Warnings   []Warning `json:"warnings,omitempty"`
}

// Machine is the processor, the kernel and the Go that ran the trials.
type Machine struct {
	GOOS       string `json:"goos"`
	GOARCH     string `json:"goarch"`
	Kernel     string `json:"kernel"`
	CPU        string `json:"cpu"`
	Cores      int    `json:"cores"`      // processors this process may run on
	GOMAXPROCS int    `json:"gomaxprocs"` // 0: unknown, or not the same for all trials
	CPUQuota   Number `json:"cpu_quota"`  // processors the cgroup grants; null without one, and where Env.Unmeasured names it
	Clock      string `json:"clock"`
	Go         string `json:"go"`
	GOGC       string `json:"gogc"`
	Commit     string `json:"commit"` // of the binary, where it was stamped
	Memory     int64  `json:"memory_bytes"`
}

// Disk is the file system under the working directory of the trials.
type Disk struct {
	FileSystem string `json:"file_system"`
	Mount      string `json:"mount"`   // mount point
	Options    string `json:"options"` // mount options
	Device     string `json:"device"`
}

// Settings are what the run was asked to do: a part of its result.
type Settings struct {
	Goroutines []int    `json:"goroutines"`
	Trials     int      `json:"trials"`              // blocks
	Least      int      `json:"least,omitempty"`     // blocks of what needed no more; 0: all have as many
	Processes  int      `json:"processes,omitempty"` // that the blocks were measured in, one each; 0: all in one, unless a trial was stuck
	Turns      string   `json:"turns,omitempty"`     // the same in two runs whose trials took turns
	WindowNS   int64    `json:"window_ns"`
	BudgetNS   int64    `json:"budget_ns"` // 0: none
	Ops        int      `json:"ops"`       // 0: calibrated
	Seed       uint64   `json:"seed"`
	GOMAXPROCS []int    `json:"gomaxprocs,omitempty"` // that trials ran at, where they were not all alike
	Flags      []string `json:"flags,omitempty"`      // of go test: what changes what is built or measured, and what it handed on to the test binary
	Loop       string   `json:"loop"`                 // closed, open or go-test
	// Asked is what was asked of a server, by name: URL, requests, wait, timeout and client,
	// and a hash of bodies and headers. Nil where none was asked, and in files of before.
	Asked map[string]string `json:"asked,omitempty"`
}

// Loops.
const (
	ClosedLoop = "closed" // each goroutine starts its next operation when the last one has returned
	OpenLoop   = "open"   // operations are due by the clock, at the level of the factor rate
	// GoTest is that of trials that go test measured: closed, and in the order of the
	// benchmarks, each repeated in a row.
	GoTest = "go-test"
)

// UnmeasuredQuota in Env.Unmeasured says that a missing Machine.CPUQuota need
// not mean that there is none.
const UnmeasuredQuota = "cgroup quota"

// Overhead is what the instrument itself costs, measured on an empty
// operation before the first trial.
type Overhead struct {
	SampledNS Number `json:"sampled_ns"` // per operation, where operations are sampled
	TimedNS   Number `json:"timed_ns"`   // per operation, where each one is timed
	ClockNS   Number `json:"clock_ns"`   // median of an empty sample; taken off sampled latencies
	StepNS    Number `json:"step_ns"`    // what the clock counts in
	FloorNS   Number `json:"floor_ns"`   // two readings or two steps, whichever is more: what is no longer cannot be timed
}

// End closes a run.
type End struct {
	Env       int    `json:"-"`      // place among the Envs, as that of a Trial
	Status    string `json:"status"` // complete, interrupted or failed
	WallNS    int64  `json:"wall_ns"`
	LoadAfter Number `json:"load_after"`
}

// Ways a run can end.
const (
	Complete    = "complete"
	Interrupted = "interrupted"
	Failed      = "failed"
)

// Memory reports whether the file system lives in memory, with no disk under
// it.
func (d Disk) Memory() bool { return d.FileSystem == "tmpfs" || d.FileSystem == "ramfs" }
