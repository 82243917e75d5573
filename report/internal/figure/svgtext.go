package figure

import (
	"strings"
	"unicode"
)

const (
	fontSize   = 12.0
	lineHeight = 15.0
)

// advances are the widths of the printable ASCII characters in hundredths of
// the font size: the wider of DejaVu Sans and Liberation Sans. What other
// systems call their sans-serif is narrower than the first, so a measured text
// never turns out wider on the page.
var advances = [...]uint8{
	32, 41, 46, 84, 64, 96, 78, 28, 40, 40, 50, 84, 32, 37, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 34, 34, 84, 84, 84, 56,
	102, 69, 69, 73, 78, 67, 62, 78, 76, 30, 50, 67, 56, 87, 75, 79, 67, 79, 73, 67, 62, 74, 69, 99, 69, 67, 69, 40, 34, 40, 84, 56,
	50, 62, 64, 55, 64, 62, 36, 64, 64, 28, 28, 58, 28, 98, 64, 62, 64, 64, 42, 53, 40, 64, 60, 82, 60, 60, 53, 64, 34, 64, 84,
}

// measure says how wide a text is at most, in pixels at the figures' size.
// Characters beyond ASCII count as a full square, emoji included.
func measure(text string) float64 {
	width := 0.0
	for _, r := range text {
		if r >= ' ' && int(r-' ') < len(advances) {
			width += float64(advances[r-' ']) / 100
		} else if r < 0x2000 {
			width += 0.9
		} else {
			width += 1.35
		}
	}
	return width * fontSize
}

// bold is how much wider a bold text is, at most.
const bold = 1.16

// wrapHead breaks a bold title into lines.
func wrapHead(text string, width float64) []string { return wrap(text, width/bold) }

func widest(lines []string) float64 {
	most := 0.0
	for _, line := range lines {
		most = max(most, measure(line))
	}
	return most
}

// printable takes out what no drawing can show and XML forbids.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case r == unicode.ReplacementChar, !unicode.IsPrint(r):
			return '?'
		}
		return r
	}, text)
}

// wrap breaks text into lines of at most the given width: behind a space or a
// dash where it can, inside a word where it must.
func wrap(text string, width float64) []string {
	var lines []string
	rest := []rune(printable(text))
	for len(rest) > 0 {
		n := fitting(rest, width)
		lines = append(lines, strings.TrimSpace(string(rest[:n])))
		rest = rest[n:]
	}
	return lines
}

// fitting is how many runes go on the next line: at least one.
func fitting(rest []rune, width float64) int {
	n, breakable := 0, 0
	for n < len(rest) && measure(strings.TrimRight(string(rest[:n+1]), " ")) <= width {
		n++
		if r := rest[n-1]; r == ' ' || r == '-' || r == '=' {
			breakable = n
		}
	}
	switch {
	case n == len(rest):
		return n
	case breakable > 0:
		return breakable
	}
	return max(n, 1)
}

// Tight keeps a percent sign with its number.
func Tight(text string) string { return strings.ReplaceAll(text, " %", "\u00a0%") }
