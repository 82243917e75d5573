package harness

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Between accepts whole numbers from low to high as the levels of a factor.
func Between(low, high int) func(level string) error {
	return func(level string) error {
		if n, err := strconv.Atoi(level); err != nil || n < low || n > high {
			return fmt.Errorf("level %q: not a whole number from %d to %d", level, low, high)
		}
		return nil
	}
}

// OneOf accepts the named levels of a factor.
func OneOf(known ...string) func(level string) error {
	return func(level string) error {
		if !slices.Contains(known, level) {
			return fmt.Errorf("level %q: not one of %s", level, strings.Join(known, ", "))
		}
		return nil
	}
}
