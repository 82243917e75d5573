package gotest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/syncwrite/syncwrite/internal/cause"
	"github.com/syncwrite/syncwrite/results"
)

// What test binaries find in their environment: sideVariable names the directory that
// they tell their trials to, and looksVariable the files that they look at before and
// after each; whyVariable, or profilesVariable, names the directory for what is looked into.
const (
	sideVariable     = "SYNCWRITE_GOTEST_DIR"
	looksVariable    = "SYNCWRITE_GOTEST_LOOKS"
	whyVariable      = "SYNCWRITE_GOTEST_WHY"
	profilesVariable = "SYNCWRITE_GOTEST_PROFILES"
)

// Config says what to run.
type Config struct {
	Args []string // of go test
	Why  bool     // run each parallel benchmark once more, and look where its goroutines' time goes
	// WhyFiles is a directory, empty or new, in which the traces and profiles that Why reads are
	// kept; empty: nowhere.
	WhyFiles string
	Cache    string // directory for edited files; empty: one in the user's cache
	Stdin    io.Reader
	Stdout   io.Writer
	Stderr   io.Writer
}

// Outcome is what came of a run of go test.
type Outcome struct {
	ExitCode int      // go test's own
	Go       string   // version of the toolchain; empty if the go command did not say
	Count    int      // repetitions of each benchmark that were asked for; 0: not known
	Flags    []string // that change what is built or measured, those of GOFLAGS too; empty: none, or the go command did not say
	Procs    []int    // levels of GOMAXPROCS that were asked for, as often as they were; empty: one, the usual
	Trials   []Trial  // in the order they ended within each test binary
	Ended    []string // packages whose benchmarks came to their end; of others the process ended before
	// Failures are the repetitions that failed. Where the first one did not, go test
	// says FAIL, goes on, and passes.
	Failures []Failure
	Unread   []error // one of each line of what test binaries told that cannot be read: its trial is missing
	// Breakdowns are where the goroutines' time of parallel benchmarks went, in the order of
	// the trials; none without Config.Why.
	Breakdowns []results.Breakdown
	WhyCut     bool // what they come from was interrupted: there are none
	// Plain says why the benchmarks ran as under go test; nil if they did not.
	Plain error
}

// Run runs go test. Its output goes to Stdout as it is; whatever it says, its
// exit code is no error of Run's. Where the toolchain's testing package is not
// as expected, or the edited one cannot be put anywhere, plain go test runs and
// what can be computed from its output, ops/s, is added to that.
func Run(ctx context.Context, c Config) (Outcome, error) {
	if err := cause.MakeDir(c.WhyFiles); err != nil {
		return Outcome{}, err
	}
	command, err := exec.LookPath("go")
	if err != nil {
		return Outcome{}, errors.New("there is no go command in PATH")
	}
	work, err := workDir()
	if err != nil {
		return Outcome{}, fmt.Errorf("no directory to work in: %w", err)
	}
	defer os.RemoveAll(work)
	r := runner{Config: c, command: command, work: work, args: parseArguments(c.Args)}
	return r.run(ctx)
}

// workDir makes a directory to work in, whose name holds wherever a test binary runs: TMPDIR may
// be a relative one.
func workDir() (string, error) {
	in, err := filepath.Abs(os.TempDir())
	if err != nil {
		return "", err
	}
	return os.MkdirTemp(in, "syncwrite-test-")
}

type runner struct {
	Config
	command string
	work    string // removed at the end
	args    arguments
	again   bool // this is the second run, which nobody types into
}

func (r *runner) run(ctx context.Context) (Outcome, error) {
	goes, err := findToolchain(ctx, r.command, r.args)
	if err != nil {
		return r.untouched(ctx) // the go command tells better what is wrong
	}
	overlay, err := r.overlay(&goes)
	var own *ownOverlay
	if errors.As(err, &own) {
		return r.untouched(ctx)
	}
	if err != nil {
		outcome, errTest := r.plain(ctx)
		outcome.Go, outcome.Plain = goes.version, err
		return outcome, errTest
	}
	if err := os.MkdirAll(r.side(), 0o777); err != nil {
		return Outcome{}, err
	}
	args := append(append([]string{"test"}, r.args.chdir...), "-overlay="+overlay)
	outcome, err := r.test(ctx, goes.command, append(slices.Clone(args), r.args.rest...), append(goes.env, r.telling(r.side())...), r.Stdout)
	if err != nil {
		return outcome, err
	}
	outcome.Go, outcome.Count, outcome.Procs = goes.version, r.args.count(goes.goflags), r.args.procs(goes.goflags)
	outcome.Flags = built(r.args.rest, goes.goflags)
	told, err := ReadTrials(r.side())
	outcome.Trials, outcome.Failures, outcome.Ended, outcome.Unread = told.Trials, told.Failures, told.Ended, told.Unread
	if err == nil && r.Why && ctx.Err() == nil {
		outcome.Breakdowns, err = r.why(ctx, outcome, goes, args)
		outcome.WhyCut = ctx.Err() != nil
	}
	return outcome, err
}

