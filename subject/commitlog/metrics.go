package commitlog

import "github.com/syncwrite/syncwrite/hist"

// Metrics are counts since a File was opened.
type Metrics struct {
	// First and Next are the log's first index and the one behind its last
	// entry that Get shows.
	First, Next uint64
	// Safe is the index behind the last entry known to survive a power cut, never
	// above Next. Of a log that a crash has left, and that is not durable, it does not tell of
	// all that was found before the first flush.
	Safe uint64
	// Waiting is the queue depth: entries that were written and whose Append
	// waits for a flush. It is 0 unless Durability is Always.
	Waiting uint64
	// FlushTime holds how long each flush of the disk took, in nanoseconds,
	// those of sealing a segment included.
	FlushTime hist.Histogram
	// BatchSize holds how many entries each flush made safe; what sealing a full segment
	// made safe is not among them. (It is a
	// histogram of counts, not of times.)
	BatchSize hist.Histogram
}

// Metrics returns a snapshot: what it tells was so at one moment. Appends wait while it copies two histograms of
// 32 KiB; else it costs them nothing: what is counted follows from the log's own state, or is noted once a flush.
func (f *File) Metrics() (m Metrics) {
	next := f.turn.Take()
	defer f.turn.Give(next)
	m = Metrics{First: f.First(), Next: f.Next(), FlushTime: f.metrics.flushTime, BatchSize: f.metrics.batchSize}
	m.Safe = min(f.safe.Load(), m.Next)
	if f.durable() {
		m.Waiting = next - min(m.Next, next)
	}
	return m
}
