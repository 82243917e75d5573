package gotest

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// replacements is the file that -overlay names.
type replacements struct{ Replace map[string]string }

// readOverlay reads the user's own; an empty one without a path. dir is where
// the go command runs.
func readOverlay(path, dir string) (replacements, error) {
	r := replacements{Replace: map[string]string{}}
	if path == "" {
		return r, nil
	}
	text, err := os.ReadFile(within(dir, path))
	if err != nil {
		return r, err
	}
	err = json.Unmarshal(text, &r)
	if r.Replace == nil {
		r.Replace = map[string]string{}
	}
	return r, err
}

// within is path as a command sees it that runs in dir.
func within(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// take removes what the overlay puts in the place of file, and returns it: file
// itself if nothing.
func (r replacements) take(file, dir string) (source string, err error) {
	for from, to := range r.Replace {
		absolute, err := filepath.Abs(within(dir, from))
		if err != nil || absolute != file {
			continue
		}
		delete(r.Replace, from)
		if to == "" {
			return "", fmt.Errorf("%w: an overlay takes it away", ErrAnchor)
		}
		return within(dir, to), nil
	}
	return file, nil
}

// keep writes an edited file into dir, under a name that its Go and its content
// choose, unless it is there: the go command then finds what it compiled before.
func keep(dir, version string, text []byte) (string, error) {
	path := filepath.Join(dir, fmt.Sprintf("%s-%x", plain(version), sha256.Sum256(text))[:len(plain(version))+17], "benchmark.go")
	if have, err := os.ReadFile(path); err == nil && bytes.Equal(have, text) {
		return path, nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return "", err
	}
	temporary, err := os.CreateTemp(filepath.Dir(path), ".benchmark-")
	if err != nil {
		return "", err
	}
	defer os.Remove(temporary.Name())
	_, err = temporary.Write(text)
	if closed := temporary.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return "", err
	}
	return path, os.Rename(temporary.Name(), path)
}
