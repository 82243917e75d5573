package analysis

import (
	"fmt"

	"github.com/syncwrite/syncwrite/results"
)

// nearlyHalf is where percents are told as half of them all.
const nearlyHalf = 0.495

// meaning is what the largest part says of a cell, where it says something. Of what is not accounted for
// any may be the largest's, too.
func meaning(e results.Explanation, top results.BreakdownPart, of measured) string {
	switch part := float64(top.NS) / float64(e.TimeNS); {
	case part >= 0.5:
	case part+max(0, unexplained(e)) < nearlyHalf:
		return " No single cause has half of it."
	default:
		return ""
	}
	switch top.Kind {
	case results.TimeLock:
		return atLock(e, top, of)
	case results.TimeChannel, results.TimeCondition:
		return " Most of the time it waits for others, or for a timer."
	case results.TimeFlush:
		return " It is limited by the device."
	case results.TimeRunnable:
		return forProcessors(e, of)
	case results.TimeCollector:
		return " It is limited by the garbage collector."
	case results.TimeRunning:
		return " It is on a processor: work is not told from spinning or from waiting for memory."
	}
	return ""
}

// forProcessors says why most of the time is waited for a processor.
func forProcessors(e results.Explanation, of measured) string {
	if of.processors > 0 && e.Goroutines <= of.processors {
		return " There are processors enough for them: they give them up themselves, or others have them, the collector's among these."
	}
	return " There are more goroutines than processors; whether those on one do work, or spin, is not told."
}

// mostBeside is how many goroutines on average may do something beside a lock that serialises
// the others: whoever holds it, and now and then one that has just left it.
const mostBeside = 1.5

// atLock says what it means that most of the time is waited for locks. How many locks are
// taken at a line nobody tells; but where processors are there for two, and hardly more than
// one goroutine at a time does anything but wait there or for its turn, one follows another. One
// that does the work of all who wait looks the same: so neither fewer goroutines may have
// got less done, nor more of them more.
func atLock(e results.Explanation, top results.BreakdownPart, of measured) string {
	switch line := firstLine(top) / float64(e.TimeNS); {
	case line >= 0.5:
	case line+max(0, unexplained(e)) < nearlyHalf:
		return " It is held up at locks, no single line of which has half of the time."
	default:
		return " It is held up at locks."
	}
	beside := float64(e.Goroutines) * (1 - float64(top.Places[0].NS)/float64(e.TimeNS) - share(e, results.TimeRunnable))
	n, share := of.fewer()
	if beside > mostBeside || of.processors < 2 || share < 1-growth || of.more() > 1+growth {
		return " Most of the time is lost at that line; whether one lock is taken there or several is not told."
	}
	return fmt.Sprintf(" Serialised: of the %d goroutines %.1f at a time did anything but wait, there or for a processor, and %d of them got %.2f× as much done.",
		e.Goroutines, beside, n, share)
}

// firstLine is the time that was lost at the first place of a part.
func firstLine(p results.BreakdownPart) float64 {
	if len(p.Places) == 0 {
		return 0
	}
	return float64(p.Places[0].NS)
}

// growth is by how much a rate must have grown to have.
const growth = 0.10

// fewer are the goroutines, fewer than the cell's, that got most done: how many, and by its rate.
func (m measured) fewer() (n int, share float64) {
	for other, rate := range m.others {
		if by := rate / m.rate(); other < m.trials[0].Goroutines && by > share {
			n, share = other, by
		}
	}
	return n, share
}

// more is the highest rate of more goroutines by that of the cell.
func (m measured) more() (share float64) {
	for other, rate := range m.others {
		if other > m.trials[0].Goroutines {
			share = max(share, rate/m.rate())
		}
	}
	return share
}
