package main

import (
	"testing"

	"pgregory.net/rapid"
)

func TestSpansAreRead(t *testing.T) {
	for text, want := range map[string]span{
		"3w2d":                 {weeks: 3, days: 2},
		"2d3w":                 {weeks: 3, days: 2},
		"3w 2d":                {weeks: 3, days: 2},
		" 3 weeks  2 days ":    {weeks: 3, days: 2},
		"1 year 1 month":       {years: 1, months: 1},
		"1y6m":                 {years: 1, months: 6},
		"0d":                   {},
		"-0d":                  {},
		"007d":                 {days: 7},
		"-3w2d":                {weeks: -3, days: -2},
		"3w2d ago":             {weeks: -3, days: -2},
		"3 weeks 2 days   ago": {weeks: -3, days: -2},
		"9999999d":             {days: limit},
	} {
		if got, err := parseSpan(text); err != nil || got != want {
			t.Errorf("%q: %v, %v; want %v", text, got, err, want)
		}
	}
}

func TestNoSpans(t *testing.T) {
	for _, text := range []string{
		"", " ", "-", "ago", "-ago", "3", "w", "w3", "3x", "3W", "3h", "3w3w", "3d 3 days", "3w-2d", "--3w", "-3w ago",
		"3w ago ago", "ago 3w", "3.5w", "3,000d", "1e3d", "10000000d", "99999999999999999999999d", "３w", "3ｗ", "−3w",
		"3w\x00", "3w\xff", "3w\n2d", "1_000d", "0x10d",
	} {
		if got, err := parseSpan(text); err == nil {
			t.Errorf("%q: %v, want an error", text, got)
		}
	}
}

func TestAnySpanIsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.IntRange(0, limit)
		s := span{number.Draw(t, "years"), number.Draw(t, "months"), number.Draw(t, "weeks"), number.Draw(t, "days")}
		if rapid.Bool().Draw(t, "back") {
			s = span{-s.years, -s.months, -s.weeks, -s.days}
		}
		if got, err := parseSpan(s.String()); err != nil || got != s {
			t.Fatalf("%s: %v, %v", s, got, err)
		}
	})
}

func FuzzSpan(f *testing.F) {
	f.Add("3w2d ago")
	f.Add("-1 year")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := parseSpan(text)
		if err != nil {
			return
		}
		if again, err := parseSpan(s.String()); err != nil || again != s {
			t.Errorf("%q is %v, and %s is %v, %v", text, s, s, again, err)
		}
		_, _, _ = s.from(day("2026-11-21"))
	})
}
