package gotest

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// toolchain is the Go that the module under test asks for.
type toolchain struct {
	command  string // its go command
	root     string // as the overlay must name it
	version  string
	modcache string
	goflags  string
	env      []string // what the go command needs besides the environment
}

// findToolchain asks the go command in the module's directory.
func findToolchain(ctx context.Context, command string, a arguments) (toolchain, error) {
	args := append(append([]string{}, a.chdir...), "GOROOT", "GOVERSION", "GOMODCACHE", "GOFLAGS")
	out, err := exec.CommandContext(ctx, command, append([]string{"env"}, args...)...).Output()
	if err != nil {
		return toolchain{}, err
	}
	lines := strings.Split(strings.ReplaceAll(string(out), "\r\n", "\n"), "\n")
	if len(lines) < 4 || lines[0] == "" {
		return toolchain{}, errors.New("go env says too little")
	}
	return toolchain{command: command, root: lines[0], version: lines[1], modcache: lines[2], goflags: lines[3]}, nil
}

func (t toolchain) benchmarkFile() string {
	return filepath.Join(t.root, "src", "testing", "benchmark.go")
}

// outside gives a toolchain in the module cache, where Go 1.25 and later refuse
// overlays, another name: a link in dir. It is then started by that name, and
// must not look for another one.
func (t toolchain) outside(dir string) (toolchain, error) {
	if t.modcache == "" || !strings.HasPrefix(t.root, filepath.Clean(t.modcache)+string(filepath.Separator)) {
		return t, nil
	}
	link := filepath.Join(dir, plain(t.version))
	if target, err := os.Readlink(link); err != nil || target != t.root {
		if err := relink(t.root, link); err != nil {
			return t, err
		}
	}
	t.root = link
	t.command = filepath.Join(link, "bin", filepath.Base(t.command))
	t.env = []string{"GOROOT=" + link, "GOTOOLCHAIN=local"}
	return t, nil
}

// relink puts a link in place at once, whoever else does so.
func relink(target, link string) error {
	if err := os.MkdirAll(filepath.Dir(link), 0o777); err != nil {
		return err
	}
	temporary, err := os.MkdirTemp(filepath.Dir(link), ".link-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temporary)
	made := filepath.Join(temporary, "link")
	if err := os.Symlink(target, made); err != nil {
		return err
	}
	return os.Rename(made, link)
}

// plain is a version as a file name.
func plain(version string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\: `, r) {
			return '_'
		}
		return r
	}, version)
}
