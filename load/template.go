package load

import (
	"strconv"
	"strings"
)

// A template is a body with places for what differs from request to request.
type template []string // text, placeholder, text, …

// What stands in a body for the user's number, the number of its request, and the trial.
const (
	userPlace = "{{user}}"
	nPlace    = "{{n}}"
	runPlace  = "{{run}}"
)

func newTemplate(text string) (t template) {
	for {
		at, found := len(text), ""
		for _, place := range []string{userPlace, nPlace, runPlace} {
			if i := strings.Index(text, place); i >= 0 && i < at {
				at, found = i, place
			}
		}
		t = append(t, text[:at])
		if found == "" {
			return t
		}
		t = append(t, found)
		text = text[at+len(found):]
	}
}

// same reports whether all bodies are alike.
func (t template) same() bool { return len(t) == 1 }

// appendTo writes the body of a request.
func (t template) appendTo(b []byte, user, n int, run string) []byte {
	for _, part := range t {
		switch part {
		case userPlace:
			b = strconv.AppendInt(b, int64(user), 10)
		case nPlace:
			b = strconv.AppendInt(b, int64(n), 10)
		case runPlace:
			b = append(b, run...)
		default:
			b = append(b, part...)
		}
	}
	return b
}
