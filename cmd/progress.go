package cmd

import (
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/term"

	"github.com/syncwrite/syncwrite/harness"
)

// progress keeps one line on a terminal up to date, between trials only;
// elsewhere it says nothing.
type progress struct {
	w     *os.File // nil: no terminal
	shown bool
}

func newProgress(w io.Writer) *progress {
	file, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		file = nil
	}
	return &progress{w: file}
}

func (p *progress) tell(state harness.Progress) {
	if p.w == nil {
		return
	}
	p.shown = true
	name := state.Cell.Experiment + "/" + state.Cell.Variant
	text := fmt.Sprintf("%d of %d trials, %v left: %s at N = %d", state.Done, state.Total,
		state.Left.Round(time.Second), name, state.Cell.Goroutines)
	if state.OpsPerS.Known() {
		text += ", " + state.OpsPerS.Rate() + "/s so far"
	}
	if state.Calibrating {
		text = fmt.Sprintf("calibrating %d of %d: %s", state.Done+1, state.Total, name)
	}
	if state.Tracing {
		text = fmt.Sprintf("tracing %d of %d: %s at N = %d", state.Done+1, state.Total, name, state.Cell.Goroutines)
	}
	fmt.Fprint(p.w, "\r\x1b[K"+cut(text, p.columns()-1))
}

// columns is how wide the terminal is now.
func (p *progress) columns() int {
	if width, _, err := term.GetSize(int(p.w.Fd())); err == nil && width > 1 {
		return width
	}
	return 80
}

// cut keeps a text to one line: what is wrapped could not be taken away again.
func cut(text string, columns int) string {
	if runes := []rune(text); len(runes) > columns {
		return string(runes[:max(columns-1, 0)]) + "…"
	}
	return text
}

// clear takes the line away.
func (p *progress) clear() {
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
