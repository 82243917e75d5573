package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/syncwrite/syncwrite/analysis"
	"github.com/syncwrite/syncwrite/cmd/internal/exit"
	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/results"
)

// checkTurns refuses what cannot be asked of two programs that take turns.
func (f runFlags) checkTurns() error {
	if !f.turns {
		return nil
	}
	switch {
	case f.against == "":
		return exit.Usage(errors.New("--against: it names no program"), "")
	case f.baseline != "":
		return exit.Usage(errors.New("--against and --baseline: one or the other"), "")
	case !f.again:
		return exit.Usage(errors.New("--against: this program cannot start itself again"), "")
	case f.processes == 1:
		return exit.Usage(errors.New("--against: each block is in a process of its own, so --processes 1 cannot be had"), "")
	case f.output == "-":
		return exit.Usage(errors.New("--against: there are two results files, for which -o - has no room"), "")
	case f.traces != "":
		return exit.Usage(errors.New("--against and --traces: both programs would write the same files"), "--why says where the time went without")
	}
	if _, err := exec.LookPath(f.against); err != nil {
		return exit.Usage(fmt.Errorf("--against: %w", err), "for example --against ./old, which go build -o old ./cmd/syncwrite built of the older source")
	}
	return nil
}

// measureTurns measures the older program and this one in turns. The older one's results go into
// a file of their own, beside those of this one.
func (f runFlags) measureTurns(ctx context.Context, config harness.Config, beside *files, stderr io.Writer, experiments []harness.Experiment) (older, newer *results.Run, err error) {
	var out files
	if err := out.create(againstName(beside.results.Name())); err != nil {
		return nil, nil, err
	}
	other := config
	other.Record = out.writer.Write
	runs, err := harness.RunTurns(ctx, [2]harness.Config{other, config}, [2]func() (*exec.Cmd, error){f.otherProgram(config.Trials), itself}, experiments...)
	if older = runs[0]; older == nil || len(older.Trials)+len(older.Outcomes) == 0 {
		out.results.Close()
		os.Remove(out.results.Name())
		return nil, runs[1], withHint(err)
	}
	err = exit.First(err, out.finish(analysis.Analyze(older)))
	out.name(stderr)
	return older, runs[1], err
}

// againstName is the file of the older program's results, beside that of this one's.
func againstName(path string) string {
	if filepath.Base(path) == "run.jsonl" {
		return filepath.Join(filepath.Dir(path), "against.jsonl")
	}
	ending := filepath.Ext(path)
	return strings.TrimSuffix(path, ending) + ".against" + ending
}

// otherProgram is the older program, to measure, with what this one was asked but for what it
// may not know yet and need not.
func (f runFlags) otherProgram(trials int) func() (*exec.Cmd, error) {
	args := slices.Concat(os.Args[1:2], []string{"--trials", strconv.Itoa(trials), "--processes", strconv.Itoa(trials)}, without(os.Args[2:], "--against", "--fail-above", "--trials", "--processes"))
	return func() (*exec.Cmd, error) { return measuringProgram(f.against, args), nil }
}

// without leaves flags out that have a value.
func without(args []string, flags ...string) (left []string) {
	for i := 0; i < len(args); i++ {
		name, _, valued := strings.Cut(args[i], "=")
		switch {
		case args[i] == "--":
			return append(left, args[i:]...)
		case !slices.Contains(flags, name):
			left = append(left, args[i])
		case !valued:
			i++
		}
	}
	return left
}

// withHint hints how programs of which one has more to measure than the other take turns.
func withHint(err error) error {
	if !errors.Is(err, harness.ErrOtherRun) {
		return err
	}
	return exit.With(exit.Error, err, "name what both have, such as syncwrite run log/file -g 1,8 --against ./old")
}
