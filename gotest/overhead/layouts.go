package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"golang.org/x/perf/benchfmt"

	"github.com/syncwrite/syncwrite/gotest"
)

// layouts is how often everything is linked anew, in another random order: code
// that only moved runs up to 30 % faster or slower.
const layouts = 20

// cost is the package whose benchmarks are measured.
const cost = "./gotest/overhead/cost"

// The binaries of a layout: go test's, the same once more in another order, and
// ours.
var kinds = []string{"stock", "again", "ours"}

func binary(dir, kind string, layout int) string {
	path, err := filepath.Abs(filepath.Join(dir, fmt.Sprintf("%s-%d.test", kind, layout)))
	if err != nil {
		return ""
	}
	return path
}

func build(ctx context.Context, dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for layout := range layouts {
		for i, kind := range kinds {
			seed := layout + 1
			if kind == "again" {
				seed += layouts
			}
			args := []string{"-c", "-o", binary(dir, kind, layout), "-ldflags=-randlayout=" + strconv.Itoa(seed), cost}
			if err := buildOne(ctx, kinds[i], args); err != nil {
				return err
			}
		}
	}
	return nil
}

func buildOne(ctx context.Context, kind string, args []string) error {
	if kind != "ours" {
		c := exec.CommandContext(ctx, "go", append([]string{"test"}, args...)...)
		c.Stderr = os.Stderr
		return c.Run()
	}
	o, err := gotest.Run(ctx, gotest.Config{Args: args, Stdout: os.Stdout, Stderr: os.Stderr})
	if err == nil && (o.ExitCode != 0 || o.Plain != nil) {
		err = fmt.Errorf("exit code %d, %v", o.ExitCode, o.Plain)
	}
	return err
}

// figures are the values of one run, by benchmark and unit.
type figures map[string]map[string]float64

// bench runs benchmarks of a binary at 1 and 2 processors. With a side
// directory the trials come back, too.
func bench(ctx context.Context, binary, benchmarks, time, side string) (figures, error) {
	c := exec.CommandContext(ctx, binary, "-test.run=^$", "-test.bench="+benchmarks, "-test.benchtime="+time, "-test.cpu=1,2")
	c.Env = append(os.Environ(), "SYNCWRITE_GOTEST_DIR="+side)
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", binary, err, out)
	}
	all := figures{}
	in := benchfmt.NewReader(bytes.NewReader(out), binary)
	for in.Scan() {
		line, ok := in.Result().(*benchfmt.Result)
		if !ok {
			continue
		}
		values := map[string]float64{}
		for _, v := range line.Values {
			if v.OrigUnit != "" {
				values[v.OrigUnit] = v.OrigValue
			} else {
				values[v.Unit] = v.Value
			}
		}
		name := string(line.Name)
		if name[len(name)-2:] != "-2" {
			name += "-1"
		}
		all[name] = values
	}
	return all, in.Err()
}
