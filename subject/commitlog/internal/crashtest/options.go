package crashtest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"time"
)

// Options are the settings of both rigs; the zero value is useful.
type Options struct {
	// Runs is how many crashes to make; 0 means 1.
	Runs int
	// Seed decides after which times they come.
	Seed uint64
	// Dir is where the rig works and leaves what broke a promise; "" means
	// the system's directory for temporary files.
	Dir string
	// ImageSize is the size of the file system in bytes; 0 means 64 MiB.
	ImageSize int64
	// Until ends the run after the first outcome for which it is true; nil
	// means never.
	Until func(Outcome) bool
}

func (o Options) runs() int { return max(o.Runs, 1) }

func (o Options) imageSize() int64 {
	if o.ImageSize == 0 {
		return 64 << 20
	}
	return o.ImageSize
}

func (o Options) over(outcomes []Outcome) bool {
	if len(outcomes) == 0 {
		return false
	}
	return len(outcomes) >= o.runs() || o.Until != nil && o.Until(outcomes[len(outcomes)-1])
}

// workIn runs work in a new directory and removes that, unless work says that
// it holds evidence.
func (o Options) workIn(name string, work func(dir string) (keep bool, err error)) error {
	if o.Dir != "" {
		if err := os.MkdirAll(o.Dir, 0o755); err != nil {
			return fmt.Errorf("make a directory to crash in: %w", err)
		}
	}
	dir, err := os.MkdirTemp(o.Dir, "logcrash-"+name+"-")
	if err != nil {
		return fmt.Errorf("make a directory to crash in: %w", err)
	}
	keep, err := work(dir)
	if keep {
		return err
	}
	return errors.Join(err, os.RemoveAll(dir))
}

// delays are the times between the first acknowledgement, or the crash
// before, and the next crash: 1 to 40 ms.
type delays struct{ random *rand.Rand }

func (o Options) delays() delays { return delays{rand.New(rand.NewPCG(o.Seed, 0))} }

func (d delays) sleep() {
	time.Sleep(time.Millisecond + time.Duration(d.random.Int64N(int64(39*time.Millisecond))))
}
