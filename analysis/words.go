package analysis

import (
	"fmt"
	"strings"

	"github.com/syncwrite/syncwrite/results"
)

// who says which promise the class is about, leaving out what all variants of
// the experiment share: "of those that survive a power cut, ".
func (c class) who() string {
	if c.alone {
		return ""
	}
	return "of those that " + c.phrases("keep", "give", "survive") + ", "
}

// whoAlone is who for a class of one: "alone in surviving a power cut, ".
func (c class) whoAlone() string {
	return "alone in " + c.phrases("keeping", "giving", "surviving") + ", "
}

func (c class) phrases(keep, give, survive string) string {
	var parts []string
	if c.shared.Order == "" {
		parts = append(parts, keep+" "+wording(c.promise.Order, map[string]string{
			"total": "total order", "per-caller": "each caller's order", "none": "no order",
		}))
	}
	if c.shared.Result == "" {
		parts = append(parts, give+" "+c.promise.Result+" results")
	}
	if c.shared.Survives == "" {
		parts = append(parts, survive+" "+wording(c.promise.Survives, map[string]string{
			"nothing": "no crash", "process-crash": "a process crash", "power-cut": "a power cut",
		}))
	}
	return listed(parts)
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

func names(groups []*series) string {
	var all []string
	for _, g := range groups {
		all = append(all, g.variant.Name)
	}
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
