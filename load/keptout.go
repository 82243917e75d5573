package load

import "strings"

// KeptOut stands where an error or a command line would show what nobody is to read.
const KeptOut = "(kept out)"

// ShowURL is what is to be a URL, as an error shows it: nothing that stands before an @. That can be a password or a
// token, and of a URL that is none nobody knows where they begin or end.
func ShowURL(text string) string {
	if at := max(strings.LastIndex(text, "@"), strings.LastIndex(text, "%40")); at >= 0 {
		return KeptOut + text[at:]
	}
	return text
}

// shown is a part of the scenario's URL as an error shows it.
func (s Scenario) shown(part string) string {
	if ShowURL(s.URL) != s.URL {
		return KeptOut
	}
	return part
}
