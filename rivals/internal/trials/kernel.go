package trials

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/syncwrite/syncwrite/rivals/internal/memory"
)

// dirtyLimit is how many bytes the kernel lets wait in the page cache before it
// makes writers wait for the disk: vm.dirty_bytes or, where that is 0,
// vm.dirty_ratio percent of the memory that is available.
func dirtyLimit() (int64, error) {
	limit, err := readNumber("/proc/sys/vm/dirty_bytes")
	if err != nil || limit > 0 {
		return limit, err
	}
	percent, err := readNumber("/proc/sys/vm/dirty_ratio")
	if err != nil {
		return 0, err
	}
	available, err := memory.Available()
	return available / 100 * percent, err
}

func readNumber(path string) (int64, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
}

// cacheSize is the size of the processor's last cache in bytes.
func cacheSize() (int64, error) {
	paths, _ := filepath.Glob("/sys/devices/system/cpu/cpu0/cache/index*/size") // the pattern is well formed
	most := int64(0)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return 0, err
		}
		size, err := parseCacheSize(strings.TrimSpace(string(text)))
		if err != nil {
			return 0, fmt.Errorf("%s: %w", path, err)
		}
		most = max(most, size)
	}
	if most == 0 {
		return 0, errors.New("the system tells no size of a processor cache")
	}
	return most, nil
}

// parseCacheSize reads "32768K" or "32M".
func parseCacheSize(text string) (int64, error) {
	shift := 0
	switch {
	case strings.HasSuffix(text, "K"):
		shift = 10
	case strings.HasSuffix(text, "M"):
		shift = 20
	}
	n, err := strconv.ParseInt(strings.TrimRight(text, "KM"), 10, 64)
	return n << shift, err
}
