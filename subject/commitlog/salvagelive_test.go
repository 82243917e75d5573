package commitlog

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/crashdisk"
	"github.com/syncwrite/syncwrite/subject/commitlog/internal/disk"
)

// cutAndFill truncates a log's end, opens it again, and adds so much that what was cut is sealed: its table
// goes where the truncated records were.
func cutAndFill(t *testing.T, dir string, options FileOptions, next uint64) {
	t.Helper()
	log, err := OpenFile(dir, options)
	must(t, err)
	must(t, log.TruncateSuffix(next))
	must(t, log.Close())
	log, err = OpenFile(dir, options)
	must(t, err)
	for i := range 60 {
		mustAppend(t, log, string(noise(i, 10+i)))
	}
	must(t, log.Close())
}

// What a truncation changes behind the look at a log is no damage: Salvage leaves it out, and says that it does, and
// Verify looks again.
func TestLogThatIsCutWhileItIsRead(t *testing.T) {
	options := FileOptions{SegmentSize: 4096, alone: true}
	filled := func() string {
		dir := filepath.Join(t.TempDir(), "log")
		log, err := OpenFile(dir, options)
		must(t, err)
		for i := range 60 {
			mustAppend(t, log, string(noise(i, 90+i)))
		}
		must(t, log.Close())
		return dir
	}
	dir, shown := filled(), 0
	for _, err := range Salvage(dir) {
		if err != nil {
			if !errors.Is(err, errCutMeanwhile) {
				t.Errorf("salvage of a sound log tells %v", err)
			}
			break
		}
		if shown++; shown == 1 {
			cutAndFill(t, dir, options, 50)
		}
	}
	if shown < 30 {
		t.Errorf("%d entries were shown", shown)
	}
	dir = filled()
	d, err := disk.ReadOnly(dir)
	must(t, err)
	cut := false
	v, err := verify(d, func(Entry, error) bool {
		if !cut {
			cut = true
			cutAndFill(t, dir, options, 50)
		}
		return true
	})
	if must(t, err); !v.restless || len(v.Damage) > 0 || v.Lost > 0 {
		t.Errorf("%+v", v)
	}
	must(t, d.Close())
	if v, err = Verify(dir); err != nil || len(v.Damage) > 0 || v.Next != 110 {
		t.Errorf("%+v, %v", v, err)
	}
	overwrite(t, v.Segments[0].Path, []byte("damage"), recordsStart)
	if v, err = Verify(dir); err != nil || v.Lost != 1 {
		t.Errorf("damage to the same log: %+v, %v", v, err)
	}
}

// A lost entry is told whatever is done to the log meanwhile that is no truncation of its end.
func TestSalvageBesideAWriter(t *testing.T) {
	for what, do := range map[string]func(*File) error{
		"close":          (*File).Close,
		"keep":           func(f *File) error { return f.TruncateSuffix(f.Next()) },
		"reopen":         func(f *File) error { return both(f.Close(), reopened(f.dir.Path(""))) },
		"cut the prefix": func(f *File) error { return f.TruncatePrefix(1) },
	} {
		dir := filepath.Join(t.TempDir(), "log")
		options := FileOptions{SegmentSize: 4096, alone: true}
		log, err := OpenFile(dir, options)
		must(t, err)
		for i := range 60 {
			mustAppend(t, log, string(noise(i, 90+i)))
		}
		must(t, log.Close())
		v, err := Verify(dir)
		must(t, err)
		overwrite(t, v.Segments[0].Path, []byte("damage"), 1000)
		log, err = OpenFile(dir, options)
		must(t, err)
		mustAppend(t, log, "more")
		shown, told := 0, 0
		v, err = SalvageAll(dir, func(e Entry, err error) bool {
			if damage := new(CorruptError); errors.As(err, &damage) {
				told++
			} else if shown++; shown == 1 {
				must(t, do(log))
			}
			return true
		})
		if err != nil || told != 1 || v.Lost != 1 || shown < 58 {
			t.Errorf("%s: %d entries shown, %d damages told, %d lost, %v", what, shown, told, v.Lost, err)
		}
		log.Close()
	}
}

// reopened opens a log and closes it.
func reopened(dir string) error {
	log, err := OpenFile(dir, FileOptions{SegmentSize: 4096, alone: true})
	if err != nil {
		return err
	}
	return log.Close()
}

// A loop over a log that panics leaves none of its files open.
func TestSalvageThatPanics(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "log")
	log, err := OpenFile(dir, FileOptions{alone: true})
	must(t, err)
	mustAppend(t, log, "entry")
	must(t, log.Close())
	func() {
		defer func() { recover() }()
		for range Salvage(dir) {
			panic("enough")
		}
	}()
	if open := openIn(t, dir); open > 0 {
		t.Errorf("%d files are left open", open)
	}
}

// Entries that a repair has given up are told without a look at the manifest for each: there can be millions.
func TestLostEntriesAreToldAtOnce(t *testing.T) {
	log, disk := numbered(t, None, 0)
	for i := range 40 {
		_, err := log.AppendBatch(make([][]byte, 50))
		must(t, err)
		mustAppend(t, log, string(noise(i, 60)))
	}
	must(t, log.Close())
	image := struck(disk, segmentName(2), 0, len(disk.Bytes(segmentName(2))))
	_, err := repairDir(image)
	must(t, err)
	opened := 0
	image.SetHook(func(c crashdisk.Call) crashdisk.Fault {
		if c.Op == crashdisk.Open && c.Name == manifestName {
			opened++
		}
		return crashdisk.Fault{}
	})
	if got := seenIn(t, image); got.lost < 50 || opened > 20 {
		t.Errorf("%+v; the manifest was opened %d times", got, opened)
	}
}

// A file that is listed and cannot be found is no truncated one for who has the log's lock: nothing is done
// without it.
func TestFileThatIsNotFoundOnce(t *testing.T) {
	for name, use := range map[string]func(disk.Dir) error{
		"open": func(d disk.Dir) error {
			log, err := openDir(d, FileOptions{SegmentSize: 256, alone: true})
			if err != nil {
				return err
			}
			return log.Close()
		},
		"repair": func(d disk.Dir) error { _, err := repairDir(d); return err },
	} {
		_, sound := numbered(t, None, 60)
		names := segmentsOn(t, sound)
		for _, missed := range names {
			for once := range 8 {
				image, n := sound.AfterKill(), 0
				image.SetHook(func(c crashdisk.Call) crashdisk.Fault {
					if c.Op == crashdisk.Open && c.Name == missed {
						if n++; n == once+1 {
							return crashdisk.Fault{Err: fs.ErrNotExist}
						}
					}
					return crashdisk.Fault{}
				})
				err := use(image)
				image.SetHook(nil)
				if err != nil && !errors.Is(err, os.ErrNotExist) {
					t.Errorf("%s without %s at its use %d: %v", name, missed, once, err)
				}
				if got, want := seenIn(t, image.AfterKill()), seenIn(t, sound.AfterKill()); got != want {
					t.Errorf("%s without %s at its use %d, %v: %+v, want %+v", name, missed, once, err, got, want)
				}
			}
		}
	}
}
