package crashtest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// CanKill says what Kills lacks here; nil if nothing.
func CanKill() error { return nil }

// Kills appends to logs of backend b and kills the process, again and again,
// and returns what was left each time. A log that was killed is opened and
// appended to anew for a while, and then a new one is begun.
//
// An error says that the rig has failed, and not the log.
func Kills(b Backend, options Options) ([]Outcome, error) {
	var outcomes []Outcome
	delays := options.delays()
	for !options.over(outcomes) {
		err := options.workIn(b.Name, func(dir string) (keep bool, err error) {
			fresh, err := killOne(b, dir, options, delays, outcomes)
			keep = len(fresh) > len(outcomes) && fresh[len(fresh)-1].Evidence != ""
			outcomes = fresh
			return keep, err
		})
		if err != nil {
			return outcomes, fmt.Errorf("kill %s: %w", b.Name, err)
		}
	}
	return outcomes, nil
}

const (
	killsPerLog   = 8
	entriesPerLog = 15_000 // to read more takes longer than to make them
)

// killOne kills one log until it is worn out or broken.
func killOne(b Backend, dir string, options Options, delays delays, outcomes []Outcome) ([]Outcome, error) {
	slots, err := makeSlots(filepath.Join(dir, "slots"))
	if err != nil {
		return outcomes, err
	}
	defer slots.close()
	var last Outcome
	for range killsPerLog {
		slots.begin(last.found)
		if last, err = killOnce(b, dir, slots, delays); err != nil {
			return outcomes, err
		}
		outcomes = append(outcomes, last)
		if last.Refused != nil || last.Wrong != nil || last.Evidence != "" || last.Kept > entriesPerLog || options.over(outcomes) {
			break
		}
	}
	return outcomes, nil
}

func killOnce(b Backend, dir string, slots *slots, delays delays) (Outcome, error) {
	live := filepath.Join(dir, "live")
	if err := os.MkdirAll(live, 0o700); err != nil {
		return Outcome{}, err
	}
	path := filepath.Join(live, logName)
	child, err := startChild(b, path, filepath.Join(dir, "slots"), slots, nil)
	if err != nil {
		return Outcome{}, err
	}
	delays.sleep()
	if err := errors.Join(child.died(), child.kill()); err != nil {
		return Outcome{}, err
	}
	left := filepath.Join(dir, "left")
	if err := os.CopyFS(left, os.DirFS(live)); err != nil {
		return Outcome{}, err
	}
	outcome := check(b, path, slots.acks())
	outcome.Mode = Kill
	if b.Verdict(outcome) != nil {
		outcome.Evidence = left
		return outcome, nil
	}
	return outcome, os.RemoveAll(left)
}
