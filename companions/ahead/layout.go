package main

import (
	"fmt"
	"regexp"
	"strings"
)

var (
	// parts are the times and zones in a layout, and otherwise its runs of digits and of letters.
	// A Chinese, Japanese or Korean day, month or year belongs to the digits before it.
	parts = regexp.MustCompile(`T?15:?04(:?05)?|[Z-]07:?00\p{N}*|\p{N}+[年月日년월일]?|[\p{L}\p{M}]+`)
	// known is such a part if Go reads all of it: elements of a date, and what may follow them.
	known = regexp.MustCompile(`^((?:2006|002|06|02|01)+|[12]|January|Jan|Monday|Mon|)(|T?15:?04(?::?05)?|[Z-]07:?00|Z|MST|\b[年月日년월일])$`)

	element = regexp.MustCompile(`2006|002|06|02|01|2|1|January|Jan|Monday|Mon`)
)

// shows names what an element stands for.
var shows = map[string]string{
	"2006": "year", "06": "year",
	"January": "month", "Jan": "month", "01": "month", "1": "month",
	"02": "day", "2": "day", "002": "day of the year",
	"Monday": "weekday", "Mon": "weekday",
}

// checkFormat refuses a layout of which Go would print a part as it stands: the answer
// would have the same month in it, or the same weekday, whatever the date is.
func checkFormat(layout string) error {
	if padded(layout) {
		return fmt.Errorf("--format %q has _ directly before a 2, which Go takes for a day with blanks in front: write 02, or another sign than _", layout)
	}
	seen := map[string]bool{}
	for _, part := range parts.FindAllString(layout, -1) {
		found := known.FindStringSubmatch(part)
		if found == nil {
			return fmt.Errorf("--format %q has %q: it takes 2006 or 06, January, Jan, 01 or 1, 02 or 2, Monday or Mon, and no other letters or numbers", layout, part)
		}
		for _, one := range element.FindAllString(found[1], -1) {
			if seen[shows[one]] {
				return fmt.Errorf("--format %q has the %s twice: write it as you would 2 January 2006, such as 02.01.2006", layout, shows[one])
			}
			seen[shows[one]] = true
		}
	}
	if len(seen) == 0 {
		return fmt.Errorf("--format %q shows no date: write it as you would 2 January 2006, such as 02.01.2006", layout)
	}
	return nil
}

// padded tells whether Go reads _2 or __2 in it, and swallows the _. That of _2006 it prints.
func padded(layout string) bool {
	return strings.Contains(layout, "__2") || strings.Contains(strings.ReplaceAll(layout, "_2006", ""), "_2")
}
