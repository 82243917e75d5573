package commitlog

import (
	"fmt"
	"testing"
)

// A truncation has cut a batch in two: the log opens with what is left, whether it was closed
// or its process killed, and whatever becomes of the rest.
func TestRestOfHalfABatchDamaged(t *testing.T) {
	for _, durability := range []Durability{None, Always} {
		for _, closed := range []bool{false, true} {
			log, disk := numbered(t, durability, 0)
			_, err := log.AppendBatch([][]byte{[]byte("a"), []byte("b"), []byte("c")})
			must(t, err)
			must(t, log.Sync())
			must(t, log.TruncateSuffix(2))
			rest := recordsStart + 2*int(recordSize(1))
			if closed {
				must(t, log.Close())
			}
			name := segmentsOn(t, disk)[0]
			for bit := 8 * rest; bit < 8*(rest+int(recordSize(1))); bit++ {
				what := fmt.Sprintf("%v, closed %t, bit %d", durability, closed, bit)
				image := flipped(disk, name, bit)
				v, err := verify(image, func(Entry, error) bool { return true })
				if err != nil || !v.Opens || v.Next != 2 || v.Lost != 0 || len(v.Damage) > 0 {
					t.Fatalf("%s: verify returned %+v, %v", what, v, err)
				}
				again := openOn(t, image, durability)
				mustAppend(t, again, "instead")
				if got := fmt.Sprint(contents(t, openOn(t, image.AfterKill(), durability))); got != "[a b instead]" {
					t.Fatalf("%s: log holds %s", what, got)
				}
			}
		}
	}
}
