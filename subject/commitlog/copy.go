package commitlog

// What lies between one wait for memory and the next is what a random read costs
// where no cache holds the log: a processor that can begin the next read before
// this one's bytes are there waits for both together. It looks a few hundred
// instructions ahead, half as many while its other thread is busy, too, and not
// beyond a store whose address is not known. So there is a routine that copies and
// checks a record, with a third of the instructions of copy and crc32.Update, and
// shelves, which say where the record is and how long (BenchmarkGet).

// copyMost is the longest value that copyEntry takes: the sums of longer ones are
// faster by package crc32, which has three on the way at a time.
const copyMost = 512

// canCopy reports whether copyEntry may be called for a value of n bytes.
func canCopy(n int) bool { return canCopyEntry && n > 0 && n <= copyMost }
