package analysis

import (
	"fmt"
	"strings"

	"github.com/syncwrite/syncwrite/results"
)

// words says which promise the class is about, leaving out what all variants
// of the experiment share.
func (c class) words() string {
	if c.alone {
		return ""
	}
	var parts []string
	if c.shared.Order == "" {
		parts = append(parts, "keeps "+strings.Replace(c.promise.Order, "none", "no", 1)+" order")
	}
	if c.shared.Result == "" {
		parts = append(parts, "has "+c.promise.Result+" results")
	}
	if c.shared.Survives == "" {
		parts = append(parts, "survives "+survives(c.promise.Survives))
	}
	return "of what " + strings.Join(parts, " and ") + ", "
}

func survives(word string) string {
	switch word {
	case "process-crash":
		return "a process crash"
	case "power-cut":
		return "a power cut"
	}
	return word
}

func names(groups []*series) string {
	var all []string
	for _, g := range groups {
		all = append(all, g.variant.Name)
	}
	if len(all) < 2 {
		return strings.Join(all, "")
	}
	return strings.Join(all[:len(all)-1], ", ") + " and " + all[len(all)-1]
}

func plural(e results.Experiment) string {
	if e.Unit == "" {
		return "operations"
	}
	return e.Unit + "s"
}

func goroutines(n int) string {
	if n == 1 {
		return "1 goroutine"
	}
	return fmt.Sprintf("%d goroutines", n)
}

func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }
