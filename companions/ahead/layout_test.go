package main

import (
	"io"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// Day 7 of the month, so that a weekday or a day cannot be right by accident.
func TestLayouts(t *testing.T) {
	for layout, want := range map[string]string{
		"2006-01-02":                "2026-12-07",
		"02.01.2006":                "07.12.2026",
		"2.1.06":                    "7.12.26",
		"01/02/2006":                "12/07/2026",
		"20060102":                  "20261207",
		"2006_01_02":                "2026_12_07",
		"Mon Jan 2 2006":            "Mon Dec 7 2026",
		"Monday, 2 January 2006":    "Monday, 7 December 2026",
		"02Jan2006":                 "07Dec2026",
		"2 Jan '06":                 "7 Dec '26",
		"01_2006_02":                "12_2026_07",
		"Monday":                    "Monday",
		"2006-002":                  "2026-341",
		"2006年1月2日":                 "2026年12月7日",
		"2006년 1월 2일":               "2026년 12월 7일",
		"2006-01-02T15:04:05Z07:00": "2026-12-07T00:00:00Z",
		"2006-01-02T15:04:05-07:00": "2026-12-07T00:00:00+00:00",
		"20060102T150405Z":          "20261207T000000Z",
		"20060102150405":            "20261207000000",
		"2006-01-02Z07:00":          "2026-12-07Z",
		time.RFC1123:                "Mon, 07 Dec 2026 00:00:00 UTC",
		time.RFC1123Z:               "Mon, 07 Dec 2026 00:00:00 +0000",
		time.RFC822:                 "07 Dec 26 00:00 UTC",
		time.DateTime:               "2026-12-07 00:00:00",
	} {
		var stdout, stderr strings.Builder
		code := run([]string{"0d", "--from", "2026-12-07", "--format", layout}, now, &stdout, &stderr)
		if code != 0 || stdout.String() != want+"\n" {
			t.Errorf("%s: exit code %d, %q, %q; want %q", layout, code, stdout.String(), stderr.String(), want)
		}
	}
}

// Go prints each of these with a part as it stands, or with another part than was meant.
func TestLayoutsThatWouldPrintAWrongDate(t *testing.T) {
	for _, layout := range []string{
		"2. Januar 2006", "2 janvier 2006", "2 января 2006", "2006年一月2日", "2 JAN 2006", "2 Jän 2006", "2 Jan\u0301 2006", "January 2nd, 2006",
		"Friday, 2 January 2006", "Montag, 02.01.2006", "Mo 2.1.2006", "2006-01-02 (月)", "1月曜日", "MON 2006-01-02", "Monday January2006x",
		"d.m.2006", "d/m/y", "DD.01.2006", "%d.01.2006", "yyyy-01-02", "2006-W02", "Q1 2006",
		"21.11.2006", "31.12.2006", "3.4.2006", "03/04/2006", "05.06.2006", "2.1.2026", "2.1.99", "02-07-2006", "02.01.006", "02.01.２００６", "002006",
		"2006-01-01", "01.01.2006", "January 1, 2006", "02/06/2006", "2. 02. 2006",
		"2006_1_2", "2006_01_2", "2_2", "Mon Jan _2 2006", "2006__2", "01__2006", time.ANSIC,
		"15:04", "3:04PM", "T15:04:05Z07:00", "MST", "-", "",
	} {
		var stderr strings.Builder
		code := run([]string{"0d", "--from", "2026-12-07", "--format", layout}, now, io.Discard, &stderr)
		if code != 2 || !strings.HasPrefix(stderr.String(), "ahead: --format ") || strings.Count(stderr.String(), "\n") != 1 {
			t.Errorf("%s: exit code %d, %q", layout, code, stderr.String())
		}
	}
}

// Of what is taken, Go reads the same elements as we do.
func TestGoReadsALayoutAsWeDo(t *testing.T) {
	pieces := []string{"2006", "06", "January", "Jan", "01", "1", "02", "2", "_", "__", "002", "Monday", "Mon", "15", "15:04", "15:04:05", "T", "Z", "07:00", "0700", "-07:00",
		"04", "05", "MST", "PM", "0", "9", "3", "7", ".", ",", "-", " ", "年", "月", "x", "é"}
	date := time.Date(2031, 8, 29, 0, 0, 0, 0, time.UTC)
	rapid.Check(t, func(t *rapid.T) {
		layout := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 1, 6).Draw(t, "pieces"), "")
		if checkFormat(layout) != nil {
			return
		}
		ours := parts.ReplaceAllStringFunc(layout, func(part string) string {
			found := known.FindStringSubmatch(part)
			return element.ReplaceAllStringFunc(found[1], date.Format) + date.Format(found[2])
		})
		if theirs := date.Format(layout); theirs != ours {
			t.Fatalf("%s: Go prints %s, and we would %s", layout, theirs, ours)
		}
	})
}

// Go prints each element as it does alone, and each sign between them as it stands.
func TestNothingIsSwallowedBetweenElements(t *testing.T) {
	date := time.Date(2031, 8, 29, 0, 0, 0, 0, time.UTC)
	elements := []string{"2006", "06", "January", "Jan", "01", "1", "02", "2", "Monday", "Mon"}
	between := []string{"_", "__", "-_", "_ ", " ", "-", "/", ".", ", ", "(", "'", ":", "|", "–"}
	rapid.Check(t, func(t *rapid.T) {
		layout, want, seen := "", "", map[string]bool{}
		for _, one := range rapid.SliceOfN(rapid.SampledFrom(elements), 1, 6).Draw(t, "elements") {
			if seen[shows[one]] {
				continue
			}
			seen[shows[one]] = true
			sign := rapid.SampledFrom(between).Draw(t, "sign")
			layout, want = layout+sign+one, want+sign+date.Format(one)
		}
		err := checkFormat(layout)
		if err == nil && date.Format(layout) != want {
			t.Fatalf("%s: Go prints %s, not %s", layout, date.Format(layout), want)
		}
		if err != nil && !strings.Contains(layout, "_2") {
			t.Fatal(err)
		}
	})
}
