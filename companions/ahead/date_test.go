package main

import (
	"testing"
	"time"
	_ "time/tzdata" // the zones below, where the machine has none

	"pgregory.net/rapid"
)

func day(text string) time.Time {
	date, err := time.Parse(iso, text)
	if err != nil {
		panic(err)
	}
	return date
}

// Days are those that Python's datetime counts; the rest was counted by hand.
func TestKnownDates(t *testing.T) {
	for _, c := range []struct{ from, span, want string }{
		{"2026-11-21", "3w2d", "2026-12-14"},
		{"2026-11-21", "-3w", "2026-10-31"},
		{"2026-11-21", "3w2d ago", "2026-10-29"},
		{"2026-11-21", "0d", "2026-11-21"},
		{"1969-07-16", "8d", "1969-07-24"},         // Apollo 11: launch to splashdown
		{"1970-01-01", "10000d", "1997-05-19"},     // day 10,000 of Unix time
		{"2000-01-01", "-36524d", "1900-01-01"},    // the 20th century had 36,524 days: 1900 was no leap year
		{"2100-01-01", "36525d ago", "2000-01-01"}, // these had one more: 2000 was
		{"0001-01-01", "3652058d", "9999-12-31"},
		{"2024-02-28", "1d", "2024-02-29"},
		{"2023-02-28", "1d", "2023-03-01"},
		{"1900-02-28", "1d", "1900-03-01"},
		{"2000-02-28", "1d", "2000-02-29"},
		{"2024-02-29", "4y", "2028-02-29"},
		{"2026-01-31", "2m", "2026-03-31"}, // not by way of 28 February
		{"2026-12-31", "1m", "2027-01-31"},
		{"2026-01-15", "13m", "2027-02-15"},
		{"2026-01-15", "-13m", "2024-12-15"},
		{"2026-11-21", "1y1m1w1d", "2027-12-29"},
	} {
		date, note := mustFrom(t, c.from, c.span)
		if got := date.Format(iso); got != c.want || note != "" {
			t.Errorf("%s from %s: %s (%q), want %s", c.span, c.from, got, note, c.want)
		}
	}
}

func mustFrom(t *testing.T, start, text string) (time.Time, string) {
	t.Helper()
	s, err := parseSpan(text)
	if err != nil {
		t.Fatal(err)
	}
	date, note, err := s.from(day(start))
	if err != nil {
		t.Fatal(err)
	}
	return date, note
}

func TestMonthWithoutSuchADayEndsOnItsLast(t *testing.T) {
	for _, c := range []struct{ from, span, want, note string }{
		{"2026-01-31", "1m", "2026-02-28", "February 2026 has no day 31: its last, 28, is taken"},
		{"2028-01-30", "1m", "2028-02-29", "February 2028 has no day 30: its last, 29, is taken"},
		{"2026-03-31", "-1m", "2026-02-28", "February 2026 has no day 31: its last, 28, is taken"},
		{"2026-05-31", "1m", "2026-06-30", "June 2026 has no day 31: its last, 30, is taken"},
		{"2024-02-29", "1y", "2025-02-28", "February 2025 has no day 29: its last, 28, is taken"},
		{"2000-02-29", "100y ago", "1900-02-28", "February 1900 has no day 29: its last, 28, is taken"},
		{"2026-01-31", "1m1d", "2026-03-01", "February 2026 has no day 31: its last, 28, is taken"},
	} {
		date, note := mustFrom(t, c.from, c.span)
		if got := date.Format(iso); got != c.want || note != c.note {
			t.Errorf("%s from %s: %s (%q), want %s (%q)", c.span, c.from, got, note, c.want, c.note)
		}
	}
}

func TestOutsideTheCalendar(t *testing.T) {
	for _, c := range []struct {
		from string
		s    span
	}{
		{"9999-12-31", span{days: 1}},
		{"0001-01-01", span{days: -1}},
		{"2026-11-21", span{limit, limit, limit, limit}},
		{"2026-11-21", span{-limit, -limit, -limit, -limit}},
	} {
		if date, _, err := c.s.from(day(c.from)); err == nil {
			t.Errorf("%v from %s: %s, want an error", c.s, c.from, date)
		}
	}
}

