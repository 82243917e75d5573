package crashtest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/syncwrite/syncwrite/internal/ext4"
)

const (
	logName        = "log"
	imagesPerMount = 5   // the last of which is a Cut
	halfFull       = 0.5 // of the file system: then it is cut early
	crowded        = 0.3 // of the file system: then the next child gets a fresh one
)

// Images appends to logs of backend b in a small file system, takes crash
// images of that, and returns what was left in each. After a Cut the file
// system goes on from its own crash image for a while, and so does the log.
//
// An error says that the rig has failed, and not the log.
func Images(b Backend, options Options) ([]Outcome, error) {
	r := &imageRig{b: b, options: options, delays: options.delays()}
	for !options.over(r.outcomes) {
		if err := options.workIn(b.Name, r.mounts); err != nil {
			return r.outcomes, fmt.Errorf("crash image of %s: %w", b.Name, err)
		}
	}
	return r.outcomes, nil
}

// An imageRig is one call of Images.
type imageRig struct {
	b        Backend
	options  Options
	delays   delays
	outcomes []Outcome

	// of the file system in use
	dir   string
	slots *slots
	fs    *filesystem
	child *child
}

// mounts mounts one image again and again, until it is full or the log in it
// is broken.
func (r *imageRig) mounts(dir string) (keep bool, err error) {
	r.dir = dir
	if r.slots, err = makeSlots(filepath.Join(dir, "slots")); err != nil {
		return false, err
	}
	defer r.slots.close()
	if err := ext4.Make(r.image(), r.options.imageSize()); err != nil {
		return false, err
	}
	for last := (Outcome{}); ; {
		r.slots.begin(last.found)
		used, err := r.mount()
		if err != nil {
			return keep, err
		}
		last = r.outcomes[len(r.outcomes)-1]
		keep = keep || last.Evidence != ""
		if keep || used > crowded || last.Refused != nil || last.Wrong != nil || r.options.over(r.outcomes) {
			return keep, nil
		}
	}
}

func (r *imageRig) image() string { return filepath.Join(r.dir, "image") }

// mount mounts the image once, takes crash images of it while a child runs,
// and cuts it.
func (r *imageRig) mount() (used float64, err error) {
	if r.fs, err = mountImage(r.image()); err != nil {
		return 0, err
	}
	path := inDescriptor(3, logName)
	if r.child, err = startChild(r.b, path, filepath.Join(r.dir, "slots"), r.slots, r.fs.root); err != nil {
		return 0, errors.Join(err, r.fs.release())
	}
	mode := Mode("")
	for n := 1; err == nil && mode != Cut && !r.options.over(r.outcomes); n++ {
		r.delays.sleep()
		if r.delays.random.IntN(2) == 0 {
			err = r.fs.disturb(r.delays.random)
		}
		if err == nil {
			mode, used, err = r.nextMode(n)
		}
		if err == nil && mode != Cut {
			err = r.crashCopy(mode)
		}
	}
	acks := r.slots.acks()
	if err == nil {
		err = ext4.Cut(r.fs.root)
	}
	err = errors.Join(err, r.child.kill(), r.fs.release())
	if err == nil && mode == Cut {
		err = r.crashCut(acks)
	}
	return used, err
}

// nextMode is how the nth image of a mount is made. A child that has filled
// the file system has died of it, which is as good a moment as any.
func (r *imageRig) nextMode(n int) (mode Mode, used float64, err error) {
	if used, err = r.fs.used(); err != nil {
		return "", 0, err
	}
	died := r.child.died()
	switch done := len(r.outcomes); {
	case died != nil && used < halfFull:
		return "", used, died
	case died != nil, n == imagesPerMount, used > halfFull, done+1 >= r.options.runs(),
		done > 0 && r.outcomes[done-1].Evidence != "":
		return Cut, used, nil
	case n%2 == 1:
		return Running, used, nil
	}
	return Stopped, used, nil
}

// crashCopy takes a crash image by copying. The child is stopped while the
// copy is examined, so that it does not fill the file system.
func (r *imageRig) crashCopy(mode Mode) (err error) {
	left, opened, fuzzy := r.left(), filepath.Join(r.dir, "opened"), false
	acks := r.slots.acks()
	if mode == Running {
		var same bool
		if same, err = r.fs.copyWhole(left); err != nil {
			return err
		}
		fuzzy = !same
	}
	if err := r.child.stop(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.child.resume()) }()
	if mode == Stopped {
		acks = r.slots.acks()
		if err := r.fs.copyStill(left); err != nil {
			return err
		}
	}
	if err := copyImage(left, opened); err != nil {
		return err
	}
	outcome, err := r.examine(opened, acks)
	if err != nil {
		return err
	}
	outcome.Mode, outcome.Fuzzy = mode, fuzzy
	return errors.Join(r.judge(outcome, left), os.Remove(opened))
}

// crashCut examines the image of a file system that was cut, and leaves it
// ready to be mounted again.
func (r *imageRig) crashCut(acks [writers]ack) error {
	left := r.left()
	if err := copyImage(r.image(), left); err != nil {
		return err
	}
	outcome, err := r.examine(r.image(), acks)
	if err != nil {
		return err
	}
	outcome.Mode = Cut
	return r.judge(outcome, left)
}

// left is where the next crash image is kept as the crash left it.
func (r *imageRig) left() string {
	return filepath.Join(r.dir, fmt.Sprintf("left-%d", len(r.outcomes)))
}

// examine mounts a crash image and compares the log in it with acks.
func (r *imageRig) examine(image string, acks [writers]ack) (Outcome, error) {
	fs, fsck, err := mountCrashed(image)
	if err != nil {
		return Outcome{}, err
	}
	outcome := check(r.b, fs.path(logName), acks)
	outcome.Fsck = fsck
	return outcome, fs.release()
}

// judge records an outcome, and keeps the image if a promise was broken.
func (r *imageRig) judge(outcome Outcome, left string) error {
	defer func() { r.outcomes = append(r.outcomes, outcome) }()
	if r.b.Verdict(outcome) != nil {
		outcome.Evidence = left
		return nil
	}
	return os.Remove(left)
}
