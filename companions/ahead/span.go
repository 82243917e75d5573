package main

import (
	"errors"
	"fmt"
	"strings"
)

// A span is a time in the units of the calendar. Either none of its numbers is
// negative, or none is positive.
type span struct{ years, months, weeks, days int }

// limit is more days than there are from the first year to the last: no number
// above it can be right, and none below overflows.
const limit = 9_999_999

// parseSpan reads 3w2d, -3w, "3w ago", "2 months".
func parseSpan(text string) (span, error) {
	rest := strings.TrimSpace(text)
	rest, ago := cutAgo(rest)
	rest, minus := strings.CutPrefix(rest, "-")
	if ago && minus {
		return span{}, fmt.Errorf("%q goes back twice: leave out the minus or the word ago", text)
	}
	if rest == "" {
		return span{}, errors.New("how far? give a span of time such as 3w2d")
	}
	s, err := parseUnits(rest)
	if err != nil {
		return span{}, fmt.Errorf("%q: %w", text, err)
	}
	if ago || minus {
		s = span{-s.years, -s.months, -s.weeks, -s.days}
	}
	return s, nil
}

func cutAgo(text string) (rest string, ago bool) {
	rest, ago = strings.CutSuffix(text, "ago")
	return strings.TrimSpace(rest), ago
}

// parseUnits reads numbers and their units, each unit at most once, in any order.
func parseUnits(rest string) (s span, err error) {
	seen := map[*int]bool{}
	for rest != "" {
		var number int
		var unit string
		number, unit, rest, err = cutPart(rest)
		if err != nil {
			return span{}, err
		}
		field := s.unit(unit)
		if field == nil {
			return span{}, fmt.Errorf("%q is no unit: d, w, m and y are days, weeks, months and years", unit)
		}
		if seen[field] {
			return span{}, fmt.Errorf("the unit %q is there twice", unit)
		}
		seen[field] = true
		*field = number
	}
	return s, nil
}

// cutPart takes a number and the word after it from the front of text.
func cutPart(text string) (number int, unit, rest string, err error) {
	digits := text[:len(text)-len(strings.TrimLeft(text, "0123456789"))]
	if digits == "" {
		return 0, "", "", fmt.Errorf("a number is missing before %q", text)
	}
	for _, digit := range digits {
		number = number*10 + int(digit-'0')
		if number > limit {
			return 0, "", "", fmt.Errorf("%s is too many", digits)
		}
	}
	after := strings.TrimLeft(text[len(digits):], " ")
	end := strings.IndexAny(after, "0123456789 ")
	if end < 0 {
		end = len(after)
	}
	if end == 0 {
		return 0, "", "", fmt.Errorf("a unit is missing after %s: d, w, m or y", digits)
	}
	return number, after[:end], strings.TrimLeft(after[end:], " "), nil
}

// unit returns the field that a word counts, nil for a word that is no unit.
func (s *span) unit(word string) *int {
	switch word {
	case "d", "day", "days":
		return &s.days
	case "w", "week", "weeks":
		return &s.weeks
	case "m", "month", "months":
		return &s.months
	case "y", "year", "years":
		return &s.years
	}
	return nil
}

// String writes a span as parseSpan reads it.
func (s span) String() string {
	var b strings.Builder
	back := s.years < 0 || s.months < 0 || s.weeks < 0 || s.days < 0
	for _, part := range []struct {
		number int
		unit   string
	}{{s.years, "y"}, {s.months, "m"}, {s.weeks, "w"}, {s.days, "d"}} {
		if part.number != 0 {
			fmt.Fprintf(&b, "%d%s", max(part.number, -part.number), part.unit)
		}
	}
	switch {
	case b.Len() == 0:
		return "0d"
	case back:
		return "-" + b.String()
	}
	return b.String()
}
