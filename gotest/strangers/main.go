// Command strangers runs other people's benchmarks under go test and under
// syncwrite test, holds one against the other, and writes the table of
// docs/go-test.md:
//
//	go run ./gotest/strangers -o docs/strangers.md
//
// It downloads the modules that list.go pins. When not to use it: from tests,
// since it takes minutes and its figures are the machine's.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
)

type settings struct {
	output, only, time, wrap, build string
	count                           int
}

func main() {
	var s settings
	flag.StringVar(&s.output, "o", "-", "Markdown file to write")
	flag.StringVar(&s.only, "only", "", "run only modules whose name holds this")
	flag.StringVar(&s.time, "benchtime", "30ms", "as of go test")
	flag.IntVar(&s.count, "count", 3, "as of go test; a conclusion changes only where all agree")
	flag.StringVar(&s.wrap, "wrap", "", "command put in front of each one that measures")
	flag.StringVar(&s.build, "wrapbuild", "", "command put in front of each one that builds")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, s); err != nil {
		fmt.Fprintln(os.Stderr, "strangers:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, s settings) error {
	work, err := os.MkdirTemp("", "strangers-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	ours := filepath.Join(work, "syncwrite")
	if err := command(ctx, ".", os.Stderr, s.build, "go", "build", "-o", ours, "./cmd/syncwrite"); err != nil {
		return fmt.Errorf("build syncwrite: %w", err)
	}
	var all []pair
	for _, one := range strangers() {
		if !strings.Contains(one.name(), s.only) {
			continue
		}
		p, err := compare(ctx, one, ours, work, s)
		if err != nil {
			return fmt.Errorf("%s: %w", one.name(), err)
		}
		fmt.Fprintln(os.Stderr, p.line())
		all = append(all, p)
	}
	if s.output == "-" {
		return writeTables(os.Stdout, all, s)
	}
	file, err := os.Create(s.output)
	if err != nil {
		return err
	}
	defer file.Close()
	return writeTables(file, all, s)
}

// compare runs one module's benchmarks both ways.
func compare(ctx context.Context, one stranger, ours, work string, s settings) (pair, error) {
	dir, err := source(ctx, one, work)
	if err != nil {
		return pair{}, err
	}
	test := func(bench string) []string {
		return []string{"test", "-run", "^$", "-bench", bench, "-benchtime", s.time, "-cpu", "1,2", "-count", fmt.Sprint(s.count), one.Package}
	}
	p := pair{stranger: one}
	for _, side := range []struct {
		tool string
		to   *ran
	}{{"go", &p.stock}, {ours, &p.ours}} {
		command(ctx, dir, io.Discard, s.build, append([]string{side.tool}, test("^$")...)...) // the build, outside the measurement
		var out strings.Builder
		err := command(ctx, dir, &out, s.wrap, append([]string{side.tool}, test(one.Bench)...)...)
		if ctx.Err() != nil {
			return p, ctx.Err()
		}
		if *side.to, err = parse(out.String(), err); err != nil {
			return p, err
		}
	}
	return p, nil
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

// command runs words behind the words of wrap.
func command(ctx context.Context, dir string, out io.Writer, wrap string, words ...string) error {
	words = append(strings.Fields(wrap), words...)
	c := exec.CommandContext(ctx, words[0], words[1:]...)
	c.Dir, c.Stdout, c.Stderr = dir, out, out
	return c.Run()
}
