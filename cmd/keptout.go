package cmd

import (
	"net/url"
	"strings"
)

// keptOut stands where a command line or an error would show what nobody is to read.
const keptOut = "(kept out)"

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
		return name + ": " + keptOut
	}
	return keptOut
}

func openBody(text string) string {
	if text == "" || text[0] == '@' {
		return text
	}
	return keptOut
}

// openURL is a URL as an error shows it: without its password.
func openURL(text string) string {
	u, err := url.Parse(text)
	at := strings.LastIndexByte(text, '@')
	switch {
	case at >= 0 && (err != nil || u.Host == ""): // nobody knows where a password would end
		return keptOut + text[at:]
	case err == nil && u.User != nil:
		return u.Redacted()
	}
	return text
}
