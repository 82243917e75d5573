//go:build unix

package harness

import (
	"os/exec"
	"strings"
	"testing"
)

// A process that says nothing any more is asked what its goroutines do before it is killed.
func TestSilentProcessTellsWhatItDoes(t *testing.T) {
	p := &process{command: exec.Command("sh", "-c", `trap 'echo goroutine 1 waits >&2; exit 2' QUIT; echo "$1"; while :; do sleep 0.05; done`, "sh", string(hello())), messages: make(chan message)}
	out, err := p.command.StdoutPipe()
	if err == nil {
		p.in, err = p.command.StdinPipe()
	}
	if err != nil {
		t.Fatal(err)
	}
	p.command.Stderr, p.command.WaitDelay = &p.errors, grace
	if err := p.command.Start(); err != nil {
		t.Fatal(err)
	}
	go p.listen(out)
	if m := <-p.messages; !m.Hello {
		t.Fatalf("%+v", m)
	}
	if text := p.kill(errSilent); text != errSilent.Error() || !strings.Contains(p.errors.String(), "goroutine 1 waits") {
		t.Errorf("%q, and told %q", text, p.errors.String())
	}
}
