package cmd

import (
	"io"
	"os"

	"golang.org/x/term"

	"github.com/syncwrite/syncwrite/report"
)

// verboseHelp is the help of --verbose.
const verboseHelp = "print every cell, a chart, causes and all doubts, as the page has them"

// textOptions are those of where text goes: the width and the colours of a
// terminal, 80 columns without colour elsewhere. NO_COLOR and TERM=dumb are
// respected.
func textOptions(w io.Writer, verbose bool) report.TextOptions {
	o := report.TextOptions{Verbose: verbose}
	file, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return o
	}
	if width, _, err := term.GetSize(int(file.Fd())); err == nil {
		o.Width = width
	}
	o.Color = os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	return o
}
