package profiled

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/google/pprof/profile"

	"github.com/syncwrite/syncwrite/internal/cause/stack"
)

// Samples are what profiles have of a window, estimated from samples.
type Samples struct {
	Blocked  Losses        // waits, of the named function's goroutines
	Unlocked Losses        // waits for mutexes of anybody, by where one of the named function's goroutines unlocked
	Ran      Losses        // time on processors, of the named function's goroutines
	All      time.Duration // time on processors, of all goroutines

	UnlockedAll time.Duration // waits for mutexes, whoever unlocked

	profiles map[string]*profile.Profile // of the window, by what their files end in
}

// Losses are times by what they went to, and where; the largest first.
type Losses []Loss

// A Loss is the time of one kind at one place.
type Loss struct {
	Kind stack.Kind
	stack.Place
	Time time.Duration
}

// Total is the time of all.
func (all Losses) Total() (sum time.Duration) {
	for _, l := range all {
		sum += l.Time
	}
	return sum
}

// deed is what Losses are by.
type deed struct {
	kind  stack.Kind
	place stack.Place
}

// sums adds up the last value of a profile's samples, which is a time in all three, of those
// stacks that have a call of a function.
func sums(p *profile.Profile, within string, kind func([]stack.Frame) stack.Kind) Losses {
	times := map[deed]time.Duration{}
	for _, s := range p.Sample {
		frames := framesOf(s)
		if within != "" && !slices.ContainsFunc(frames, func(f stack.Frame) bool { return f.Func == within }) {
			continue
		}
		times[deed{kind(frames), stack.Look(frames).Place}] += time.Duration(s.Value[len(s.Value)-1])
	}
	return sorted(times)
}

func sorted(times map[deed]time.Duration) (all Losses) {
	for d, time := range times {
		if time > 0 {
			all = append(all, Loss{d.kind, d.place, time})
		}
	}
	slices.SortFunc(all, func(a, b Loss) int {
		return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(a.Kind, b.Kind), a.Compare(b.Place))
	})
	return all
}

// framesOf is the stack of a sample, the innermost call first.
func framesOf(s *profile.Sample) (all []stack.Frame) {
	for _, location := range s.Location {
		for _, line := range location.Line {
			all = append(all, stack.Frame{Func: line.Function.Name, File: line.Function.Filename, Line: int(line.Line)})
		}
	}
	return all
}

// blocked is the kind of a wait that the runtime's profile of blocking knows: a semaphore, a
// channel or a condition.
func blocked(frames []stack.Frame) stack.Kind {
	switch outer := frames[0].Func; {
	case strings.HasPrefix(outer, "runtime.chan"), strings.HasPrefix(outer, "runtime.select"), strings.HasPrefix(outer, "runtime.block"):
		return stack.Channel
	case strings.HasPrefix(outer, "sync.(*Cond)."):
		return stack.Condition
	}
	return stack.Look(frames).Sync
}

// ran is the kind of a time on a processor.
func ran(frames []stack.Frame) stack.Kind {
	for _, f := range frames {
		switch {
		case strings.HasPrefix(f.Func, "runtime.gcAssist"):
			return stack.Collector
		case strings.Contains(f.Func, "runtime/syscall."), strings.HasPrefix(f.Func, "syscall.Syscall"), strings.HasPrefix(f.Func, "syscall.RawSyscall"):
			return stack.Look(frames).Call
		case f.Func == "runtime.cgocall":
			return stack.Foreign
		}
	}
	return stack.Running
}
