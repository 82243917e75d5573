// Package paper is what text for a terminal is written on: it knows the columns there
// are, and breaks lines.
package paper

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/syncwrite/syncwrite/results"
)

// Columns of a terminal that text keeps to.
const (
	usual = 80
	least = 60
	most  = 200
)

// A Paper breaks text into lines.
type Paper struct {
	io.Writer
	Width int // columns
	color bool
}

// New returns a paper of the width, as far as text keeps to it; 0 means 80 columns.
func New(w io.Writer, width int, color bool) *Paper {
	if width == 0 {
		width = usual
	}
	return &Paper{w, min(max(width, least), most), color}
}

// Bold makes text stand out where the terminal can.
func (p *Paper) Bold(text string) string {
	if !p.color {
		return text
	}
	return "\x1b[1m" + text + "\x1b[0m"
}

// Paragraph writes text broken into lines, the first behind the mark, the others
// indented as far.
func (p *Paper) Paragraph(mark, text string) {
	for _, line := range p.broken(mark, text) {
		fmt.Fprintln(p, line)
	}
}

// Verbatim writes a line behind the mark as it is, however long, with all its blanks: what
// is pasted is not to be broken.
func (p *Paper) Verbatim(mark, text string) {
	fmt.Fprintln(p, mark+results.Printable(text))
}

// Heading is a paragraph that stands out.
func (p *Paper) Heading(text string) {
	for _, line := range p.broken("", text) {
		fmt.Fprintln(p, p.Bold(line))
	}
}

func (p *Paper) broken(mark, text string) []string {
	var lines []string
	indent := Spaces(Columns(mark))
	line, used := mark, Columns(mark)
	for i, word := range words(text) {
		n := Columns(word)
		if i > 0 && used+1+n > p.Width {
			lines = append(lines, line)
			line, used = indent, Columns(indent)
		} else if i > 0 {
			line += " "
			used++
		}
		line += word
		used += n
	}
	return append(lines, line)
}

// Columns is how many of them a text takes.
func Columns(text string) int { return utf8.RuneCountInString(text) }

// Spaces is so many of them, none if n is negative.
func Spaces(n int) string { return strings.Repeat(" ", max(n, 0)) }

// words splits at spaces; a number stays with its unit.
func words(text string) []string {
	var all []string
	for _, word := range strings.Fields(results.OneLine(text)) {
		if last := len(all) - 1; last >= 0 && bound(all[last], word) {
			all[last] += " " + word
			continue
		}
		all = append(all, word)
	}
	return all
}

// bound reports whether a line must not end between the two words.
func bound(before, word string) bool {
	word = strings.TrimRight(word, ".,:;)")
	digit := strings.ContainsAny(before[len(before)-1:], "0123456789")
	return digit && slices.Contains([]string{"%", "ns", "µs", "ms", "s"}, word) || word == "=" || strings.HasSuffix(before, " =")
}