// A day is one on the calendar, however long it is on the clock.
func TestZonesDoNotShiftADay(t *testing.T) {
	for _, c := range []struct{ zone, now, span, want string }{
		{"America/New_York", "2026-03-07 23:30", "1d", "2026-03-08"}, // then a day of 23 hours
		{"America/New_York", "2026-03-07 23:30", "2d", "2026-03-09"},
		{"America/New_York", "2026-11-01 00:10", "1d", "2026-11-02"}, // a day of 25 hours
		{"America/New_York", "2026-11-02 00:10", "1d ago", "2026-11-01"},
		{"America/Sao_Paulo", "2018-11-03 12:00", "1d", "2018-11-04"}, // it had no midnight
		{"Pacific/Apia", "2011-12-29 12:00", "1d", "2011-12-30"},      // nobody there lived it
		{"Pacific/Kiritimati", "2026-11-21 00:30", "3w", "2026-12-12"},
		{"Pacific/Pago_Pago", "2026-11-21 23:30", "3w", "2026-12-12"},
	} {
		zone, err := time.LoadLocation(c.zone)
		if err != nil {
			t.Fatal(err)
		}
		now, err := time.ParseInLocation(iso+" 15:04", c.now, zone)
		if err != nil {
			t.Fatal(err)
		}
		s, err := parseSpan(c.span)
		if err != nil {
			t.Fatal(err)
		}
		date, _, err := s.from(dayOf(now))
		if err != nil || date.Format(iso) != c.want {
			t.Errorf("%s at %s in %s: %s, want %s", c.span, c.now, c.zone, date.Format(iso), c.want)
		}
	}
}

// daysBefore counts the days from 1 January of the year 1 month by month. It
// knows the calendar from its rule alone, and nothing of package time.
func daysBefore(year, month, dayOfMonth int) int {
	days := dayOfMonth - 1 + 365*(year-1) + (year-1)/4 - (year-1)/100 + (year-1)/400
	for m := 1; m < month; m++ {
		days += lengthOf(year, m)
	}
	return days
}

func lengthOf(year, month int) int {
	switch month {
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

func drawDate(t *rapid.T) time.Time {
	year, month := rapid.IntRange(100, 9000).Draw(t, "year"), rapid.IntRange(1, 12).Draw(t, "month")
	dayOfMonth := rapid.IntRange(1, lengthOf(year, month)).Draw(t, "day")
	return time.Date(year, time.Month(month), dayOfMonth, 0, 0, 0, 0, time.UTC)
}

func ordinal(date time.Time) int { return daysBefore(date.Year(), int(date.Month()), date.Day()) }

func TestDaysAndWeeksAreCounted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		start := drawDate(t)
		weeks, days := rapid.IntRange(0, 2000).Draw(t, "weeks"), rapid.IntRange(0, 20000).Draw(t, "days")
		sign := rapid.SampledFrom([]int{1, -1}).Draw(t, "sign")
		date, note, err := span{weeks: sign * weeks, days: sign * days}.from(start)
		if err != nil || note != "" {
			t.Fatalf("%v (%q)", err, note)
		}
		if got, want := ordinal(date)-ordinal(start), sign*(7*weeks+days); got != want {
			t.Fatalf("%d days further, want %d", got, want)
		}
	})
}

func TestMonthsKeepTheDayOrEndOnTheLast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		start := drawDate(t)
		years, months := rapid.IntRange(-90, 90).Draw(t, "years"), rapid.IntRange(0, 100).Draw(t, "months")
		if years < 0 {
			months = -months
		}
		date, note, err := span{years: years, months: months}.from(start)
		if err != nil {
			t.Fatal(err)
		}
		index := func(d time.Time) int { return 12*d.Year() + int(d.Month()) }
		if got, want := index(date)-index(start), 12*years+months; got != want {
			t.Fatalf("%s is %d months further, want %d", date, got, want)
		}
		want := min(start.Day(), lengthOf(date.Year(), int(date.Month())))
		if date.Day() != want || (note != "") != (want != start.Day()) {
			t.Fatalf("%s (%q), want day %d", date, note, want)
		}
	})
}

// Whoever goes ahead and back by days is where they were; a later start does not
// lead to an earlier end.
func TestThereAndBackAndInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawDate(t), drawDate(t)
		s := span{weeks: rapid.IntRange(0, 500).Draw(t, "weeks"), days: rapid.IntRange(0, 5000).Draw(t, "days")}
		there, _, _ := s.from(a)
		if back, _, _ := (span{weeks: -s.weeks, days: -s.days}).from(there); !back.Equal(a) {
			t.Fatalf("%s and back: %s, not %s", s, back, a)
		}
		s.months = rapid.IntRange(0, 500).Draw(t, "months")
		endA, _, _ := s.from(a)
		endB, _, _ := s.from(b)
		if a.Before(b) && endA.After(endB) || b.Before(a) && endB.After(endA) {
			t.Fatalf("%s from %s and %s: %s and %s", s, a, b, endA, endB)
		}
	})
}
