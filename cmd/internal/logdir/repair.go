package logdir

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/syncwrite/syncwrite/cmd/internal/exit"
	"github.com/syncwrite/syncwrite/subject/commitlog"
)

func repairCommand() *cobra.Command {
	r := &repair{out: os.Stdout}
	c := &cobra.Command{
		Use:   "repair DIR",
		Short: "Make a damaged log one that opens, keeping all that can be read",
		Long: `repair keeps every entry that can be read at its index. A segment with damage
in it is written anew, and so is one that was truncated and does not tell where
it ends; what was there is kept beside it as NAME.damaged. An entry that is lost
keeps its index, and reading it says so. A torn tail is cut off. Nothing else is
changed, and nothing that can be read is dropped.

Only --discard-from drops entries that can be read: those from INDEX on, after
the repair.`,
		Example: `  syncwrite commitlog repair events.log --dry-run
  syncwrite commitlog repair events.log`,
		Args: oneDir,
		RunE: func(c *cobra.Command, args []string) error {
			r.dir = args[0]
			found, err := verifyLog(c.Context(), r.dir)
			if err != nil {
				return err
			}
			return r.run(found)
		},
	}
	c.Flags().BoolVar(&r.dryRun, "dry-run", false, "say what would be done and change nothing")
	c.Flags().Var(&r.discard, "discard-from", "drop the entries from `INDEX` on, readable ones too")
	return c
}

// A repair is one of the log in dir.
type repair struct {
	dir     string
	out     io.Writer
	dryRun  bool
	discard number
}

func (r *repair) run(found *commitlog.Verification) error {
	if err := r.checkDiscard(found); err != nil {
		return err
	}
	if err := writeVerification(r.out, r.dir, found); err != nil {
		return err
	}
	dropped, err := r.readable(found)
	if err != nil {
		return err
	}
	if r.dryRun {
		return r.plan(found, dropped)
	}
	before := r.keptFiles()
	if found, err = commitlog.Repair(r.dir); err != nil {
		return err
	}
	r.tell(found, before)
	if r.discards(found) {
		if err := r.dropEntries(); err != nil {
			return err
		}
		r.say("Dropped the entries from %d on, %d of which could be read.", r.discard.value, dropped)
	} else if !needsRepair(found) {
		return nil
	}
	return r.verifyAgain()
}

func (r *repair) say(format string, args ...any) {
	fmt.Fprintln(r.out, filled(fmt.Sprintf(format, args...)))
}

// needsRepair reports whether Repair changes anything.
func needsRepair(v *commitlog.Verification) bool {
	return !v.Opens || len(fresh(v.Damage)) > 0 || v.Tail.CutBytes > 0
}

func (r *repair) discards(v *commitlog.Verification) bool {
	return r.discard.given && r.discard.value < v.Next
}

// checkDiscard refuses an index outside the log before anything is done.
func (r *repair) checkDiscard(v *commitlog.Verification) error {
	index := r.discard.value
	switch {
	case !r.discard.given:
		return nil
	case index > v.Next:
		return exit.Usage(fmt.Errorf("--discard-from %d: the log ends before entry %d", index, v.Next), "")
	case index < v.First:
		return exit.Usage(fmt.Errorf("--discard-from %d: the log begins with entry %d", index, v.First), "")
	}
	return nil
}

// readable counts the entries that can be read and are to be dropped.
func (r *repair) readable(v *commitlog.Verification) (n int, err error) {
	if !r.discards(v) {
		return 0, nil
	}
	for e, err := range commitlog.Salvage(r.dir) {
		var damage *commitlog.CorruptError
		switch {
		case err != nil && !errors.As(err, &damage):
			return 0, err
		case err == nil && e.Index >= r.discard.value:
			n++
		}
	}
	return n, nil
}

// plan says what would be done.
func (r *repair) plan(v *commitlog.Verification, dropped int) error {
	r.say("")
	for _, name := range damagedFiles(v) {
		r.say("Would mend %s.", name)
	}
	for _, d := range fresh(v.Damage) {
		if d.Offset < 0 {
			r.say("Would put right: %s.", d.Reason)
		}
	}
	if len(fresh(v.Damage)) > 0 {
		r.say("A segment that was truncated may be written anew, too. What is written anew, or removed, would be kept as NAME.damaged.")
	}
	if v.Tail.CutBytes > 0 {
		r.say("Would cut off the torn end.")
	}
	if !needsRepair(v) {
		r.say("Nothing to repair.")
	}
	if r.discards(v) {
		r.say("Would drop the entries from %d on, %d of which can be read.", r.discard.value, dropped)
	}
	r.say("This was a dry run: nothing was changed.")
	return nil
}

// damagedFiles names the files with damage in them.
func damagedFiles(v *commitlog.Verification) []string {
	names := map[string]bool{}
	for _, d := range fresh(v.Damage) {
		if d.Offset >= 0 {
			names[filepath.Base(d.Path)] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// tell says what the repair did.
func (r *repair) tell(found *commitlog.Verification, before map[string]time.Time) {
	r.say("")
	after := r.keptFiles()
	for _, name := range slices.Sorted(maps.Keys(after)) {
		if was, ok := before[name]; !ok || !after[name].Equal(was) {
			r.say("Kept %s, the file as it was.", name)
		}
	}
	if found.Tail.CutBytes > 0 {
		r.say("Cut off the torn end.")
	}
	if needsRepair(found) {
		r.say("Repaired.")
	} else {
		r.say("Nothing to repair.")
	}
}

// keptFiles are the damaged files that repairs have kept, and how old they are.
func (r *repair) keptFiles() map[string]time.Time {
	kept := map[string]time.Time{}
	files, _ := os.ReadDir(r.dir) // what cannot be read is not told
	for _, file := range files {
		if info, err := file.Info(); err == nil && strings.Contains(file.Name(), ".damaged") { // and .damaged.2
			kept[file.Name()] = info.ModTime()
		}
	}
	return kept
}

// dropEntries drops what --discard-from names.
func (r *repair) dropEntries() error {
	log, err := commitlog.OpenFile(r.dir, commitlog.FileOptions{Durability: commitlog.Always})
	if err != nil {
		return err
	}
	err = log.TruncateSuffix(r.discard.value)
	return exit.First(err, log.Close())
}

// verifyAgain tells the state that the log is in now. Entries that are lost
// stay lost, which is no failure of the repair.
func (r *repair) verifyAgain() error {
	v, err := commitlog.Verify(r.dir)
	if err != nil {
		return err
	}
	r.say("")
	r.say("After the repair:")
	if err := writeVerification(r.out, r.dir, v); err != nil {
		return err
	}
	if outcomeOf(v) == outcomeDamaged {
		return fmt.Errorf("%s: damage is left after the repair", r.dir)
	}
	return nil
}
