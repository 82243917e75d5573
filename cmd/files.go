package cmd

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/syncwrite/syncwrite/cmd/internal/exit"
	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/results"
)

// files are where a run writes: the results, the report, and the directory
// its trials work in.
type files struct {
	results *os.File // nil: stdout
	writer  *results.Writer
	report  io.Writer
	page    string // empty: none
	work    *workdir
	made    string // directory that is removed again if the run keeps nothing
}

// resultsHome is where runs keep their results, each in a directory of its own.
const resultsHome = "syncwrite-results"

// makeHome makes a directory for the results of a run. Of two in one second the
// later one gets a number.
func makeHome(name string) (string, error) {
	if err := os.MkdirAll(resultsHome, 0o777); err != nil {
		return "", err
	}
	base := filepath.Join(resultsHome, time.Now().UTC().Format("20060102T150405Z")+"-"+name)
	for home, n := base, 2; ; home, n = fmt.Sprintf("%s-%d", base, n), n+1 {
		if err := os.Mkdir(home, 0o777); !errors.Is(err, os.ErrExist) {
			return home, err
		}
	}
}

// elsewhere adds to an error of a directory which flags name another.
func elsewhere(err error) error {
	return exit.With(exit.Error, err, "-o FILE writes the results elsewhere, --dir DIR measures on another disk")
}

// removeDeadResults removes what dead runs left there beside their results.
func removeDeadResults() {
	entries, _ := os.ReadDir(resultsHome)
	for _, e := range entries {
		removeDead(filepath.Join(resultsHome, e.Name()))
	}
}

// checkResults refuses a results file whose ending is that of another format.
func checkResults(path string) error {
	if format := formatEndings()[filepath.Ext(path)]; format != "" && format != "jsonl" {
		return exit.Usage(fmt.Errorf("-o %s: what is written there are the results of every trial, as %s is not", path, format), "--report names the page; syncwrite report RESULTS -o "+path+" renders them")
	}
	return nil
}

// openFiles makes them. An existing results file is never overwritten.
func openFiles(f runFlags, name string) (*files, error) {
	out := &files{report: os.Stdout, page: f.page}
	if err := cmp.Or(checkPage(f.page), checkResults(f.output)); err != nil {
		return nil, err
	}
	home := "."
	switch f.output {
	case "-":
		out.writer, out.report = results.NewWriter(os.Stdout), os.Stderr
	case "":
		removeDeadResults()
		var err error
		if home, err = makeHome(name); err != nil {
			return nil, elsewhere(err)
		}
		out.made = home
		if out.page == "" {
			out.page = filepath.Join(home, "report.html")
		}
		if err := out.create(filepath.Join(home, "run.jsonl")); err != nil {
			out.discard()
			return nil, err
		}
	default:
		home = filepath.Dir(f.output)
		if err := out.create(f.output); err != nil {
			return nil, err
		}
	}
	if f.dir != "" {
		home = f.dir
	}
	removeDead(home)
	var err error
	if out.work, err = newWorkdir(home); err != nil {
		out.discard()
		return nil, elsewhere(err)
	}
	return out, nil
}

func (f *files) create(path string) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, os.ErrExist) {
		return overResults(path)
	}
	if err != nil {
		return fmt.Errorf("results file: %w", err)
	}
	f.results, f.writer = file, results.NewWriter(file)
	return nil
}

// discard takes back what was made for a run that never began.
func (f *files) discard() {
	f.remove()
	if f.results != nil {
		info, err := f.results.Stat()
		f.results.Close()
		if err != nil || info.Size() > 0 {
			return
		}
		os.Remove(f.results.Name())
	}
	if f.made != "" {
		os.Remove(f.made)
	}
}

// finish writes what the trials say together, and closes the results.
func (f *files) finish(r *results.Report) error {
	if err := f.writer.WriteFindings(r.Findings); err != nil {
		return err
	}
	if f.results == nil {
		return nil
	}
	return f.results.Close()
}

// remove removes the working directory.
func (f *files) remove() {
	if f.work != nil {
		f.work.remove()
	}
}

// writePage writes the page of the run and tells where it is.
func (f *files) writePage(stderr io.Writer, r *results.Report) error {
	if f.page == "" {
		return nil
	}
	figures, err := writePage(f.page, r)
	if err != nil {
		return err
	}
	exit.Say(stderr, "page in "+f.page)
	if len(figures) > 0 {
		exit.Say(stderr, fmt.Sprintf("%s beside it: %s", results.Count(len(figures), "figure"), glob(figures)))
	}
	return nil
}

// name tells where the results are.
func (f *files) name(stderr io.Writer) {
	if f.results != nil {
		exit.Say(stderr, "results in "+f.results.Name())
	}
}

// runName is the name of the suite, or those of the experiments.
func runName(catalogue []harness.Experiment, args []string, experiments []harness.Experiment) string {
	if s, _ := suite(catalogue, args); s != nil {
		return s.Name
	}
	var names []string
	for _, e := range experiments {
		if !e.Fixed { // a limit measured along
			names = append(names, e.Name)
		}
	}
	return strings.Join(names, "+")
}
