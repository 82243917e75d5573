package results

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"regexp"
	"slices"
	"strconv"
)

// The lines of one run in the benchmark format stand together, behind a line that
// says how many they are, their checksum, and whether the run doubted any of its
// trials:
//
//	# run 1: 24 lines, sum 1a2b3c4d, no doubts
//
// Other readers of the format skip it. If the lines are still those, the n-th one of a
// cell is of the run's block n. Without it, nobody knows which lines belong together.

// partLine is the line before the lines of a run.
var partLine = regexp.MustCompile(`^# run [0-9]+: ([0-9]+) lines, sum ([0-9a-f]{8}), (no doubts|doubts)\r?$`)

// partHead writes it; it is empty where the n-th line of a cell is not its block n.
func partHead(number int, run *Run, trials []Trial) string {
	if len(trials) == 0 || trials[0].Env < 0 || !numbered(trials) {
		return ""
	}
	sum := uint32(0)
	for _, t := range trials {
		sum = addLine(sum, benchName(t, run.ProcsOf(t)), t)
	}
	doubts := "no doubts"
	if doubted(run, trials) {
		doubts = "doubts"
	}
	return fmt.Sprintf("# run %d: %d lines, sum %08x, %s\n", number, len(trials), sum, doubts)
}

// numbered reports whether the trials of each cell, in their order, are of the blocks
// 1, 2, 3 and so on, and known to be.
func numbered(trials []Trial) bool {
	lines := map[Cell]int{}
	for _, t := range trials {
		lines[t.Cell()]++
		if t.Block != lines[t.Cell()] || t.warned(WarnBlocks) {
			return false
		}
	}
	return true
}

// doubted reports whether anything speaks against trials that the format does not keep.
func doubted(run *Run, trials []Trial) bool {
	return slices.ContainsFunc(run.Errors(), func(o Outcome) bool { return o.Env == trials[0].Env }) ||
		slices.ContainsFunc(trials, func(t Trial) bool {
			return slices.ContainsFunc([]string{WarnDisturbed, WarnThrottled, WarnSlowStart, WarnStuck, WarnLeft, WarnKept}, t.warned)
		})
}

func (t Trial) warned(code string) bool {
	return slices.ContainsFunc(t.Warnings, func(w Warning) bool { return w.Code == code })
}

// addLine adds a line to a checksum: whose it is, and its two counts.
func addLine(sum uint32, name string, t Trial) uint32 {
	return crc32.Update(sum, crc32.IEEETable, fmt.Appendf(nil, "%s %d %d\n", name, t.Ops, t.WallNS))
}

// A part is what is read of the lines of one run.
type part struct {
	at       int // line of its head
	lines    int // as the head has it
	sum      uint32
	doubts   bool
	seen     int // lines so far
	computed uint32
	trials   []int // places among the run's trials
}

// add takes a line of the part.
func (p *part) add(name string, t Trial, place int) {
	p.seen++
	p.computed = addLine(p.computed, name, t)
	p.trials = append(p.trials, place)
}

// whole reports whether the lines are those that were written.
func (p *part) whole() bool { return p.lines > 0 && p.seen == p.lines && p.computed == p.sum }

// heads finds the heads of parts in a text that somebody else reads, too.
type heads struct {
	line  int // lines that have ended
	start []byte
	found []part
}

// longestHead is more than a head takes.
const longestHead = 128

func (h *heads) Write(text []byte) (int, error) {
	all := len(text)
	for {
		line, rest, ended := bytes.Cut(text, []byte("\n"))
		if room := longestHead - len(h.start); room > 0 {
			h.start = append(h.start, line[:min(len(line), room)]...)
		}
		if !ended {
			return all, nil
		}
		h.line++
		h.take()
		text = rest
	}
}

// take ends a line.
func (h *heads) take() {
	if words := partLine.FindSubmatch(h.start); words != nil {
		lines, _ := strconv.Atoi(string(words[1])) // one too long is 0, and never whole
		sum, _ := strconv.ParseUint(string(words[2]), 16, 32)
		h.found = append(h.found, part{at: h.line, lines: lines, sum: uint32(sum), doubts: string(words[3]) == "doubts"})
	}
	h.start = h.start[:0]
}
