package trials

import (
	"testing"

	"github.com/syncwrite/syncwrite/rivals/internal/logs"
)

// Whatever a store said it added, it gives back under that number.
func TestStoresFetchWhatTheyAdded(t *testing.T) {
	for _, r := range Stores() {
		t.Run(r.Name, func(t *testing.T) {
			t.Parallel()
			log, err := r.Open(t.TempDir(), 1)
			if err != nil {
				t.Fatal(err)
			}
			var indexes []uint64
			for i := range byte(50) {
				index, err := log.(logs.Store).Add([]byte{i, i})
				if err != nil {
					t.Fatal(err)
				}
				indexes = append(indexes, index)
			}
			for i, index := range indexes {
				got, err := log.(logs.Store).Fetch(index, make([]byte, 0, 2))
				if err != nil || string(got) != string([]byte{byte(i), byte(i)}) {
					t.Errorf("entry %d holds %q: %v", index, got, err)
				}
			}
			if err := log.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}
