package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/syncwrite/syncwrite/cmd"
)

// exitInterrupted is the exit code of a run that Ctrl-C ended.
const exitInterrupted = 130

// A part is one run of those that the table is made of.
type part struct {
	experiment string
	name       string   // of its file, where an experiment has several parts; empty: as the experiment
	variants   []string // empty: all
	words      []string // what the run verb is told beside what all runs are
}

func parts() []part {
	both := []string{"-p", "payload=3,1024"}
	durable := append([]string{"file-durable"}, rivalsOf(powerCut)...)
	return []part{
		// Logs of one promise are measured together: a trial of theirs leaves the
		// system's memory as the next one of them would find it.
		{experiment: "rival-log", name: "rival-log-page-cache", variants: append([]string{"file"}, rivalsOf(processCrash)...), words: both},
		{experiment: "rival-log", name: "rival-log-durable-3", variants: durable, words: []string{"-p", "payload=3"}},
		// As with rival-share.
		{experiment: "rival-log", name: "rival-log-durable-1024", variants: durable, words: []string{"-p", "payload=1024", "--time", "1500ms"}},
		{experiment: "rival-share", name: "rival-share-3", words: []string{"-p", "payload=3"}},
		// At 64 goroutines, 0.15 s: a mean window of 220 ms would be 20 ms there.
		{experiment: "rival-share", name: "rival-share-1024", words: []string{"-p", "payload=1024", "--time", "1500ms"}},
		// 256 MB a trial: four segments of ours.
		{experiment: "rival-steady", words: []string{"--ops", "250000"}},
		{experiment: "rival-memory"},
		{experiment: "rival-async", name: "rival-async-page-cache", variants: []string{"file", "async"}, words: both},
		{experiment: "rival-async", name: "rival-async-durable", variants: []string{"file-durable", "async-durable"}, words: both},
		{experiment: "rival-get"},
		{experiment: "rival-mixed", words: []string{"-p", "reads=50,90"}},
		{experiment: "rival-set", words: []string{"-p", "writes=" + strings.Join(setMixes, ",")}},
		{experiment: "rival-aggregate"},
		{experiment: "rival-past-limits", variants: append([]string{"file"}, pastLimitsRivals()...), words: []string{"--trials", "3", "--ops", "400000"}},
		{experiment: "rival-counter"},
		{experiment: "rival-map", words: []string{"-p", "writes=90,50,10"}},
	}
}

// measure runs the parts, each as the verb run does, and returns where the runs
// are. A part that fails does not keep the others from being measured; its exit
// code is returned. Ctrl-C ends all.
func (o *tableOptions) measure() (paths []string, code int) {
	home := filepath.Join("syncwrite-results", time.Now().UTC().Format("20060102T150405Z")+"-rivals")
	if err := os.MkdirAll(home, 0o777); err != nil {
		return nil, fail(exitError, err)
	}
	for _, p := range parts() {
		if !o.wants(p.experiment) {
			continue
		}
		path := filepath.Join(home, cmp.Or(p.name, p.experiment)+".jsonl")
		failure := cmd.Main(catalogue(), o.words(p, path))
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

func (o *tableOptions) wants(experiment string) bool {
	return len(o.only) == 0 || slices.Contains(o.only, experiment)
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
