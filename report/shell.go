package report

import "strings"

// repeat stands before the command that repeats a run. It stands on a line of its own: it
// is pasted, and must be the one that was run.
const repeat = "Repeat:"

// commandLine writes a command so that a POSIX shell reads back the same words:
// one that holds anything a shell acts on stands in single quotes.
func commandLine(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = shellWord(word)
	}
	return strings.Join(quoted, " ")
}

// plainLetters mean themselves in every shell, besides letters and digits.
const plainLetters = "-_./:,=@%+"

func shellWord(word string) string {
	special := func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune(plainLetters, r))
	}
	// A first word such as A=b would be an assignment; no command of ours is.
	if word != "" && !strings.ContainsFunc(word, special) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
