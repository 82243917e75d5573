package cmd

import (
	"strings"

	"github.com/syncwrite/syncwrite/load"
)

// loadWords is load's command line as results and reports keep it. Headers and bodies can hold
// secrets: a header keeps its name alone, a body that of its file.
func loadWords(args []string) []string {
	words := []string{"syncwrite"}
	for i, word := range args {
		before := ""
		if i > 0 {
			before = args[i-1]
		}
		words = append(words, loadWord(before, word))
	}
	return words
}

// loadWord is a word as it is kept. What stands before it alone counts, even where that is
// another flag's value: too much is kept out rather than too little.
func loadWord(before, word string) string {
	flag, value, both := strings.Cut(word, "=")
	switch {
	case before == "--header":
		return openHeader(word)
	case before == "--body":
		return openBody(word)
	case both && flag == "--header":
		return flag + "=" + openHeader(value)
	case both && flag == "--body":
		return flag + "=" + openBody(value)
	}
	return word
}

func openHeader(text string) string {
	if name, _, has := strings.Cut(text, ":"); has {
		return name + ": " + load.KeptOut
	}
	return load.KeptOut
}

func openBody(text string) string {
	if text == "" || text[0] == '@' {
		return text
	}
	return load.KeptOut
}
