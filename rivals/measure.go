package main

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/syncwrite/syncwrite/cmd"
	"github.com/syncwrite/syncwrite/rivals/internal/logs"
	"github.com/syncwrite/syncwrite/rivals/internal/trials"
)

// A part is one run of those that the table is made of.
type part struct {
	experiment string
	name       string   // of its file, where an experiment has several parts; empty: as the experiment
	variants   []string // empty: all
	factors    []string // levels that do not stand at their defaults, as -p takes them
	goroutines string   // as -g takes them; empty: all
	words      []string // what else the run verb is told beside what all runs are
	program    string   // the folder of the program that runs it; empty: this one
}

func parts() []part {
	both := []string{"payload=3,1024"}
	durable := append([]string{"file-durable"}, rivalsOf(logs.PowerCut)...)
	return []part{
		// Logs of one promise are measured together: a trial of theirs leaves the
		// system's memory as the next one of them would find it.
		{experiment: "rival-log", name: "rival-log-page-cache", variants: append([]string{"file"}, rivalsOf(logs.ProcessCrash)...), factors: both},
		// Alone, an append is one system call, theirs like ours: some percent lie between
		// us, and more blocks are needed to see them.
		{experiment: "rival-log", name: "rival-log-durable-3-alone", variants: durable, factors: []string{"payload=3"}, goroutines: "1", words: []string{"--trials", "96"}},
		// The interval of six blocks is all that was seen, that of ten does without the
		// highest and the lowest: one loud block in them leaves no must in doubt.
		{experiment: "rival-log", name: "rival-log-durable-3", variants: durable, factors: []string{"payload=3"}, goroutines: "4,8,64", words: []string{"--trials", "10"}},
		// At 64 goroutines, 0.12 s: a mean window of 220 ms would be 20 ms there.
		{experiment: "rival-log", name: "rival-log-durable-1024", variants: durable, factors: []string{"payload=1024"}, words: []string{"--time", "1500ms", "--trials", "10"}},
		{experiment: "rival-share", name: "rival-share-3", factors: []string{"payload=3"}, words: []string{"--time", "2500ms"}},
		{experiment: "rival-share", name: "rival-share-1024", factors: []string{"payload=1024"}, goroutines: "8", words: []string{"--time", "4s"}},
		// Long enough for several segments of ours: six, where it does 300,000 a second. The
		// must is a few percent below what it reaches, and what the disk takes drifts by more
		// within a minute: many short blocks, whose trials lie close together.
		{experiment: "rival-share", name: "rival-share-1024-many", factors: []string{"payload=1024"}, goroutines: "64", words: []string{"--time", "1500ms", "--trials", "60"}},
		// 256 MB a trial: four segments of ours.
		{experiment: "rival-steady", words: []string{"--ops", "250000"}},
		{experiment: "rival-memory"},
		{experiment: "rival-async", factors: both},
		{experiment: "rival-get", words: []string{"--trials", "10"}},
		{experiment: "rival-mixed", factors: []string{"reads=50,90"}, words: []string{"--trials", "10"}},
		{experiment: "rival-set", factors: []string{"writes=" + strings.Join(setMixes, ",")}},
		{experiment: "rival-aggregate"},
		// 1 GB a trial: eight segments of ours, and of theirs.
		{experiment: "rival-past-limits", variants: append([]string{"file"}, trials.PastLimitsRivals()...), words: []string{"--trials", "3", "--ops", "1000000"}},
		{experiment: "rival-counter"},
		{experiment: "rival-map", factors: []string{"writes=90,50,10"}},
		// Not linked into this program, since the two register one name with protobuf.
		{experiment: "rival-protoactor", program: "protoactor", words: []string{"--trials", "10"}},
		{experiment: "rival-hollywood", program: "hollywood", words: []string{"--trials", "10"}},
	}
}

// wanted are the parts that were asked for.
func (o *tableOptions) wanted() []part {
	return slices.DeleteFunc(parts(), func(p part) bool {
		return len(o.only) > 0 && !slices.Contains(o.only, p.experiment)
	})
}

// newHome names a directory for the runs.
func newHome() string {
	return filepath.Join("syncwrite-results", time.Now().UTC().Format("20060102T150405Z")+"-rivals")
}

// A measurement makes runs of parts in a directory and tells where they are.
type measurement func(home string, wanted []part) (paths []string, code int)

// measure runs parts, each as the verb run does, and returns where in home the
// runs are. A part that fails does not keep the others from being measured; its exit
// code is returned. Ctrl-C ends all.
func (o *tableOptions) measure(home string, wanted []part) (paths []string, code int) {
	if err := os.MkdirAll(home, 0o777); err != nil {
		return nil, fail(exitError, err)
	}
	for _, p := range wanted {
		path := filepath.Join(home, cmp.Or(p.name, p.experiment)+".jsonl")
		failure := p.run(o.words(p, path))
		if failure == exitInterrupted {
			return nil, failure
		}
		code = cmp.Or(code, failure)
		if _, err := os.Stat(path); err == nil {
			paths = append(paths, path)
		}
	}
	return paths, code
}

// run runs the part and returns its exit code.
func (p part) run(words []string) int {
	if p.program == "" {
		return cmd.Main(trials.Catalogue(), words)
	}
	work, err := os.MkdirTemp("", "rivals-")
	if err != nil {
		return fail(exitError, err)
	}
	defer os.RemoveAll(work)
	binary := filepath.Join(work, p.program)
	if err := attached("go", "build", "-o", binary, "./"+p.program).Run(); err != nil {
		return fail(exitError, fmt.Errorf("build %s, which is done in the folder of the rivals: %w", p.program, err))
	}
	c := attached(binary, words...)
	if err := c.Run(); c.ProcessState == nil {
		return fail(exitError, err)
	}
	return c.ProcessState.ExitCode()
}

// attached is a command that talks as this one does.
func attached(name string, words ...string) *exec.Cmd {
	c := exec.Command(name, words...)
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
	return c
}

// words are the arguments of the run verb. What the part says comes last and
// counts.
func (o *tableOptions) words(p part, path string) []string {
	words := []string{"run", "-o", path, "--report", strings.TrimSuffix(path, ".jsonl") + ".html", "--trials", fmt.Sprint(o.trials)}
	if !slices.Contains(p.words, "--ops") {
		words = append(words, "--time", o.window.String())
	}
	if o.dir != "" {
		words = append(words, "--dir", o.dir)
	}
	for _, f := range p.factors {
		words = append(words, "-p", f)
	}
	if p.goroutines != "" {
		words = append(words, "-g", p.goroutines)
	}
	return append(append(words, p.words...), p.names()...)
}

func (p part) names() []string {
	if len(p.variants) == 0 {
		return []string{p.experiment}
	}
	var names []string
	for _, v := range p.variants {
		names = append(names, p.experiment+"/"+v)
	}
	return names
}
