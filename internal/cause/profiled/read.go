package profiled

import (
	"errors"
	"fmt"
	"os"

	"github.com/google/pprof/profile"

	"github.com/syncwrite/syncwrite/results"
)

// Stop ends the profiles and reads of them what befell goroutines in a call of the named
// function.
func (r *Recording) Stop(within string) (*Samples, error) {
	if err := r.End(); err != nil {
		return nil, err
	}
	return Read(r.Text, within)
}

// Read reads what a recording has that has ended.
func Read(text func(i int) []byte, within string) (*Samples, error) {
	var all [Texts]*profile.Profile
	for i := range all {
		var err error
		if all[i], err = profile.ParseData(text(i)); err != nil {
			return nil, fmt.Errorf("read a profile: %w", err)
		}
	}
	block, errBlock := between(all[blockBefore], all[blockAfter])
	mutex, errMutex := between(all[mutexBefore], all[mutexAfter])
	if err := errors.Join(errBlock, errMutex); err != nil {
		return nil, fmt.Errorf("take what was before off a profile: %w", err)
	}
	return &Samples{
		Blocked:  sums(block, within, blocked),
		Unlocked: sums(mutex, within, blocked), UnlockedAll: sums(mutex, "", blocked).Total(),
		Ran: sums(all[processors], within, ran), All: sums(all[processors], "", ran).Total(),
		profiles: map[string]*profile.Profile{"block": block, "mutex": mutex, "cpu": all[processors]},
	}, nil
}

func between(before, after *profile.Profile) (*profile.Profile, error) {
	before.Scale(-1)
	return profile.Merge([]*profile.Profile{after, before})
}

// Keep writes the profiles of the window to files of a name, each with an end of its own: go
// tool pprof opens them.
func (s *Samples) Keep(name string) (all error) {
	for end, profile := range s.profiles {
		file, err := os.Create(name + "." + end + ".pprof")
		if err == nil {
			err = errors.Join(profile.Write(file), file.Close())
		}
		all = errors.Join(all, err)
	}
	return all
}

// Begun is how many goroutines began between two counts of [Created]; missing where the runtime does
// not say.
func Begun(before, after uint64) results.Number {
	if before == 0 {
		return results.Missing()
	}
	return results.Number(after - before)
}
