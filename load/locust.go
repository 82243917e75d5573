package load

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/internal/processors"
	"github.com/syncwrite/syncwrite/load/locust"
	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/subject/albums"
)

// Locust is Locust asking the scenario of the albums: a master and its workers.
type Locust struct {
	Workers    int
	Fast       bool // FastHttpUser in place of HttpUser
	Wait       Wait
	Timeout    time.Duration // of a request; 0: DefaultTimeout
	Serve      func(ctx context.Context) (Server, error)
	Processors []int // that its processes are held to; empty: any
}

// LocustExperiment is Experiment with Locust as the generator. Its processes count what was
// answered, by the locustfile: Locust's own statistics can lack what workers had not told
// the master, round times, and mix failures in. What is under way when the time is up is
// waited for, and counts; the rate is that of the users' cycles.
func LocustExperiment(l Locust, users int) harness.Experiment {
	class := "http"
	if l.Fast {
		class = "fast"
	}
	return harness.Experiment{
		Name: "load", Question: Scenario{Serve: l.Serve}.question(), Unit: "request",
		Asked:  map[string]string{"URL": "albums", "wait": l.Wait.String(), "timeout": l.timeout().String(), "client": "locust"},
		ByTime: true, Beside: true, Patience: l.patience(), Goroutines: []int{users},
		Variants: []harness.Variant{l.variant(fmt.Sprintf("locust-%s-%d", class, l.Workers), l.trial)},
	}
}

// variant is Locust under a name, with what makes a trial of it.
func (l Locust) variant(name string, trial func(harness.Setup) (results.Trial, error)) harness.Variant {
	return harness.Variant{
		Name: name, About: fmt.Sprintf("Locust, %s, %s", l.class(), results.Count(l.Workers, "worker")), Promise: noPromise(),
		Prepare:   func(ctx context.Context, say func(string)) error { _, err := InstalledLocust(ctx, say); return err },
		Elsewhere: trial, Besides: starting,
	}
}

// patience is how much longer than planned a trial may take: until the last request is given up.
func (l Locust) patience() time.Duration { return l.timeout() + time.Minute }

func (l Locust) timeout() time.Duration { return cmp.Or(l.Timeout, DefaultTimeout) }

// starting is about how long Locust takes to start, and to end.
const starting = 3500 * time.Millisecond

func (l Locust) class() string {
	if l.Fast {
		return "FastHttpUser"
	}
	return "HttpUser"
}

// trial runs master and workers once.
func (l Locust) trial(s harness.Setup) (t results.Trial, err error) {
	program, err := InstalledLocust(s.Context, func(string) {})
	if err != nil {
		return t, err
	}
	server, err := l.Serve(s.Context)
	if err != nil {
		return t, err
	}
	defer func() { err = errors.Join(err, server.Stop()) }()
	seen := filepath.Join(s.Dir, "seen")
	if err := errors.Join(writeLocustfiles(s.Dir), os.Mkdir(seen, 0o755)); err != nil {
		return t, err
	}
	port, err := freePort()
	if err != nil {
		return t, err
	}
	host := strings.TrimSuffix(server.URL, "/albums")
	command, words, err := locustIn(s.Context, s.Dir, program, append(l.words(s), "-f", usersFile+","+masterFile, "--host", host, "--seen", seen,
		"--master-bind-host", "127.0.0.1", "--master-bind-port", port, "--master-port", port))
	if err != nil {
		return t, err
	}
	before := server.used()
	if err := processors.Start(l.Processors, command); err != nil {
		return t, fmt.Errorf("locust: %w", err)
	}
	if err := command.Wait(); err != nil {
		return t, fmt.Errorf("locust: %w: %s", err, lastLine(words.String()))
	}
	used := server.used()
	used.CPUNS -= before.CPUNS
	what, err := readSeen(seen)
	if err != nil {
		return t, fmt.Errorf("%w: %s", err, lastLine(words.String()))
	}
	t, err = what.trial(s.Goroutines)
	t.Processes = []results.Process{used, {Name: results.Generator, CPUNS: what.cpu, Most: l.Workers, Processors: l.Processors}}
	return t, err
}

// What lies in a trial's directory, in which Locust runs: it takes no name with a comma.
const (
	usersFile  = "locustfile.py"
	masterFile = "master.py" // has the master wait for users who end
)

func writeLocustfiles(dir string) error {
	return errors.Join(os.WriteFile(filepath.Join(dir, usersFile), []byte(albums.Locustfile), 0o644),
		os.WriteFile(filepath.Join(dir, masterFile), []byte(locust.Locustfile), 0o644))
}

// locustIn is Locust in a directory; its processes end with this one, however that ends. Words are
// what it says.
func locustIn(ctx context.Context, dir, program string, args []string) (command *exec.Cmd, words *bytes.Buffer, err error) {
	command, words = inGroup(ctx, program, args...), new(bytes.Buffer)
	if _, err := command.StdinPipe(); err != nil {
		return nil, nil, err
	}
	command.WaitDelay = stopping
	command.Dir = dir
	command.Stderr = words
	return command, words, nil
}

// freePort is a port on loopback for master and workers to meet at, so that another
// Locust of this machine is in nobody's way.
func freePort() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer listener.Close()
	_, port, err := net.SplitHostPort(listener.Addr().String())
	return port, err
}

// giveUp is how long behind its timeout a request is cut off that has not ended by itself: one
// whose answer comes bit by bit.
const giveUp = 5 * time.Second

// words are Locust's arguments, but for files and the host. It exits 0 also where requests
// fail: they are counted.
func (l Locust) words(s harness.Setup) []string {
	class := "Http"
	if l.Fast {
		class = "Fast"
	}
	return []string{class, "--headless", "--processes", strconv.Itoa(l.Workers),
		"-u", strconv.Itoa(s.Goroutines), "-r", strconv.Itoa(s.Goroutines), "-t", strconv.Itoa(int(runTime(s).Seconds())) + "s", "--window", seconds(runTime(s)),
		"--wait-from", seconds(l.Wait.From), "--wait-to", seconds(l.Wait.To),
		"--timeout", seconds(l.timeout()), "--stop-timeout", seconds((l.timeout() + giveUp).Truncate(time.Second)), // it takes whole ones
		"--only-summary", "--exit-code-on-error", "0", "--loglevel", "ERROR"}
}

// runTime is how long a trial lasts, in whole seconds, which is how Locust takes it.
func runTime(s harness.Setup) time.Duration { return max(s.Window.Round(time.Second), time.Second) }

func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) }

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}
