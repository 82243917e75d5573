package disk

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/syncwrite/syncwrite/internal/ext4"
)

// A file for which there is not enough space has what it had before, and the disk as much left.
func TestReserveGivesBackWhatDoesNotSuffice(t *testing.T) {
	if err := ext4.Can(); err != nil {
		if os.Getenv("SYNCWRITE_REQUIRE") == "1" {
			t.Fatalf("%v, and SYNCWRITE_REQUIRE is 1", err)
		}
		t.Skip(err)
	}
	image, at := filepath.Join(t.TempDir(), "image"), filepath.Join(t.TempDir(), "mounted")
	if err := errors.Join(ext4.Make(image, 16<<20), ext4.Mount(image, at)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := ext4.Unmount(at); err != nil {
			t.Error(err)
		}
	})
	file, err := opened(t, at).Create("a")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := file.Reserve(1 << 20); err != nil {
		t.Fatal(err)
	}
	left := func() int64 {
		var s unix.Statfs_t
		if err := unix.Statfs(at, &s); err != nil {
			t.Fatal(err)
		}
		return int64(s.Bfree) * s.Bsize
	}
	before := left()
	if err := file.Reserve(64 << 20); !errors.Is(err, unix.ENOSPC) {
		t.Errorf("64 MiB of 16: %v", err)
	}
	if size, err := file.Size(); size != 1<<20 || err != nil || left() < before-64<<10 { // ext4 may need some for itself
		t.Errorf("the file has %d bytes (%v), the disk %d left of %d", size, err, left(), before)
	}
}
