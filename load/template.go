package load

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A wish is what requests of one kind ask.
type wish struct {
	method string
	target template // path and query
	body   template
}

// wishes are those of a scenario's mix.
func (s Scenario) wishes() []wish {
	var all []wish
	for _, w := range s.Mix {
		one := wish{method: w.Method, target: newTemplate(s.target(w)), body: newTemplate("")}
		if HasBody(w.Method) {
			one.body = newTemplate(cmp.Or(w.Body, s.Body))
		}
		all = append(all, one)
	}
	return all
}

// same reports whether all requests of the kind are alike.
func (w wish) same() bool { return len(w.target) == 1 && len(w.body) == 1 }

// A template is a text with places for what differs from request to request.
type template []string // text, placeholder, text, …

// What stands in a text for the user's number, the number of its request, and the trial.
const (
	userPlace = "{{user}}"
	nPlace    = "{{n}}"
	runPlace  = "{{run}}"
)

func places() []string { return []string{userPlace, nPlace, runPlace} }

// placeForm is what a place looks like, and one that is misspelt.
var placeForm = regexp.MustCompile(`\{\{ *[\pL\pM\pN_.-]+ *\}\}`)

// NoPlaces are the words in braces, of URL, paths and bodies, that look like a place and are none: they are sent as
// they stand, by all users alike.
func (s Scenario) NoPlaces() []string {
	texts := []string{s.written(), s.Body}
	for _, w := range s.Mix {
		texts = append(texts, w.Path, w.Body)
	}
	var none []string
	for _, place := range placeForm.FindAllString(strings.Join(texts, "\n"), -1) {
		if !slices.Contains(places(), place) && !slices.Contains(none, place) {
			none = append(none, place)
		}
	}
	return none
}

func newTemplate(text string) (t template) {
	for {
		at, found := len(text), ""
		for _, place := range places() {
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

// appendTo writes the text of a request.
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
