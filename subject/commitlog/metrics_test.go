package commitlog

import (
	"testing"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/crashdisk"
)

// Safe entries are truncated, and others appended, between two looks at one log: what
// was safe is not held for what is there, however often that happens.
func TestMetricsAreOfOneMoment(t *testing.T) {
	for _, times := range []int{0, 1, mostLooks - 1, mostLooks} {
		log := openWith(t, crashdisk.New(), FileOptions{alone: true})
		mustAppend(t, log, "old", "old", "old")
		must(t, log.Sync())
		looks, safe, next := 0, uint64(0), uint64(0)
		log.steadily(func() {
			safe = log.safe.Load()
			if looks++; looks <= times {
				must(t, log.TruncateSuffix(0))
				mustAppend(t, log, "new", "new", "new", "new")
			}
			next = log.Next()
		})
		if looks != times+1 || times > 0 && (safe != 0 || next != 4) {
			t.Errorf("%d truncations, %d looks: %d of %d entries are safe", times, looks, safe, next)
		}
	}
}
