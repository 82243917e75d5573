package cmd

import (
	"os"
	"slices"
	"strings"
)

// buildFlags are those of go test that change what is built, or how many operations a
// benchmark has: runs that differ in them are not of the same thing. Whether one takes
// a value.
func buildFlags() map[string]bool {
	return map[string]bool{
		"race": false, "msan": false, "asan": false, "cover": false, "linkshared": false, "trimpath": false,
		"covermode": true, "coverpkg": true, "gcflags": true, "asmflags": true, "ldflags": true, "gccgoflags": true, "tags": true,
		"compiler": true, "buildmode": true, "pgo": true, "mod": true, "modfile": true, "overlay": true, "toolexec": true, "benchtime": true,
		"test.benchtime": true,
	}
}

// built are the build flags among the arguments of go test and in GOFLAGS, each in one
// word, in the order of their names.
func built(args []string) []string {
	known := buildFlags()
	var all []string
	args = append(strings.Fields(os.Getenv("GOFLAGS")), args...)
	for i := 0; i < len(args); i++ {
		if args[i] == "-args" || args[i] == "--args" || args[i] == "--" {
			break
		}
		word, dashed := strings.CutPrefix(args[i], "-")
		name, value, given := strings.Cut(strings.TrimPrefix(word, "-"), "=")
		takes, ours := known[name]
		switch {
		case !dashed || !ours:
			continue
		case takes && !given && i+1 < len(args):
			i++
			value, given = args[i], true
		case !takes && (value == "true" || value == "1"):
			given = false
		}
		if !takes && value == "false" {
			continue
		}
		word = "-" + strings.TrimPrefix(name, "test.")
		if given {
			word += "=" + value
		}
		all = append(all, word)
	}
	slices.Sort(all)
	return slices.Compact(all)
}
