// Command strangers runs other people's benchmarks under go test and under
// syncwrite test, holds one against the other, and writes the table of
// docs/go-test.md:
//
//	go run ./gotest/strangers -o docs/strangers.md
//
// With -why it writes what syncwrite test --why says of ten of them. It downloads the modules that list.go pins. When not to use it: from tests,
// since it takes minutes and its figures are the machine's.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

type settings struct {
	output, only, time, work, keep string
	build                          bool
	count                          int
	why                            uint64
}

func main() {
	var s settings
	flag.StringVar(&s.output, "o", "-", "Markdown file to write")
	flag.StringVar(&s.only, "only", "", "run only modules whose name matches this regular expression")
	flag.StringVar(&s.time, "benchtime", "20ms", "as of go test")
	flag.IntVar(&s.count, "count", 3, "as of go test; a conclusion changes only where all agree")
	flag.StringVar(&s.work, "work", "", "directory for modules and binaries, kept (default: a temporary one)")
	flag.StringVar(&s.keep, "keep", "", "file of what was measured: it is read first, and what it holds is not measured again")
	flag.BoolVar(&s.build, "build", false, "download and build, and measure nothing")
	flag.Uint64Var(&s.why, "why", 0, "draw ten modules by this seed, and write where their goroutines' time goes instead")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, s); err != nil {
		fmt.Fprintln(os.Stderr, "strangers:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, s settings) error {
	if s.work == "" {
		work, err := os.MkdirTemp("", "strangers-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(work)
		s.work = work
	}
	ours, err := filepath.Abs(filepath.Join(s.work, "syncwrite"))
	if err != nil {
		return err
	}
	if err := command(ctx, ".", os.Stderr, "go", "build", "-o", ours, "./cmd/syncwrite"); err != nil {
		return fmt.Errorf("build syncwrite: %w", err)
	}
	if s.why > 0 {
		return written(s.output, func(w io.Writer) error { return why(ctx, w, ours, s) })
	}
	kept, err := readKept(s.keep)
	if err != nil {
		return err
	}
	only, err := regexp.Compile(s.only)
	if err != nil {
		return err
	}
	var all []pair
	for _, one := range strangers() {
		p, measured := kept[one]
		if !measured {
			if !only.MatchString(one.name()) {
				continue
			}
			if p, err = compare(ctx, one, ours, s); err != nil {
				return fmt.Errorf("%s: %w", one.name(), err)
			}
			if s.build {
				continue
			}
			fmt.Fprintln(os.Stderr, p.line())
			if err := keep(s.keep, p); err != nil {
				return err
			}
		}
		all = append(all, p)
	}
	if s.build {
		return nil
	}
	return written(s.output, func(w io.Writer) error { return writeTables(w, all, s) })
}

// written writes a file, or to stdout.
func written(path string, write func(io.Writer) error) error {
	if path == "-" {
		return write(os.Stdout)
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(write(file), file.Close())
}

// compare runs one module's benchmarks both ways.
func compare(ctx context.Context, one stranger, ours string, s settings) (pair, error) {
	dir, err := source(ctx, one, s.work)
	if err != nil {
		return pair{}, err
	}
	p := pair{Stranger: one}
	for _, side := range []struct {
		tool string
		to   *ran
	}{{"go", &p.Stock}, {ours, &p.Ours}} {
		bench, out := one.Bench, new(strings.Builder)
		if s.build {
			bench = "^$"
		}
		err := command(ctx, dir, out, side.tool, "test", "-run", "^$", "-bench", bench, "-benchtime", s.time,
			"-cpu", "1,2", "-count", strconv.Itoa(s.count), one.Package)
		if ctx.Err() != nil {
			return p, ctx.Err()
		}
		if *side.to, err = parse(out.String(), err); err != nil {
			return p, err
		}
	}
	return p, nil
}

// readKept reads what was measured before.
func readKept(path string) (map[stranger]pair, error) {
	kept := map[stranger]pair{}
	text, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	for line := range strings.Lines(string(text)) {
		var p pair
		if err := json.Unmarshal([]byte(line), &p); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		kept[p.Stranger] = p
	}
	return kept, nil
}

func keep(path string, p pair) error {
	if path == "" {
		return nil
	}
	text, err := json.Marshal(p)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = file.Write(append(text, '\n'))
	return err
}

// source is a copy of the module, where go test may write; for the standard
// library any module will do.
func source(ctx context.Context, one stranger, work string) (string, error) {
	if one.Version == "" {
		dir := filepath.Join(work, "std")
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return "", err
		}
		return dir, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module std.example.com\n"), 0o666)
	}
	download := exec.CommandContext(ctx, "go", "mod", "download", "-json", one.Module+"@"+one.Version)
	download.Dir = work
	text, err := download.Output()
	var module struct{ Dir, Error string }
	if parsed := json.Unmarshal(text, &module); err != nil || parsed != nil || module.Error != "" {
		return "", fmt.Errorf("download: %v %s", err, module.Error)
	}
	dir := filepath.Join(work, strings.ReplaceAll(one.Module, "/", "_"))
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	return dir, copyWritable(dir, module.Dir)
}

// copyWritable copies a module out of the cache, whose files are read-only.
func copyWritable(to, from string) error {
	return filepath.WalkDir(from, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rest, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if d.IsDir() && rest == "vendor" {
			return filepath.SkipDir // the proxy's zip holds a part of it only
		}
		if d.IsDir() {
			return os.MkdirAll(filepath.Join(to, rest), 0o777)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rest), text, 0o666)
	})
}

func command(ctx context.Context, dir string, out io.Writer, words ...string) error {
	c := exec.CommandContext(ctx, words[0], words[1:]...)
	c.Dir, c.Stdout, c.Stderr = dir, out, out
	return c.Run()
}
