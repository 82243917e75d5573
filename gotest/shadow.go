package gotest

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// covers reports whether coverage is asked for. The go command instruments
// packages from their own files, past any overlay: package testing, which
// -coverpkg=all includes, would be as it was, and be cached as if it were not.
func covers(args []string, goflags string) bool {
	words, _ := splitQuoted(goflags)
	return slices.ContainsFunc(append(words, args...), func(arg string) bool {
		name, _, _ := flagOf(arg)
		return strings.HasPrefix(name, "cover")
	})
}

// shadow is the toolchain seen through a directory of links that holds one file
// of its own: the edited benchmark.go.
func (t toolchain) shadow(dir string, edited []byte) (toolchain, error) {
	edited = append(edited[:len(edited):len(edited)], "\n// Reached by links.\n"...) // never the same as in an overlay
	sum := sha256.Sum256(append([]byte(t.root+"\n"), edited...))
	root := filepath.Join(dir, fmt.Sprintf("%s-%x", plain(t.version), sum[:8]))
	if _, err := os.Stat(root); err != nil {
		if err := makeShadow(t.root, root, edited); err != nil {
			return t, err
		}
	}
	t.command = filepath.Join(root, "bin", filepath.Base(t.command))
	t.env = []string{"GOROOT=" + root, "GOTOOLCHAIN=local"}
	return t, nil
}

// makeShadow puts the directory into place at once, whoever else does so.
func makeShadow(from, root string, edited []byte) error {
	if err := os.MkdirAll(filepath.Dir(root), 0o777); err != nil {
		return err
	}
	temporary, err := os.MkdirTemp(filepath.Dir(root), ".shadow-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temporary)
	if err := fillShadow(from, temporary, edited); err != nil {
		return err
	}
	err = os.Rename(temporary, root)
	if _, made := os.Stat(root); made == nil {
		return nil // by this process or another
	}
	return err
}

func fillShadow(from, to string, edited []byte) error {
	testing := filepath.Join("src", "testing")
	for _, level := range []struct{ dir, but string }{{"", "src"}, {"src", "testing"}, {testing, "benchmark.go"}} {
		if err := linkAll(filepath.Join(from, level.dir), filepath.Join(to, level.dir), level.but); err != nil {
			return err
		}
	}
	if err := os.Chmod(to, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(to, testing, "benchmark.go"), edited, 0o666)
}

// linkAll links what is in a directory, but for one name, into another, which
// it makes.
func linkAll(from, to, but string) error {
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(to, 0o777); err != nil {
		return err
	}
	for _, e := range entries {
		if e.Name() == but {
			continue
		}
		if err := os.Symlink(filepath.Join(from, e.Name()), filepath.Join(to, e.Name())); err != nil {
			return err
		}
	}
	return nil
}
