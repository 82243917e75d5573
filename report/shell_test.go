package report

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// The command that repeats a run can be pasted into a shell: what it hands over
// is what was given.
func TestCommandLine(t *testing.T) {
	for want, words := range map[string][]string{
		"syncwrite run log --trials=6":           {"syncwrite", "run", "log", "--trials=6"},
		"syncwrite test -run '^$' -bench 'A|B'":  {"syncwrite", "test", "-run", "^$", "-bench", "A|B"},
		`a 'two words' '' 'it'\''s' '$HOME' '*'`: {"a", "two words", "", "it's", "$HOME", "*"},
	} {
		if got := commandLine(words); got != want {
			t.Errorf("%q: %s, want %s", words, got, want)
		}
	}
}

func TestShellReadsItBack(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no sh")
	}
	words := []string{"A|B", "a b", "", "it's", `"`, "$HOME", "`x`", "*", "?", "[a]", "~", "#", "&", ";", "(", "{a,b}", "!", `\`, "line\nline", "ü", "--", "a=b"}
	out, err := exec.Command(sh, "-c", `printf '%s\0' `+commandLine(words)).Output()
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00"); !slices.Equal(got, words) {
		t.Errorf("%q, want %q", got, words)
	}
}
