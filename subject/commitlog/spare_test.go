package commitlog

import (
	"path/filepath"
	"testing"
)

// The segments of a durable log begin small, and each is made ready twice as
// large as the one before it, up to the size that was asked for.
func TestSegmentsOfADurableLogDouble(t *testing.T) {
	const most = 1 << 20
	log, err := OpenFile(filepath.Join(t.TempDir(), "log"), FileOptions{Durability: Always, SegmentSize: most, alone: true, cached: true})
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	want, prepared := log.options.firstSpare(), int64(0)
	for range 8 {
		for !log.tail.asked || log.spare.segment != nil {
			if _, err := log.Append(make([]byte, 1000)); err != nil {
				t.Fatal(err)
			}
		}
		// What was prepared is used as it is: more zeros would not be flushed yet.
		if got := log.tail.segment.size.Load(); prepared > 0 && got != prepared {
			t.Fatalf("a segment that was prepared up to %d came into use with %d", prepared, got)
		}
		log.keep()
		if got := log.spare.segment.size.Load(); got != want || !log.spare.whole.Load() {
			t.Fatalf("the next segment was made ready up to %d, want %d", got, want)
		}
		prepared, want = want, min(2*want, most)
	}
	if want != most {
		t.Errorf("the sizes came to %d only", want)
	}
}
