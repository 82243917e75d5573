package crashtest

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Row is what both rigs found out about one backend.
type Row struct {
	Backend       Backend
	Kills, Images Tally
	// Broken is the first outcome that broke the backend's promise, if any.
	Broken error
}

// Measure runs both rigs for every backend and shows each row when it is
// done. Images that changed while they were copied are set aside.
func Measure(backends []Backend, kills, images Options, progress func(Row)) ([]Row, error) {
	var rows []Row
	for _, b := range backends {
		killed, err := Kills(b, kills)
		if err != nil {
			return rows, err
		}
		cut, err := Images(b, images)
		if err != nil {
			return rows, err
		}
		cut = slices.DeleteFunc(cut, func(o Outcome) bool { return o.Fuzzy })
		row := Row{Backend: b, Kills: Count(killed), Images: Count(cut)}
		for _, o := range append(killed, cut...) {
			if err := b.Verdict(o); err != nil && row.Broken == nil {
				row.Broken = fmt.Errorf("%s, evidence in %s: %w", b.Name, o.Evidence, err)
			}
		}
		rows = append(rows, row)
		progress(row)
	}
	return rows, nil
}

// WriteTable renders rows as two tables in Markdown, one for each rig.
func WriteTable(w io.Writer, rows []Row) error {
	var out strings.Builder
	fmt.Fprintf(&out, "Made by `make crash` on %s: Linux %s, ext4, %d goroutines.\n\n", time.Now().UTC().Format(time.DateOnly), kernel(), writers)
	out.WriteString("After kill -9:\n\n")
	writeRows(&out, "kills", rows, func(r Row) Tally { return r.Kills })
	out.WriteString("\nIn crash images, which are what a power cut leaves:\n\n")
	writeRows(&out, "images", rows, func(r Row) Tally { return r.Images })
	_, err := io.WriteString(w, out.String())
	return err
}

func kernel() string {
	release, err := os.ReadFile("/proc/sys/kernel/osrelease")
	if err != nil {
		return "of an unknown release"
	}
	return strings.TrimSpace(string(release))
}

func writeRows(out *strings.Builder, runs string, rows []Row, of func(Row) Tally) {
	head := []string{"log", "level", "must survive", runs, "acknowledged", "with loss", "lost in all", "most in one", "would not open", "wrong content", "fsck"}
	fmt.Fprintf(out, "| %s |\n", strings.Join(head, " | "))
	out.WriteString("|---|---|---|" + strings.Repeat("---:|", len(head)-3) + "\n")
	for _, row := range rows {
		t := of(row)
		cells := []string{row.Backend.Name, row.Backend.Level, row.Backend.Survives}
		for _, n := range []int{t.Runs, t.Acknowledged, t.WithLoss, t.Lost, t.Most, t.Refused, t.Wrong, t.Fsck} {
			cells = append(cells, grouped(n))
		}
		fmt.Fprintf(out, "| %s |\n", strings.Join(cells, " | "))
	}
}

// grouped writes n with a comma before every three digits.
func grouped(n int) string {
	digits := strconv.Itoa(n)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}
