package crashtest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/syncwrite/syncwrite/internal/ext4"
)

// newImage makes an image with one small file in it.
func newImage(t *testing.T) string {
	t.Helper()
	need(t, CanImage())
	image := filepath.Join(t.TempDir(), "image")
	if err := ext4.Make(image, 16<<20); err != nil {
		t.Fatal(err)
	}
	fs, err := mountImage(image)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(fs.path("kept"), []byte("foo"), 0o600); err != nil {
		t.Error(err)
	}
	if device, err := loopOf(image); device == "" || err != nil {
		t.Errorf("mounted by loop device %q, %v", device, err)
	}
	if err := fs.release(); err != nil {
		t.Fatal(err)
	}
	return image
}

func readKept(t *testing.T, image string) (fsck bool) {
	t.Helper()
	fs, fsck, err := mountCrashed(image)
	if err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(fs.path("kept")); err != nil || string(data) != "foo" {
		t.Errorf("read %q, %v", data, err)
	}
	if _, err := os.Stat(fs.path("lost")); !os.IsNotExist(err) {
		t.Errorf("what was never flushed is there, or not to be seen: %v", err)
	}
	if err := fs.release(); err != nil {
		t.Error(err)
	}
	return fsck
}

func TestCrashImagesLackWhatWasNotFlushed(t *testing.T) {
	image := newImage(t)
	fs, err := mountImage(image)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(fs.path("lost"), []byte("bar"), 0o600); err != nil {
		t.Error(err)
	}
	if err := fs.copyStill(image + ".copy"); err != nil {
		t.Error(err)
	}
	if err := ext4.Cut(fs.root); err != nil {
		t.Error(err)
	}
	if err := fs.release(); err != nil {
		t.Fatal(err)
	}
	readKept(t, image+".copy")
	readKept(t, image)
}

func TestFsckIsRecorded(t *testing.T) {
	image := newImage(t)
	if readKept(t, image) {
		t.Error("a sound image was repaired")
	}
	file, err := os.OpenFile(image, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.WriteAt(make([]byte, 1024), 1024); err != nil { // the superblock, which has copies
		t.Fatal(err)
	}
	if !readKept(t, image) {
		t.Error("an image without its superblock was mounted as it was")
	}
}
