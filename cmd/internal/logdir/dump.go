package logdir

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/syncwrite/syncwrite/cmd/internal/exit"
	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/subject/commitlog"
)

func dumpCommand() *cobra.Command {
	var from, limit number
	var format string
	c := &cobra.Command{
		Use:   "dump DIR",
		Short: "Print the entries of a log that can be read",
		Long: `dump prints the entries of the log in DIR in order, one a line, those behind
damage included. It changes nothing and takes no lock. What cannot be read it
names on stderr and goes on behind it; it exits 1 if an entry is missing.

Formats: text is the index, a tab and the value as a quoted Go string; raw is
the value and a newline; jsonl is {"index":0,"value":"<base64>"}.`,
		Example: `  syncwrite commitlog dump events.log --from 1000 --limit 10
  syncwrite commitlog dump events.log --format raw > values`,
		Args: oneDir,
		RunE: func(c *cobra.Command, args []string) error {
			d := &dump{dir: args[0], from: from.value, limit: limit, put: entryFormats[format], out: bufio.NewWriterSize(os.Stdout, 64<<10), stderr: os.Stderr}
			if err := d.check(format); err != nil {
				return err
			}
			_, err := untilInterrupted(c.Context(), func() (struct{}, error) { return struct{}{}, d.run() })
			return err
		},
	}
	c.Flags().Var(&from, "from", "index of the first entry to print")
	c.Flags().Var(&limit, "limit", "how many entries to print at most")
	c.Flags().StringVar(&format, "format", "text", "format of an entry: "+strings.Join(entryFormatNames, ", "))
	return c
}

var entryFormatNames = []string{"text", "raw", "jsonl"}

// entryFormats write one entry as a line.
var entryFormats = map[string]func([]byte, commitlog.Entry) []byte{
	"text": func(b []byte, e commitlog.Entry) []byte {
		b = append(strconv.AppendUint(b, e.Index, 10), '\t')
		return append(strconv.AppendQuote(b, string(e.Value)), '\n')
	},
	"raw": func(b []byte, e commitlog.Entry) []byte { return append(append(b, e.Value...), '\n') },
	"jsonl": func(b []byte, e commitlog.Entry) []byte {
		line, _ := json.Marshal(struct { // of such a value it cannot fail
			Index uint64 `json:"index"`
			Value []byte `json:"value"`
		}{e.Index, e.Value})
		return append(append(b, line...), '\n')
	},
}

// A dump prints the entries of a log from an index on.
type dump struct {
	dir    string
	from   uint64
	limit  number
	put    func([]byte, commitlog.Entry) []byte
	out    *bufio.Writer
	stderr io.Writer

	line    []byte
	printed uint64
	next    uint64 // behind the last one printed
	gaps    []gap  // before it
	damaged bool
	before  *commitlog.CorruptError // the damage before from that reaches behind that
}

// A gap is entries that were not printed, from an index on and before another.
type gap struct{ from, to uint64 }

// check refuses what cannot be dumped.
func (d *dump) check(format string) error {
	if d.put == nil {
		return exit.Unknown("format", format, entryFormatNames)
	}
	if d.limit.given && d.limit.value == 0 {
		return exit.Usage(errors.New("--limit 0: at least 1"), "")
	}
	return checkDir(d.dir)
}

func (d *dump) run() error {
	d.next = d.from
	v, err := d.entries()
	err = exit.First(err, d.out.Flush())
	if errors.Is(err, syscall.EPIPE) { // the reader has enough
		return nil
	}
	if err != nil || !d.damaged {
		return err
	}
	return d.missing(v)
}

func (d *dump) entries() (*commitlog.Verification, error) {
	var failed error
	v, err := commitlog.SalvageAll(d.dir, func(e commitlog.Entry, err error) bool {
		var damage *commitlog.CorruptError
		switch {
		case errors.As(err, &damage):
			failed = d.tell(damage)
		case err == nil && e.Index >= d.from:
			failed = d.print(e)
		}
		return failed == nil && !d.full()
	})
	return v, exit.First(failed, err)
}

func (d *dump) full() bool { return d.limit.given && d.printed >= d.limit.value }

func (d *dump) print(e commitlog.Entry) error {
	if e.Index > d.next {
		d.gaps = append(d.gaps, gap{d.next, e.Index})
	}
	d.line = d.put(d.line[:0], e)
	d.printed++
	d.next = e.Index + 1
	_, err := d.out.Write(d.line)
	return err
}

// tell names damage between the lines where it was met, unless it is before what was asked for.
func (d *dump) tell(damage *commitlog.CorruptError) error {
	d.damaged = true
	if damage.Index < d.from {
		if damage.Index+damage.Entries > d.from {
			d.before = damage
		}
		return nil
	}
	return d.name(damage)
}

func (d *dump) name(damage *commitlog.CorruptError) error {
	if err := d.out.Flush(); err != nil {
		return err
	}
	at := ""
	if damage.Offset >= 0 {
		at = fmt.Sprintf(", byte %d", damage.Offset)
	}
	_, err := fmt.Fprintf(d.stderr, "syncwrite: %s: entry %d%s: %s\n", results.OneLine(damage.Path), damage.Index, at, damage.Reason)
	return err
}

// missing is the error of a dump that met damage: how many of the entries that
// it was asked for it could not print.
func (d *dump) missing(v *commitlog.Verification) error {
	if !d.full() && v.Next > d.next {
		d.gaps = append(d.gaps, gap{d.next, v.Next})
	}
	begin := max(d.from, v.First)
	missing := uint64(0)
	for _, g := range d.gaps {
		if g.to > begin {
			missing += g.to - max(g.from, begin)
		}
	}
	files := untold(v)
	if missing == 0 && (files == "" || d.full()) {
		return nil
	}
	if d.before != nil {
		if err := d.name(d.before); err != nil {
			return err
		}
	}
	what := fmt.Sprintf("%d of %s cannot be read", missing, entries(missing+d.printed))
	switch {
	case missing == 0:
		what = "all of " + files + " is lost"
	case files != "":
		what += ", and all of " + files + " is lost"
	}
	return exit.With(exit.Error, fmt.Errorf("%s: %s", d.dir, what), "syncwrite commitlog verify "+d.dir+" tells more")
}