func (r *runner) side() string { return filepath.Join(r.work, "side") }

// ownOverlay is an error of the user's own overlay.
type ownOverlay struct{ error }

// overlay writes the overlay for this run: the edited benchmark.go and what the
// user's own overlay has.
func (r *runner) overlay(goes *toolchain) (path string, err error) {
	cache := r.Cache
	if cache == "" {
		cache = userCache()
	}
	if cache == "" || !usable(cache) {
		cache = filepath.Join(r.work, "cache") // slower the next time, and no worse
	}
	if *goes, err = goes.outside(filepath.Join(cache, "goroot")); err != nil {
		return "", err
	}
	files, err := r.userOverlay(*goes)
	if err != nil {
		return "", &ownOverlay{err}
	}
	source, err := files.take(goes.benchmarkFile(), r.args.dir())
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(source)
	if err != nil {
		return "", err
	}
	edited, err := Edit(text)
	if err != nil {
		return "", err
	}
	if covers(r.args.rest, goes.goflags) {
		if *goes, err = goes.shadow(filepath.Join(cache, "shadow"), edited); err != nil {
			return "", err
		}
		return r.writeOverlay(files)
	}
	if files.Replace[goes.benchmarkFile()], err = keep(filepath.Join(cache, "testing"), goes.version, edited); err != nil {
		return "", err
	}
	return r.writeOverlay(files)
}

func (r *runner) writeOverlay(files replacements) (string, error) {
	text, err := json.Marshal(files)
	if err != nil {
		return "", err
	}
	path := filepath.Join(r.work, "overlay.json")
	return path, os.WriteFile(path, text, 0o666)
}

// userOverlay reads the overlay of the command line or else of GOFLAGS.
func (r *runner) userOverlay(goes toolchain) (replacements, error) {
	path := r.args.overlay
	if path == "" {
		var err error
		if path, err = goflagsOverlay(goes.goflags); err != nil {
			return replacements{}, err
		}
	}
	return readOverlay(path, r.args.dir())
}

func userCache() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "syncwrite", "gotest")
}

// usable reports whether files can be made in a directory.
func usable(dir string) bool {
	if os.MkdirAll(dir, 0o777) != nil {
		return false
	}
	probe, err := os.CreateTemp(dir, ".probe-")
	if err != nil {
		return false
	}
	probe.Close()
	os.Remove(probe.Name())
	return true
}

// untouched runs go test as it was asked for.
func (r *runner) untouched(ctx context.Context) (Outcome, error) {
	return r.test(ctx, r.command, append([]string{"test"}, r.Args...), nil, r.Stdout)
}

// plain is untouched, with ops/s added to its output.
func (r *runner) plain(ctx context.Context) (Outcome, error) {
	w := newOpsWriter(r.Stdout)
	outcome, err := r.test(ctx, r.command, append([]string{"test"}, r.Args...), nil, w)
	if flushed := w.flush(); err == nil {
		err = flushed
	}
	return outcome, err
}

// test runs the go command and waits for it, on an interrupt too, which it gets
// itself.
func (r *runner) test(ctx context.Context, command string, args, env []string, stdout io.Writer) (Outcome, error) {
	c := exec.CommandContext(ctx, command, args...)
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	c.Stdin, c.Stdout, c.Stderr = r.Stdin, stdout, r.Stderr
	c.Env = append(os.Environ(), env...)
	if r.again {
		inGroup(c)
	}
	err := c.Run()
	if c.ProcessState == nil {
		return Outcome{}, err
	}
	return Outcome{ExitCode: exitCode(c.ProcessState)}, nil
}

// telling has test binaries tell their trials.
func (r *runner) telling(side string) []string {
	return []string{sideVariable + "=" + side, looksVariable + "=" + strings.Join(cause.LookFiles(), "\n")}
}

// exitCode is that of the process, or 128 and the signal that ended it as a
// shell has it.
func exitCode(p *os.ProcessState) int {
	if code := p.ExitCode(); code >= 0 {
		return code
	}
	return 130
}
