package analysis

import (
	"fmt"
	"time"

	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/stats"
)

// meaning is what the largest part says of a cell, where it says something.
func meaning(e results.Explanation, top results.BreakdownPart, of measured) string {
	if float64(top.NS) < 0.5*float64(e.TimeNS) {
		return " No single cause has half of it."
	}
	switch top.Kind {
	case results.TimeLock:
		return atLock(e, top, of)
	case results.TimeChannel, results.TimeCondition:
		return " Most of the time it waits for others, or for a timer."
	case results.TimeFlush:
		return " It is limited by the device."
	case results.TimeRunnable:
		return " There are more goroutines than processors; whether those on one do work, or spin, is not told."
	case results.TimeCollector:
		return " It is limited by the garbage collector."
	case results.TimeRunning:
		return " It is on a processor: work is not told from spinning or from waiting for memory."
	}
	return ""
}

// mostBeside is how many goroutines on average may do something beside a lock that serialises
// the others: whoever holds it, and now and then one that has just left it.
const mostBeside = 1.5

// atLock says what it means that most of the time is waited for locks. How many locks are
// taken at a line nobody tells; but where processors are there for two, and hardly more than
// one goroutine at a time does anything but wait there or for its turn, there is one that
// counts, and one operation follows another.
func atLock(e results.Explanation, top results.BreakdownPart, of measured) string {
	if len(top.Places) == 0 || float64(top.Places[0].NS) < 0.5*float64(e.TimeNS) {
		return " It is held up at locks, no single line of which has half of the time."
	}
	beside := float64(e.Goroutines) * (1 - float64(top.Places[0].NS)/float64(e.TimeNS) - share(e, results.TimeRunnable))
	if beside > mostBeside || len(of.trials) == 0 || of.processors < 2 {
		return " Most of the time is lost at that line; whether one lock is taken there or several is not told."
	}
	rate := stats.Median(each(of.trials, results.Trial.OpsPerS))
	return fmt.Sprintf(" Serialised: of the %d goroutines %.1f at a time did anything but wait, there or for a processor. An operation holds the others up for about %v, and more goroutines give no more.",
		e.Goroutines, beside, threeDigits(time.Duration(1e9/rate)))
}

// threeDigits leaves out what no median of rates carries.
func threeDigits(d time.Duration) time.Duration {
	unit := time.Duration(1)
	for d/unit >= 1000 {
		unit *= 10
	}
	return d.Round(unit)
}
