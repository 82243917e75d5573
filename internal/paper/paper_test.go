package paper

import (
	"strings"
	"testing"
)

func TestNoLineIsLongerThanThePaper(t *testing.T) {
	var text strings.Builder
	w := New(&text, 60, true)
	long := strings.Repeat("cells with payload = 64 took 12 ms, ", 6)
	w.Paragraph("  a mark: ", long)
	w.Heading(long)
	for line := range strings.Lines(text.String()) {
		line = strings.TrimSuffix(line, "\n")
		head, heading := strings.CutPrefix(line, "\x1b[1m")
		head = strings.TrimSuffix(head, "\x1b[0m")
		if Columns(head) > 60 || heading != strings.HasSuffix(line, "\x1b[0m") {
			t.Errorf("%d columns: %q", Columns(head), line)
		}
		if strings.HasSuffix(head, " 12") || strings.HasSuffix(head, "=") {
			t.Errorf("a number without its unit, or a name without its level: %q", line)
		}
	}
}

func TestWhatIsPastedIsNotBroken(t *testing.T) {
	var text strings.Builder
	long := "a  'b   c' " + strings.Repeat("12 ms  ", 30)
	New(&text, 60, true).Verbatim("  ", long+"\x1b[31m\n")
	if want := "  " + long + `\x1b[31m\n` + "\n"; text.String() != want {
		t.Errorf("%q, want %q", text.String(), want)
	}
}

func TestAParagraphIsIndentedAsFarAsItsMark(t *testing.T) {
	var text strings.Builder
	New(&text, 0, false).Paragraph("  - ", strings.Repeat("word ", 30))
	lines := strings.Split(strings.TrimSpace(text.String()), "\n")
	if len(lines) != 2 || !strings.HasPrefix(lines[1], "    word") || !strings.HasPrefix(lines[0], "- word") {
		t.Errorf("%q", lines)
	}
}
