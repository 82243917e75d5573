package harness

import (
	"os"
	"path/filepath"
)

// keptName is the name of the files that a cell's window leaves in Config.WhyFiles, without
// what they end in.
func (r *runner) keptName(p *planned) string {
	return filepath.Join(r.config.WhyFiles, p.name().FileName())
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
