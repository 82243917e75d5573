package gotest

import (
	"cmp"
	"errors"
	"strconv"
	"strings"
	"unicode"
)

// arguments are those of go test, with the user's own overlay taken out: two
// would not be merged.
type arguments struct {
	chdir   []string // -C DIR, which must come first
	rest    []string
	overlay string // empty: none
}

// parseArguments looks for the few flags that matter here and leaves all others
// to the go command, wrong ones too.
func parseArguments(args []string) arguments {
	var a arguments
	if n := chdirLength(args); n > 0 {
		a.chdir, args = args[:n:n], args[n:]
	}
	for i := 0; i < len(args); i++ {
		name, value, given := flagOf(args[i])
		switch {
		case endsFlags(args[i]):
			a.rest = append(a.rest, args[i:]...) // no flags of go test behind it
			return a
		case name == "overlay" && given:
			a.overlay = value
		case name == "overlay" && i+1 < len(args):
			i++
			a.overlay = args[i]
		default:
			a.rest = append(a.rest, args[i])
		}
	}
	return a
}

func chdirLength(args []string) int {
	if len(args) == 0 {
		return 0
	}
	switch name, _, given := flagOf(args[0]); {
	case name != "C":
		return 0
	case given:
		return 1
	}
	return min(2, len(args))
}

// flagOf splits -name=value or --name; the name is empty if arg is no flag.
func flagOf(arg string) (name, value string, given bool) {
	name, dashed := strings.CutPrefix(arg, "-")
	if !dashed {
		return "", "", false
	}
	name, value, given = strings.Cut(strings.TrimPrefix(name, "-"), "=")
	return name, value, given
}

// count is how often -count asks for each benchmark; 0 where that is no number. It is read
// as package flag reads it: 0x3 is three, 010 eight.
func (a arguments) count(goflags string) int {
	n, err := strconv.ParseUint(cmp.Or(a.asked("count", goflags), "1"), 0, strconv.IntSize-1)
	if err != nil {
		return 0
	}
	return int(n)
}

// procs are the levels of GOMAXPROCS that -cpu asks for, in its order; none where it
// does not.
func (a arguments) procs(goflags string) []int {
	var all []int
	for _, word := range strings.Split(a.asked("cpu", goflags), ",") {
		if n, err := strconv.Atoi(strings.TrimSpace(word)); err == nil {
			all = append(all, n)
		}
	}
	return all
}

// asked is what a flag asks for, the last of them if it is there several times; GOFLAGS
// stand in front, and what go test hands on to the test binary behind.
func (a arguments) asked(flag, goflags string) (asked string) {
	words, _ := splitQuoted(goflags)
	var flags []testFlag
	for _, word := range words { // each has its value with it
		flags = append(flags, newTestFlag(word))
	}
	given, handedOn := partArguments(a.rest)
	for _, f := range append(flags, given...) {
		if f.name == flag {
			asked = f.value
		}
	}
	return askedBehind(handedOn, flag, asked)
}

// askedBehind is what a flag of package testing asks for among the words for the test
// binary, which has it by its whole name; without it, what was asked for before them. It
// heeds no flag from the first word on that is neither one nor the value of one.
func askedBehind(words []string, flag, asked string) string {
	mayBeValue := false
	for i, word := range words {
		name, value, given := flagOf(word)
		if name == "" && (!mayBeValue || word == "--") {
			return asked
		}
		mayBeValue = name != "" && !given
		switch {
		case name != "test."+flag:
		case given:
			asked = value
		case i+1 < len(words):
			asked = words[i+1]
		}
	}
	return asked
}

// endsFlags reports that no flag of go test stands behind a word.
func endsFlags(word string) bool {
	name, _, _ := flagOf(word)
	return name == "args" || word == "--"
}

// dir is the directory that -C names; empty without it.
func (a arguments) dir() string {
	switch len(a.chdir) {
	case 1:
		_, dir, _ := flagOf(a.chdir[0])
		return dir
	case 2:
		return a.chdir[1]
	}
	return ""
}

// goflagsOverlay finds the overlay in GOFLAGS, which the go command reads as
// flags in front of all others.
func goflagsOverlay(goflags string) (string, error) {
	words, err := splitQuoted(goflags)
	overlay := ""
	for _, word := range words {
		if name, value, given := flagOf(word); name == "overlay" && given {
			overlay = value
		}
	}
	return overlay, err
}

// splitQuoted splits at spaces; a word that begins with a quote ends with it.
func splitQuoted(text string) ([]string, error) {
	var words []string
	for {
		text = strings.TrimLeftFunc(text, unicode.IsSpace)
		if text == "" {
			return words, nil
		}
		if quote := text[0]; quote == '"' || quote == '\'' {
			word, rest, closed := strings.Cut(text[1:], string(quote))
			if !closed {
				return words, errors.New("unterminated quote")
			}
			words, text = append(words, word), rest
			continue
		}
		end := strings.IndexFunc(text, unicode.IsSpace)
		if end < 0 {
			end = len(text)
		}
		words, text = append(words, text[:end]), text[end:]
	}
}
