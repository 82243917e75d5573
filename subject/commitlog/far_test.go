package commitlog

import (
	"fmt"
	"runtime"
	"slices"
	"testing"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/crashdisk"
)

// farDisk returns a log whose last segment says that it begins at base and where it did,
// and is damaged before if so asked; its records are still those of their indexes, of which a
// checksum tells the low half.
func farDisk(t *testing.T, base uint64, damage func(data []byte)) (disk *crashdisk.Disk, readable int) {
	t.Helper()
	disk, values := diskWith(t, None, 40)
	segments := segmentsOn(t, disk)
	last := segments[len(segments)-1]
	data := disk.Bytes(last)
	h, _ := parseHeader(data)
	h.base += base
	copy(data, h.block())
	disk.SetBytes(last, data)
	before := segments[len(segments)-2]
	data = disk.Bytes(before)
	damage(data)
	disk.SetBytes(before, data)
	return disk, len(values)
}

// A segment may say what it likes: what is missing before it is counted, and
// takes no memory. A repair would have to put a record in each place; it says that
// it does not, and changes nothing.
func TestFarAwaySegment(t *testing.T) {
	for what, damage := range map[string]func(data []byte){
		"sound":   func([]byte) {},
		"header":  func(data []byte) { clear(data[:recordsStart]) },
		"record":  func(data []byte) { data[recordsStart+valueAt] ^= 1 },
		"trailer": func(data []byte) { data[len(data)-1] ^= 1 },
		"both":    func(data []byte) { data[recordsStart+valueAt] ^= 1; data[len(data)-1] ^= 1 },
		"all":     func(data []byte) { clear(data) },
	} {
		for _, base := range []uint64{1 << 32, 1 << 40, 1<<63 - 1<<32, 1<<64 - 1<<32} {
			disk, readable := farDisk(t, base, damage)
			name := fmt.Sprintf("%s, %d", what, base)
			before := allocated()
			v, err := verify(disk, func(Entry, error) bool { return true })
			alone := what == "trailer" || what == "both" || what == "all" // nothing says then that there is anything between
			if err != nil || v.Opens || !alone && v.Lost < base || v.Lost > base+uint64(readable) {
				t.Errorf("%s: verify: %+v, %v", name, v, err)
			}
			if took := allocated() - before; took > 16<<20 {
				t.Errorf("%s: verify took %d bytes of memory", name, took)
			}
			names, _ := disk.Names()
			if _, err := repairDir(disk); (err == nil) != alone {
				t.Errorf("%s: repair returned %v", name, err)
			}
			if after, _ := disk.Names(); !alone && !slices.Equal(names, after) {
				t.Errorf("%s: a repair that fails left %q of %q", name, after, names)
			}
		}
	}
}

// allocated is how many bytes were ever allocated.
func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}
