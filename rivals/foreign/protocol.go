package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// A timing is what a driver prints after a trial.
type timing struct {
	Ops     int   `json:"ops"`
	WallNS  int64 `json:"wall_ns"`
	Threads int   `json:"threads"`
}

// parseTiming takes the only line of out, which must be of the trial that was
// asked for.
func parseTiming(out []byte, ops, threads int) (timing, error) {
	var t timing
	if err := json.Unmarshal(bytes.TrimSpace(out), &t); err != nil {
		return t, fmt.Errorf("a timing was expected, not %.60q: %w", out, err)
	}
	if t.Ops != ops || t.Threads != threads || t.WallNS <= 0 {
		return t, fmt.Errorf("timing %+v is not of %d operations on %d threads", t, ops, threads)
	}
	return t, nil
}

// An append is one of a kill run: who made it, and as its how many-th, from 0.
type anAppend struct {
	thread int
	seq    uint64
}

// readAppends hands over the appends that r names, one a line after prefix, up
// to its end. A last line that was cut short is not one.
func readAppends(r io.Reader, prefix string, each func(anAppend)) error {
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadString('\n')
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		a, err := parseAppend(line, prefix)
		if err != nil {
			return err
		}
		each(a)
	}
}

func parseAppend(line, prefix string) (anAppend, error) {
	rest, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), prefix)
	thread, seq, two := strings.Cut(rest, " ")
	n, err1 := strconv.Atoi(thread)
	s, err2 := strconv.ParseUint(seq, 10, 64)
	if !ok || !two || err1 != nil || err2 != nil || n < 0 {
		return anAppend{}, fmt.Errorf("line %.60q: not \"%sTHREAD SEQ\"", line, prefix)
	}
	return anAppend{n, s}, nil
}

const ackPrefix = "ack "

// lost counts the acknowledged appends that are not among those found.
func lost(acked []anAppend, found map[anAppend]bool) int {
	n := 0
	for _, a := range acked {
		if !found[a] {
			n++
		}
	}
	return n
}
