package load

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// LocustVersion is the one that is used.
const LocustVersion = "2.47.0"

// InstalledLocust returns Locust's program in a virtual environment of its own, which it
// makes under the user's cache directory the first time; say is told before that. It
// needs Python 3.10 or later, with venv.
func InstalledLocust(ctx context.Context, say func(string)) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	home := filepath.Join(cache, "syncwrite", "locust-"+LocustVersion)
	program, whole := filepath.Join(home, "bin", "locust"), filepath.Join(home, "whole")
	if _, err := os.Stat(whole); err == nil {
		return program, nil
	}
	python, err := exec.LookPath("python3")
	if err != nil {
		return "", errors.New("locust needs Python 3.10 or later, and there is no python3")
	}
	say("installing locust " + LocustVersion + " in " + home)
	for _, words := range [][]string{
		{python, "-m", "venv", "--clear", home},
		{filepath.Join(home, "bin", "pip"), "install", "--quiet", "--disable-pip-version-check", "locust==" + LocustVersion},
	} {
		if out, err := exec.CommandContext(ctx, words[0], words[1:]...).CombinedOutput(); ctx.Err() != nil {
			return "", fmt.Errorf("install locust: %w", ctx.Err())
		} else if err != nil {
			return "", fmt.Errorf("install locust: %w: %s", err, lastLine(string(out)))
		}
	}
	return program, os.WriteFile(whole, nil, 0o644)
}
