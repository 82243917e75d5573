package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// What an acknowledged append survives.
const (
	processCrash = "process-crash"
	powerCut     = "power-cut"
)

// A driver is a program that speaks the protocol for one log at one promise.
type driver struct {
	name     string
	survives string
	ours     bool
	builtBy  toolchain
	needs    string // a tool to run it, besides what was built
	// command is the program and its first words.
	command func(home) []string
	// environment is added to ours.
	environment []string
	// warmup is how many appends come before the window.
	warmup func(threads int) int
}

func drivers() []driver {
	return []driver{
		{name: "ours", survives: processCrash, ours: true, command: ourCommand("none"), warmup: few},
		{name: "chronicle", survives: processCrash, builtBy: maven, needs: "java", command: chronicleCommand, warmup: forCompiler},
		{name: "ours-durable", survives: powerCut, ours: true, command: ourCommand("always"), warmup: few},
		{name: "raft-engine", survives: powerCut, builtBy: rust, command: rustCommand("raft-engine-driver"), warmup: few},
		{name: "raft-engine-prefill", survives: powerCut, builtBy: rust, command: rustCommand("raft-engine-driver"),
			environment: []string{"RAFT_ENGINE_PREFILL=1"}, warmup: few},
		{name: "okaywal", survives: powerCut, builtBy: rust, command: rustCommand("okaywal-driver"), warmup: few},
	}
}

// few is one append of each thread: it makes the log's files ready.
func few(threads int) int { return threads }

// forCompiler is enough for the Java compiler to have seen all it needs; with
// less of it, the queue is several times slower.
func forCompiler(int) int { return 3_000_000 }

func ourCommand(durability string) func(home) []string {
	return func(home) []string { return []string{self(), "ours", durability} }
}

// self is this program, which is the driver of our log, too.
func self() string {
	path, err := os.Executable()
	if err != nil {
		return os.Args[0]
	}
	return path
}

func rustCommand(name string) func(home) []string {
	return func(h home) []string { return []string{h.program(name)} }
}

// chronicleCommand has the options that Chronicle's page on Java versions lists
// for Java 17.
func chronicleCommand(h home) []string {
	return []string{"java",
		"--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
		"--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
		"--add-exports=jdk.unsupported/sun.misc=ALL-UNNAMED",
		"--add-exports=jdk.compiler/com.sun.tools.javac.file=ALL-UNNAMED",
		"--add-opens=jdk.compiler/com.sun.tools.javac=ALL-UNNAMED",
		"--add-opens=java.base/java.lang=ALL-UNNAMED",
		"--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
		"--add-opens=java.base/java.io=ALL-UNNAMED",
		"--add-opens=java.base/java.util=ALL-UNNAMED",
		"-cp", h.in("chronicle", "*") + string(os.PathListSeparator) + h.in("chronicle", "lib", "*"), "Driver"}
}

// missing says why the driver cannot run here; "" if it can.
func (d driver) missing(h home) string {
	if d.needs != "" {
		if _, err := exec.LookPath(d.needs); err != nil {
			return d.needs + " is missing"
		}
	}
	if h.built(d.builtBy) {
		return ""
	}
	if _, err := exec.LookPath(string(d.builtBy)); err != nil {
		return string(d.builtBy) + " is missing"
	}
	return "it is not built, or from other sources: go run ./foreign build"
}

// present are the drivers that can run. It says which cannot.
func present(h home, all []driver) []driver {
	var can []driver
	for _, d := range all {
		if why := d.missing(h); why != "" {
			say("%s is left out: %s", d.name, why)
			continue
		}
		can = append(can, d)
	}
	return can
}

func builtBy(t toolchain) []driver {
	var some []driver
	for _, d := range drivers() {
		if d.builtBy == t {
			some = append(some, d)
		}
	}
	return some
}

func namesOf(some []driver) string {
	var names []string
	for _, d := range some {
		names = append(names, d.name)
	}
	return strings.Join(names, ", ")
}

// choose picks the rivals that are named, all if none is, and ours always.
func choose(names string) ([]driver, error) {
	if names == "" {
		return drivers(), nil
	}
	wanted := map[string]bool{}
	for name := range strings.SplitSeq(names, ",") {
		wanted[name] = true
	}
	var some []driver
	for _, d := range drivers() {
		if d.ours || wanted[d.name] {
			some = append(some, d)
		}
		delete(wanted, d.name)
	}
	for name := range wanted {
		return nil, wrongWords("%q is not one of %s", name, namesOf(drivers()))
	}
	return some, nil
}

func (d driver) String() string { return fmt.Sprintf("%s (%s)", d.name, d.survives) }
