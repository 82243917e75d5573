package exit

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Unknown is a usage failure that suggests the nearest name.
func Unknown(kind, name string, known []string) error {
	err := fmt.Errorf("unknown %s %q", kind, name)
	if near := nearest(name, known); near != "" {
		return Usage(err, "did you mean "+near+"?")
	}
	return Usage(err, "one of: "+strings.Join(known, ", "))
}

// Flag is wrong usage of a command's flags, with the nearest one where one is not known.
func Flag(c *cobra.Command, err error) error {
	hint := "see " + c.CommandPath() + " --help"
	if unknown := (*pflag.NotExistError)(nil); errors.As(err, &unknown) {
		var known []string
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				known = append(known, f.Name)
			}
		})
		if near := nearest(unknown.GetSpecifiedName(), known); near != "" {
			hint = "did you mean --" + near + "? " + hint
		}
	}
	return Usage(err, hint)
}

// nearest is the known name that the fewest edits lead to; empty if none is
// close enough to be a typo.
func nearest(name string, known []string) string {
	best, least := "", max(2, len(name)/3)+1
	for _, k := range known {
		if d := distance(name, k); d < least {
			best, least = k, d
		}
	}
	return best
}

// distance counts the insertions, deletions and substitutions that lead from a
// to b (Wagner and Fischer, 1974).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			substituted := diagonal
			if a[i] != b[j] {
				substituted++
			}
			diagonal = row[j+1]
			row[j+1] = min(substituted, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// Verbs names the commands below one.
func Verbs(c *cobra.Command) []string {
	var names []string
	for _, sub := range c.Commands() {
		names = append(names, sub.Name())
	}
	return names
}
