package commitlog

import "testing"

// The file of the segment that comes next takes flushes to make. Meanwhile the appends get
// more room in the last one.
func TestAppendsNeedNotWaitForTheNextFile(t *testing.T) {
	for _, o := range []FileOptions{{}, {written: true}, {Durability: Always}} {
		log, err := OpenFile(t.TempDir()+"/log", o)
		must(t, err)
		log.roster.take(naming)
		value := make([]byte, 64<<10)
		for range 6 * ahead / len(value) { // what never ends is the test's timeout
			_, err := log.Append(value)
			must(t, err)
		}
		log.roster.give(naming)
		must(t, log.Close())
	}
}
