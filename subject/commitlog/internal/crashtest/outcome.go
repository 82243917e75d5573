package crashtest

import (
	"errors"
	"fmt"
)

// An Outcome is what one crash left of a log.
type Outcome struct {
	// Mode says how the crash was made.
	Mode Mode
	// Acknowledged counts the appends that were acknowledged in this run
	// before the crash began.
	Acknowledged int
	// Kept counts the entries found in the log, including those of earlier
	// runs and those whose acknowledgement the crash forestalled.
	Kept int
	// Lost counts the entries that were acknowledged, or found after an
	// earlier crash, and are gone. It is 0 where the log would not open.
	Lost int
	// Refused is why the log would not open.
	Refused error
	// Wrong says which entry, or lack of one, no run of the workload explains:
	// other than loss at the end of the log, whose measure is Lost.
	Wrong error
	// Fsck says that the file system could not be mounted before e2fsck had
	// repaired it.
	Fsck bool
	// Fuzzy says that the image changed while it was copied. What such an
	// image lacks is a reason to look closer, and not yet a proof: a log that
	// moves on to another file, or ext4 that moves its journal's tail, while
	// the copy is between the two, leaves a copy that no power cut can leave.
	Fuzzy bool
	// Evidence is where the log is kept as the crash left it, if the crash
	// broke the promise.
	Evidence string

	found [writers]uint64 // how many entries of each goroutine
}

// Broken returns what is wrong with the outcome if everything acknowledged
// was promised to survive the crash, and nil if the promise was kept.
func (o Outcome) Broken() error {
	var lost error
	if o.Lost > 0 {
		lost = fmt.Errorf("lost %d acknowledged entries and kept %d", o.Lost, o.Kept)
	}
	refused := o.Refused
	if refused != nil {
		refused = fmt.Errorf("would not open: %w", refused)
	}
	return errors.Join(refused, o.Wrong, lost)
}

// A Mode is a way to crash.
type Mode string

const (
	// Kill ends the process by SIGKILL. All others take a crash image.
	Kill Mode = "kill"
	// Running copies the image while the child goes on appending. The copy
	// takes milliseconds, so its parts are of different moments, and about one
	// in a hundred is a state that no power cut leaves: see Outcome.Fuzzy.
	Running Mode = "running"
	// Stopped stops the child, waits until all its threads have left the
	// kernel, and copies the image; if the file system wrote meanwhile, it is
	// copied again. The copy is of one moment, between two system calls.
	Stopped Mode = "stopped"
	// Cut makes ext4 write nothing more, by its shutdown ioctl, at a random
	// moment in the midst of the child's system calls. No copy is involved.
	Cut Mode = "cut"
)

// A Tally sums up outcomes.
type Tally struct {
	Runs, Acknowledged   int
	WithLoss, Lost, Most int // outcomes with loss, entries lost in all, and in one outcome at most
	Refused, Wrong       int
	Fsck, Fuzzy          int
}

// Count sums up outcomes.
func Count(outcomes []Outcome) Tally {
	t := Tally{Runs: len(outcomes)}
	for _, o := range outcomes {
		t.Acknowledged += o.Acknowledged
		t.Lost += o.Lost
		t.Most = max(t.Most, o.Lost)
		t.WithLoss += one(o.Lost > 0)
		t.Refused += one(o.Refused != nil)
		t.Wrong += one(o.Wrong != nil)
		t.Fsck += one(o.Fsck)
		t.Fuzzy += one(o.Fuzzy)
	}
	return t
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
