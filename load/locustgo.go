package load

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/load/locust"
	"github.com/syncwrite/syncwrite/results"
)

// LocustGo is a Locust master whose workers are processes of this program, all of them on
// this machine.
type LocustGo struct {
	Scenario Scenario
	Workers  int
	Program  string // a syncwrite
}

// LocustGoExperiment is Experiment with a Locust master as who says when users begin and
// end. What the workers saw is merged exactly: their full histograms travel with
// the statistics that the master gets.
func LocustGoExperiment(l LocustGo, users int) (harness.Experiment, error) {
	l.Scenario = l.Scenario.withDefaults()
	if err := errors.Join(l.Scenario.Check(), WriteScenario(io.Discard, l.Scenario)); err != nil { // workers read it
		return harness.Experiment{}, err
	}
	s := l.Scenario
	return harness.Experiment{
		Name: "load", Question: s.question(), Unit: "request", Asked: s.asked("locust"),
		ByTime: true, Beside: s.here(), Patience: s.Timeout + time.Minute, Goroutines: []int{users},
		Variants: []harness.Variant{{
			Name: fmt.Sprintf("locust-go-%d", l.Workers), About: "a Locust master, and " + results.Count(l.Workers, "worker") + " in Go", Promise: noPromise(),
			Prepare:   func(ctx context.Context, say func(string)) error { _, err := InstalledLocust(ctx, say); return err },
			Elsewhere: l.trial, Besides: starting,
		}},
	}, nil
}

// trial runs master and workers once.
func (l LocustGo) trial(s harness.Setup) (t results.Trial, err error) {
	program, err := InstalledLocust(s.Context, func(string) {})
	if err != nil {
		return t, err
	}
	scenario, server := l.Scenario, Server{Stop: func() error { return nil }}
	if scenario.Serve != nil {
		if server, err = scenario.Serve(s.Context); err != nil {
			return t, err
		}
		scenario.URL = server.URL
	}
	defer func() { err = errors.Join(err, server.Stop()) }()
	port, err := freePort()
	if err != nil {
		return t, err
	}
	if err := writeInputs(s.Dir, scenario); err != nil {
		return t, err
	}
	var before results.Process
	if scenario.Serve != nil {
		before = server.used()
	}
	spent, err := l.together(s, program, port)
	if err != nil {
		return t, err
	}
	seen, err := os.Open(filepath.Join(s.Dir, seenFile))
	if err != nil {
		return t, err
	}
	defer seen.Close()
	what, most, err := readShares(seen, l.Workers)
	if err != nil {
		return t, err
	}
	t, err = what.trial(s.Goroutines)
	t.Processes = []results.Process{{Name: results.Generator, CPUNS: what.cpu, Most: min(most, runtime.NumCPU())},
		{Name: results.Master, CPUNS: max(results.Number(spent)-what.cpu, 0), Most: 1}}
	switch {
	case scenario.Serve != nil:
		used := server.used()
		used.CPUNS -= before.CPUNS
		t.Processes = append([]results.Process{used}, t.Processes...)
	case scenario.here(): // somebody's, of whose processor time nothing is known
		t.Processes = append([]results.Process{{Name: results.Server, CPUNS: results.Missing()}}, t.Processes...)
	}
	return t, err
}

// What lies in a trial's directory.
const (
	goLocustfile = "locustfile.py"
	goScenario   = "scenario.json"
	seenFile     = "seen.jsonl"
)

func writeInputs(dir string, s Scenario) error {
	var text bytes.Buffer
	if err := WriteScenario(&text, s); err != nil {
		return err
	}
	return errors.Join(os.WriteFile(filepath.Join(dir, goLocustfile), []byte(locust.Locustfile), 0o644),
		os.WriteFile(filepath.Join(dir, goScenario), text.Bytes(), 0o600))
}

// together runs the master until the time is over, and the workers until it quits, and returns
// the processor time of all of them. Who fails ends the others.
func (l LocustGo) together(s harness.Setup, program, port string) (time.Duration, error) {
	ctx, cancel := context.WithCancelCause(s.Context)
	defer cancel(nil)
	master, words, err := locustIn(ctx, s.Dir, program, l.words(s, port))
	if err != nil {
		return 0, err
	}
	run, over := context.WithCancel(ctx)
	defer over()
	var group sync.WaitGroup
	var spent atomic.Int64
	for i := range l.Workers {
		group.Go(func() {
			used, err := l.work(ctx, run, s, port, i+1)
			spent.Add(int64(used))
			if err != nil {
				cancel(err)
			}
		})
	}
	if err := master.Run(); err != nil {
		cancel(ended("locust", err, lastLine(words.String()))) // the first cause counts
	}
	over()
	group.Wait() // whose errors come after the master's end, too
	return time.Duration(spent.Load()) + usedBy(master), context.Cause(ctx)
}

// usedBy is the processor time of a program that has ended, and of those that it waited for.
func usedBy(c *exec.Cmd) time.Duration {
	if c.ProcessState == nil {
		return 0
	}
	return c.ProcessState.UserTime() + c.ProcessState.SystemTime()
}

// ended says how a program ended, and its last words if there were some.
func ended(name string, err error, words string) error {
	if words == "" {
		return fmt.Errorf("%s: %w", name, err)
	}
	return fmt.Errorf("%s: %w: %s", name, err, words)
}

// work is one worker, from its start to its end, and returns its processor time. It ends with
// this process, however that ends, and when the run is over: one that did not hear the master quit
// would go on for a minute.
func (l LocustGo) work(ctx, run context.Context, s harness.Setup, port string, number int) (time.Duration, error) {
	client := "fasthttp"
	if l.Scenario.NetHTTP {
		client = "net-http"
	}
	c := exec.CommandContext(ctx, l.Program, "worker", "--master", "127.0.0.1:"+port, "--with-stdin", "--run-time", runTime(s).String(), "--client", client,
		"--max-users", strconv.Itoa(s.Goroutines), "--first-user", strconv.Itoa((number-1)*s.Goroutines), filepath.Join(s.Dir, goScenario))
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	c.WaitDelay = stopping
	var words bytes.Buffer
	c.Stderr = &words
	stdin, err := c.StdinPipe()
	if err != nil {
		return 0, err
	}
	defer context.AfterFunc(run, func() { stdin.Close() })()
	if err := c.Run(); err != nil && ctx.Err() == nil {
		why := "" // who was killed could not say
		if c.ProcessState != nil && c.ProcessState.Exited() {
			why = complaint(words.String())
		}
		return usedBy(c), ended(fmt.Sprintf("worker %d", number), err, why)
	}
	return usedBy(c), nil
}

// complaint is the last line that a program of ours ended with: its error, whose hints are indented,
// or a panic's, which has a trace behind it.
func complaint(words string) string {
	for _, line := range slices.Backward(strings.Split(words, "\n")) {
		if text, is := strings.CutPrefix(line, "syncwrite: "); is {
			return text
		}
		if strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") {
			return line
		}
	}
	return lastLine(words)
}

func (l LocustGo) words(s harness.Setup, port string) []string {
	users := strconv.Itoa(s.Goroutines)
	return []string{"-f", goLocustfile, "--master", "--headless", "--expect-workers", strconv.Itoa(l.Workers), "--expect-workers-max-wait", "30",
		"-u", users, "-r", users, "-t", strconv.Itoa(int(runTime(s).Seconds())) + "s",
		"--master-bind-host", "127.0.0.1", "--master-bind-port", port, "--syncwrite-seen", seenFile,
		"--only-summary", "--exit-code-on-error", "0", "--loglevel", "ERROR"}
}
