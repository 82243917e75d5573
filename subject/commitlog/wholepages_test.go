package commitlog

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// Where records end at the bounds of pages, a page of other entries follows without a gap:
// what was misplaced so is told as damage, costs none of the others, and is not written over.
func TestMisplacedPagesOfWholeRecords(t *testing.T) {
	const page = 4096
	last := func(data []byte) []byte { return data[6*page : 7*page] }
	for name, misplace := range map[string]func(data []byte){
		"exchanged with the last": func(data []byte) {
			early := append([]byte(nil), data[page:2*page]...)
			copy(data[page:2*page], last(data))
			copy(last(data), early)
		},
		"the last stands twice": func(data []byte) { copy(data[page:2*page], last(data)) },
		"one from the middle stands twice": func(data []byte) {
			copy(data[page:2*page], data[4*page:5*page])
		},
	} {
		for _, entries := range []uint64{3600, 9000} { // in one chunk of offsets, and in more
			t.Run(fmt.Sprint(name, " of ", entries), func(t *testing.T) {
				dir := filepath.Join(t.TempDir(), "log")
				log, err := OpenFile(dir, FileOptions{})
				must(t, err)
				for i := range entries {
					mustAppend(t, log, string([]byte{byte(i), byte(i >> 8), 1})) // a record of 8 bytes
				}
				must(t, log.Close())
				file := filepath.Join(dir, segmentName(0))
				data, err := os.ReadFile(file)
				must(t, err)
				misplace(data)
				must(t, os.WriteFile(file, data, 0o666))
				before := salvaged(t, dir)
				if least := int(entries) - 2*page/8; before < least {
					t.Errorf("%d entries were saved, of %d that did not move", before, least)
				}
				var corrupt *CorruptError
				if log, err = OpenFile(dir, FileOptions{}); !errors.As(err, &corrupt) {
					t.Errorf("it opens: %v", err)
					if err == nil {
						mustAppend(t, log, "more")
						must(t, log.Close())
					}
				}
				if after := salvaged(t, dir); after < before {
					t.Errorf("%d entries are left of %d", after, before)
				}
			})
		}
	}
}

// salvaged counts the entries that can be read, each of which begins with its own index.
func salvaged(t *testing.T, dir string) (n int) {
	t.Helper()
	for e, err := range Salvage(dir) {
		switch {
		case err != nil:
		case len(e.Value) < 3 || e.Value[0] != byte(e.Index) || e.Value[1] != byte(e.Index>>8):
			t.Errorf("entry %d: %q", e.Index, e.Value[:min(len(e.Value), 8)])
		default:
			n++
		}
	}
	return n
}
