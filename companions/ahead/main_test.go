package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// now is late in the evening, in a zone where the date of UTC is the next one.
var now = time.Date(2026, 11, 21, 23, 30, 0, 0, time.FixedZone("", -5*3600))

func Example() {
	run([]string{"3w2d", "--from", "2026-11-21"}, now, os.Stdout, os.Stderr)
	run([]string{"-3w", "--from", "2026-11-21", "--format", "2 January 2006"}, now, os.Stdout, os.Stderr)
	// Output:
	// 2026-12-14
	// 31 October 2026
}

func TestArguments(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"3w2d", "2026-12-14"}, // from today
		{"-3w", "2026-10-31"},
		{"3w ago", "2026-10-31"},
		{"--from 2026-01-01 -3w", "2025-12-11"},
		{"-3w --from 2026-01-01", "2025-12-11"},
		{"-from=2026-01-01 3 weeks ago", "2025-12-11"},
		{"--format 02.01.2006 1d", "22.11.2026"},
		{"--format=Monday 1d", "Sunday"},
		{"--format=20060102 1d", "20261122"},
		{"1d --from 2026-01-01 --from 2026-05-05", "2026-05-06"},
	} {
		var stdout, stderr strings.Builder
		code := run(strings.Fields(c.args), now, &stdout, &stderr)
		if code != 0 || stdout.String() != c.want+"\n" || stderr.Len() > 0 {
			t.Errorf("%s: exit code %d, %q, %q", c.args, code, stdout.String(), stderr.String())
		}
	}
}

func TestLastOfMonthIsSaid(t *testing.T) {
	var stdout, stderr strings.Builder
	code := run([]string{"1m", "--from", "2026-01-31"}, now, &stdout, &stderr)
	want := "ahead: note: February 2026 has no day 31: its last, 28, is taken\n"
	if code != 0 || stdout.String() != "2026-02-28\n" || stderr.String() != want {
		t.Errorf("exit code %d, %q, %q", code, stdout.String(), stderr.String())
	}
}

func TestBadInputIsOneLineAndExitCode2(t *testing.T) {
	for _, args := range [][]string{
		{}, {""}, {"3"}, {"3x"}, {"3w", "3w"}, {"--from"}, {"--format"}, {"--from", "2026-02-30", "1d"}, {"--from", "today", "1d"},
		{"--from", "0000-12-31", "1d"}, {"--from", "10000-01-01", "1d"}, {"--from=", "1d"}, {"--format", "", "1d"}, {"--format", "YYYY-MM-DD", "1d"},
		{"--format", "2026-11-21", "1d"}, {"--format", "21.11.2026", "1d"}, {"--format", "MM/DD/2006", "1d"}, {"--format", "%d 2006", "1d"},
		{"--verbose", "1d"}, {"-x"}, {"-"}, {"--"}, {"--", "1d"}, {"9999999y"}, {"-9999999y"}, {"8000y"}, {"99999999999999999999d"},
		{"3w\n\x1b[31m"}, {"--from", "a\nb", "1d"}, {"--a\nb"},
	} {
		var stdout, stderr strings.Builder
		code := run(args, now, &stdout, &stderr)
		line := stderr.String()
		if code != 2 || stdout.Len() > 0 || !strings.HasPrefix(line, "ahead: ") || strings.Count(line, "\n") != 1 || strings.Contains(line, "\x1b") {
			t.Errorf("%q: exit code %d, %q, %q", args, code, stdout.String(), line)
		}
	}
}

func TestHelp(t *testing.T) {
	var stdout, stderr strings.Builder
	if code := run([]string{"--help"}, now, &stdout, &stderr); code != 0 || stdout.String() != usage || stderr.Len() > 0 {
		t.Errorf("exit code %d, %q, %q", code, stdout.String(), stderr.String())
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestAnswerThatCannotBeWritten(t *testing.T) {
	var stderr strings.Builder
	if code := run([]string{"1d"}, now, full{}, &stderr); code != 1 || stderr.String() != "ahead: no space left on device\n" {
		t.Errorf("exit code %d, %q", code, stderr.String())
	}
}

// zoneFile writes a file with a zone.
func zoneFile(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "zone")
	// As RFC 9636 has it: version 1, one type of local time, one hour ahead and called CET.
	data := "TZif" + strings.Repeat("\x00", 35) + "\x01" + "\x00\x00\x00\x04" + "\x00\x00\x0e\x10\x00\x00" + "CET\x00"
	if err := os.WriteFile(file, []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// Where today is asked for, TZ must be a zone that Go knows.
func TestZoneOfToday(t *testing.T) {
	for tz, known := range map[string]bool{"": true, "UTC": true, ":Europe/Berlin": true, "Pacific/Auckland": true, "UTC+12": false, "Europe/Berlim": false, "Local": false, ":/dev/null": false, "/etc/passwd": false, zoneFile(t): true, "CET-1CEST,M3.5.0,M10.5.0/3": false} {
		t.Setenv("TZ", tz)
		var stderr strings.Builder
		if code := run([]string{"1d"}, now, io.Discard, &stderr); (code == 0) != known || !known && code != 2 {
			t.Errorf("%q: exit code %d, %q", tz, code, stderr.String())
		}
		for _, from := range [][]string{{"1d", "--from", "2026-11-21"}, {"1d", "-from=2026-11-21"}, {"--help"}} {
			if code := run(from, now, io.Discard, &stderr); code != 0 {
				t.Errorf("%q, %q: exit code %d, %q", tz, from, code, stderr.String())
			}
		}
	}
}
