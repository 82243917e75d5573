package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/syncwrite/syncwrite/results"
)

// Widths of a terminal that text keeps to.
const (
	usualWidth = 80
	leastWidth = 60
	mostWidth  = 200
)

// A paper is what text is written on.
type paper struct {
	io.Writer
	width int // columns
	color bool
}

func newPaper(w io.Writer, o TextOptions) *paper {
	p := &paper{w, min(max(o.Width, leastWidth), mostWidth), o.Color}
	if o.Width == 0 {
		p.width = usualWidth
	}
	return p
}

// bold makes text stand out where the terminal can.
func (p *paper) bold(text string) string {
	if !p.color {
		return text
	}
	return "\x1b[1m" + text + "\x1b[0m"
}

// paragraph writes text broken into lines, the first behind the mark, the
// others indented as far.
func paragraph(w *paper, mark, text string) {
	indent := spaces(width(mark))
	line, used := mark, width(mark)
	for i, word := range words(text) {
		n := width(word)
		if i > 0 && used+1+n > w.width {
			fmt.Fprintln(w, line)
			line, used = indent, width(indent)
		} else if i > 0 {
			line += " "
			used++
		}
		line += word
		used += n
	}
	fmt.Fprintln(w, line)
}

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
