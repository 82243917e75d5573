// Package printable makes what another process said fit for a terminal.
package printable

import (
	"strconv"
	"strings"
)

// Text is text from elsewhere, with what a terminal would not print escaped.
func Text(text string) string {
	quoted := strconv.Quote(text)
	if inner := quoted[1 : len(quoted)-1]; inner != text {
		return strings.ReplaceAll(inner, `\"`, `"`)
	}
	return text
}
