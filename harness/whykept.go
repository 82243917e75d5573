package harness

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/google/pprof/profile"
)

// keptName is the name of the files that a cell's window leaves in Config.WhyFiles, without
// what they end in.
func (r *runner) keptName(p *planned) string {
	c := p.name()
	words := []string{c.Experiment, c.Variant, c.Factors, strconv.Itoa(c.Goroutines)}
	words = slices.DeleteFunc(words, func(word string) bool { return word == "" })
	return filepath.Join(r.config.WhyFiles, strings.NewReplacer("/", "-", string(os.PathSeparator), "-").Replace(strings.Join(words, "-")))
}

// traceFile is where a window's trace goes, and what is done with it at the end.
func (r *runner) traceFile(p *planned) (file *os.File, done func() error, err error) {
	name := filepath.Join(r.config.Dir, "trace")
	if r.config.WhyFiles != "" {
		name = r.keptName(p) + ".trace"
	}
	if file, err = os.Create(name); err != nil {
		return nil, nil, err
	}
	return file, func() error {
		err := file.Close()
		if r.config.WhyFiles == "" {
			err = first(err, os.Remove(name))
		}
		return err
	}, nil
}

// keepProfiles writes a window's profiles where they are to be kept.
func (r *runner) keepProfiles(p *planned, profiles map[string]*profile.Profile) error {
	if r.config.WhyFiles == "" {
		return nil
	}
	var all error
	for name, profile := range profiles {
		file, err := os.Create(r.keptName(p) + "." + name + ".pprof")
		if err == nil {
			err = first(profile.Write(file), file.Close())
		}
		all = errors.Join(all, err)
	}
	return all
}

// makeWhyFiles makes the directory for traces and profiles. It must be empty or new: what is
// there is not written over.
func makeWhyFiles(dir string) error {
	if dir == "" {
		return nil
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	if err == nil && len(entries) > 0 {
		err = &fs.PathError{Op: "keep traces", Path: dir, Err: errors.New("directory is not empty")}
	}
	return err
}
