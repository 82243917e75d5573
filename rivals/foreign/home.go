package main

import (
	"os"
	"path/filepath"
)

// A home is the directory where the drivers are built and stay.
type home string

func findHome() (home, error) {
	cache, err := os.UserCacheDir()
	return home(filepath.Join(cache, "syncwrite", "foreign")), err
}

func (h home) in(names ...string) string {
	return filepath.Join(append([]string{string(h)}, names...)...)
}

// program is where cargo leaves a driver.
func (h home) program(name string) string { return h.in("target", "release", name) }

// A toolchain builds drivers.
type toolchain string

const (
	noTools toolchain = ""
	rust    toolchain = "cargo"
	maven   toolchain = "mvn"
)

func (h home) stamp(t toolchain) string { return h.in("built-by-" + string(t)) }

// built says whether what t has built is of today's sources.
func (h home) built(t toolchain) bool {
	if t == noTools {
		return true
	}
	want, err := fingerprint()
	got, readErr := os.ReadFile(h.stamp(t))
	return err == nil && readErr == nil && string(got) == want
}
