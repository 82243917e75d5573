package analysis

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/syncwrite/syncwrite/results"
)

// label says which promise the class is about, leaving out what all variants of
// the experiment share: "Survives a power cut". It is empty where they share all.
func (c class) label() string {
	if !c.stated() {
		return "No promise stated"
	}
	var parts []string
	if c.shared.Survives == "" {
		parts = append(parts, wording(c.promise.Survives, map[string]string{
			"nothing": "without crash safety", "process-crash": "survives a process crash",
			"power-cut": "survives a power cut", "machine-loss": "survives the loss of a machine",
		}))
	}
	if c.shared.Order == "" {
		parts = append(parts, wording(c.promise.Order, map[string]string{
			"total": "in total order", "per-caller": "in each caller's order", "none": "in no order",
		}))
	}
	if c.shared.Result == "" {
		parts = append(parts, wording(c.promise.Result, map[string]string{
			results.Lossy: "may lose operations", results.Undefined: "a data race", results.Unstated: "no promise stated", "unique": "unique results",
		}))
	}
	text := strings.Join(parts, ", ")
	if text == "" {
		return ""
	}
	return capital(text)
}

func capital(text string) string { return withFirst(text, unicode.ToUpper) }

func withFirst(text string, change func(rune) rune) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(change(first)) + text[size:]
}

// wording turns a word of the vocabulary into English; one that this program
// does not know stays as it is.
func wording(word string, english map[string]string) string {
	if text, known := english[word]; known {
		return text
	}
	return word
}

// mostNames is how many names a sentence can carry.
const mostNames = 8

func listOf(allSeries []*series) string {
	var all []string
	for _, g := range allSeries {
		all = append(all, g.variant.Name)
	}
	return capped(all)
}

// capped lists as many names as a sentence can carry, and counts the others.
func capped(all []string) string {
	if left := len(all) - mostNames; left > 1 {
		all = append(all[:mostNames], fmt.Sprintf("%d others", left))
	}
	return listed(all)
}

// listed joins words as English does: a, b and c.
func listed(all []string) string {
	if len(all) < 2 {
		return strings.Join(all, "")
	}
	return strings.Join(all[:len(all)-1], ", ") + " and " + all[len(all)-1]
}

func plural(e results.Experiment) string {
	unit := e.Unit
	switch {
	case unit == "":
		return "operations"
	case strings.HasSuffix(unit, "y") && !strings.ContainsAny(unit[max(len(unit)-2, 0):len(unit)-1], "aeiou"):
		return unit[:len(unit)-1] + "ies"
	case strings.HasSuffix(unit, "s"), strings.HasSuffix(unit, "x"), strings.HasSuffix(unit, "ch"), strings.HasSuffix(unit, "sh"):
		return unit + "es"
	}
	return unit + "s"
}

func goroutines(n int) string {
	if n == 1 {
		return "1 goroutine"
	}
	return fmt.Sprintf("%d goroutines", n)
}
