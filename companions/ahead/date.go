package main

import (
	"fmt"
	"time"
)

// What Go's layouts print in four digits, and read back.
const firstYear, lastYear = 1, 9999

// dayOf is the date that now has on the wall where now is, as a moment in UTC.
// All that follows reckons in UTC, where every day has 24 hours.
func dayOf(now time.Time) time.Time {
	return time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC)
}

// from returns the date that lies s from start: first years and months are
// added, then weeks and days. A month that has no such day ends on its last, and
// the note says so.
func (s span) from(start time.Time) (date time.Time, note string, err error) {
	date, note = addMonths(start, 12*s.years+s.months)
	date = date.AddDate(0, 0, 7*s.weeks+s.days)
	if date.Year() < firstYear || date.Year() > lastYear {
		return date, "", fmt.Errorf("%s from %s is not within the years %d to %d", s, start.Format(iso), firstYear, lastYear)
	}
	return date, note, nil
}

func addMonths(start time.Time, months int) (date time.Time, note string) {
	first := time.Date(start.Year(), start.Month()+time.Month(months), 1, 0, 0, 0, 0, time.UTC)
	last := first.AddDate(0, 1, -1)
	if start.Day() > last.Day() {
		return last, fmt.Sprintf("%s has no day %d: its last, %d, is taken", first.Format("January 2006"), start.Day(), last.Day())
	}
	return first.AddDate(0, 0, start.Day()-1), ""
}
