//go:build linux

package crashtest

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"time"
)

// A Row is what the crashes of one kind did to one backend.
type Row struct {
	Backend
	Kills, Images Sum
}

// A Sum adds up outcomes.
type Sum struct {
	Crashes, Lossy          int
	Acknowledged, Lost      uint64
	NotOpened, Wrong, Fscks int
}

func (s *Sum) add(o Outcome) {
	s.Crashes++
	s.Acknowledged += o.Acknowledged
	s.Lost += o.Lost
	for _, c := range []struct {
		is bool
		n  *int
	}{{o.Lost > 0, &s.Lossy}, {o.NotOpened != nil, &s.NotOpened}, {o.Wrong != nil, &s.Wrong}, {o.Fsck, &s.Fscks}} {
		if c.is {
			*c.n++
		}
	}
}

// Kept reports whether the log has kept its promise: nothing lost that must
// survive, and nothing there that was not appended. A log that promises
// process-crash may refuse to open after a power cut.
func (r Row) Kept() bool {
	switch wrong := r.Kills.Wrong + r.Images.Wrong; r.Survives {
	case "power-cut":
		return wrong == 0 && r.Kills.Lost+r.Images.Lost == 0 && r.Kills.NotOpened+r.Images.NotOpened == 0
	case "process-crash":
		return wrong == 0 && r.Kills.Lost == 0 && r.Kills.NotOpened == 0
	default:
		return wrong == 0
	}
}

// Measure crashes every backend of this project, kills times and images times.
func Measure(kills, images int, dir string, r *rand.Rand, progress func(string)) ([]Row, error) {
	var rows []Row
	for number, b := range Backends() {
		row := Row{Backend: b}
		err := Kills(Backends(), number, kills, dir, r, func(o Outcome, _ string) bool { row.Kills.add(o); return false })
		if err == nil {
			err = Images(Backends(), number, images, dir, r, func(o Outcome, _ string) bool { row.Images.add(o); return false })
		}
		if err != nil {
			return nil, fmt.Errorf("%s, %s: %w", b.Name, b.Level, err)
		}
		progress(fmt.Sprintf("%s, %s: %+v %+v", b.Name, b.Level, row.Kills, row.Images))
		rows = append(rows, row)
	}
	return rows, nil
}

// Markdown renders rows as a table, under a line that says what was measured.
func Markdown(rows []Row) string {
	var out strings.Builder
	if len(rows) > 0 {
		fmt.Fprintf(&out, "Made by `make crash` on %s, Linux %s, ext4. %d goroutines append values of 12 to %d bytes. Each log was ended by\n"+
			"kill -9 %d times, and %d crash images were taken of the disk beneath it while it was written.\n\n",
			time.Now().UTC().Format(time.DateOnly), kernel(), Goroutines, 12+maxFiller-1, rows[0].Kills.Crashes, rows[0].Images.Crashes)
	}
	fmt.Fprint(&out, "| log | level | promised to survive | lost to kill -9 | of | lost to a power cut | of | in how many images | did not open | wrong |\n")
	fmt.Fprint(&out, "|---|---|---|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, r := range rows {
		fmt.Fprintf(&out, "| %s | %s | %s | %s | %d | %s | %d | %d of %d | %d | %d |\n", r.Name, r.Level, r.Survives,
			share(r.Kills), r.Kills.Acknowledged, share(r.Images), r.Images.Acknowledged, r.Images.Lossy, r.Images.Crashes,
			r.Kills.NotOpened+r.Images.NotOpened, r.Kills.Wrong+r.Images.Wrong)
	}
	return out.String()
}

func kernel() string {
	release, err := os.ReadFile("/proc/sys/kernel/osrelease")
	if err != nil {
		return "of an unknown release"
	}
	return strings.TrimSpace(string(release))
}

// share is how much of what was acknowledged was lost.
func share(s Sum) string {
	if s.Lost == 0 {
		return "0"
	}
	percent := 100 * float64(s.Lost) / float64(s.Acknowledged)
	if percent < 1 {
		return fmt.Sprintf("%d (under 1 %%)", s.Lost)
	}
	return fmt.Sprintf("%d (%.0f %%)", s.Lost, percent)
}
