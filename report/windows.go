package report

import (
	"fmt"
	"time"

	"github.com/syncwrite/syncwrite/results"
)

func briefWindows(s results.Settings, trials []results.Trial) string {
	if s.Ops > 0 {
		return windows(s, trials)
	}
	text := "of " + time.Duration(s.WindowNS).String()
	if s.BudgetNS > 0 {
		text += " or less"
	}
	return text + " on average" + measured(s, trials)
}

// windows says how long trials were to last, and how long they did where that is more.
func windows(s results.Settings, trials []results.Trial) string {
	if s.Ops > 0 {
		return fmt.Sprintf("of %d operations", s.Ops)
	}
	text := "about " + time.Duration(s.WindowNS).String()
	if s.BudgetNS > 0 {
		text += ", less where a budget of " + time.Duration(s.BudgetNS).String() + " asked for it"
	}
	return text + measured(s, trials)
}

// muchLonger is from when on windows lasted longer than planned, in times: some more they
// often do, since the number of operations that fits is estimated.
const muchLonger = 1.1

// measured is how long the windows lasted on average where that is more than was planned:
// the fastest cell of a variant makes its slower ones last, and so do a hundred operations.
func measured(s results.Settings, trials []results.Trial) string {
	whole := 0.0
	for _, t := range trials {
		whole += float64(t.WallNS)
	}
	mean := whole / float64(len(trials))
	if s.WindowNS <= 0 || !(mean > muchLonger*float64(s.WindowNS)) {
		return ""
	}
	return " (measured: " + results.Number(mean).Nanoseconds() + ")"
}
