package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

const (
	iso   = "2006-01-02"
	usage = `usage: ahead SPAN [ago] [--from 2026-11-21] [--format 2006-01-02]
  SPAN    3w2d, 1y6m, "2 months"; -3w is the same as 3w ago; m is months
  --from  the date to start from, year first; today if it is not given
  --format  how to print it, in Go's way: the date 2006-01-02 as you want to see it;
          the year is 2006 or 06, the month January, Jan, 01 or 1, the day 02 or 2,
          the weekday Monday or Mon, each once; no other letters or numbers
`
)

func main() {
	os.Exit(run(os.Args[1:], time.Now(), os.Stdout, os.Stderr))
}

// checkZone refuses a TZ of which Go knows no zone, such as the rule UTC+12, Local, or a file
// that holds none: today would be the date in UTC.
func checkZone(tz string) error {
	if knownZone(strings.TrimPrefix(tz, ":")) {
		return nil
	}
	return fmt.Errorf("TZ %q is no name of a time zone, such as Europe/Berlin: give --from", tz)
}

func knownZone(name string) bool {
	if !filepath.IsAbs(name) {
		_, err := time.LoadLocation(name)
		return err == nil && name != "Local"
	}
	file, err := os.Open(name)
	if err != nil {
		return false
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, 1<<20))
	if err == nil {
		_, err = time.LoadLocationFromTZData(name, data)
	}
	return err == nil
}

// run is the command. It returns the exit code: 2 for what it cannot answer, 1
// where the answer cannot be written.
func run(args []string, now time.Time, stdout, stderr io.Writer) int {
	asked, err := parseArgs(args, now)
	if err == nil && asked.help {
		_, err := io.WriteString(stdout, usage)
		return written(err, stderr)
	}
	if err == nil && asked.today {
		err = checkZone(os.Getenv("TZ"))
	}
	var date time.Time
	var note string
	if err == nil {
		date, note, err = asked.span.from(asked.from)
	}
	if err != nil {
		fmt.Fprintln(stderr, "ahead:", err)
		return 2
	}
	if note != "" {
		fmt.Fprintln(stderr, "ahead: note:", note)
	}
	_, err = fmt.Fprintln(stdout, date.Format(asked.format))
	return written(err, stderr)
}

func written(err error, stderr io.Writer) int {
	if err != nil {
		fmt.Fprintln(stderr, "ahead:", err)
		return 1
	}
	return 0
}

type request struct {
	span   span
	from   time.Time
	today  bool // no other day was named
	format string
	help   bool
}

// parseArgs reads the arguments by hand, because to package flag -3w is a flag.
func parseArgs(args []string, now time.Time) (request, error) {
	asked := request{from: dayOf(now), today: true, format: iso}
	var words []string
	for len(args) > 0 {
		word := args[0]
		args = args[1:]
		if !strings.HasPrefix(word, "-") || startsBack(word) {
			words = append(words, word)
			continue
		}
		name, value, given := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(word, "-"), "-"), "=")
		if name == "h" || name == "help" {
			return request{help: true}, nil
		}
		if name != "from" && name != "format" {
			return asked, fmt.Errorf("%q is neither a span of time nor --from or --format", word)
		}
		if !given {
			if len(args) == 0 {
				return asked, fmt.Errorf("--%s needs a value", name)
			}
			value, args = args[0], args[1:]
		}
		if err := asked.set(name, value); err != nil {
			return asked, err
		}
	}
	var err error
	asked.span, err = parseSpan(strings.Join(words, " "))
	return asked, err
}

// startsBack tells whether a word such as -3w begins a span that goes back.
func startsBack(word string) bool {
	return len(word) > 1 && word[1] >= '0' && word[1] <= '9'
}

func (r *request) set(name, value string) (err error) {
	if name == "format" {
		r.format = value
		return checkFormat(value)
	}
	r.today = false
	r.from, err = time.Parse(iso, value)
	if err != nil {
		return fmt.Errorf("--from %q is no date such as 2026-11-21", value)
	}
	if r.from.Year() < firstYear {
		return errors.New("--from must lie within the years 1 to 9999")
	}
	return nil
}
