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
	w     io.Writer
	shown bool
}

func newProgress(w io.Writer) *progress {
	if file, ok := w.(*os.File); !ok || !term.IsTerminal(int(file.Fd())) {
		w = nil
	}
	return &progress{w: w}
}

func (p *progress) tell(state harness.Progress) {
	if p.w == nil {
		return
	}
	p.shown = true
	name := state.Cell.Experiment + "/" + state.Cell.Variant
	if state.Calibrating {
		fmt.Fprintf(p.w, "\r\x1b[Kcalibrating %d of %d: %s", state.Done+1, state.Total, name)
		return
	}
	fmt.Fprintf(p.w, "\r\x1b[K%d of %d trials, %v left: %s at N = %d", state.Done, state.Total,
		state.Left.Round(time.Second), name, state.Cell.Goroutines)
}

// clear takes the line away.
func (p *progress) clear() {
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
