package gotest

import (
	"slices"
	"strconv"
	"strings"
)

// A flagKind says what the value of a flag is.
type flagKind int

const (
	isSwitch flagKind = iota + 1
	isValue
	isFile // which one makes no difference
)

// buildFlags are those of go test that change what is built, what a benchmark runs or
// what is measured along: runs that differ in them are not of the same thing.
func buildFlags() map[string]flagKind {
	all := map[string]flagKind{}
	for kind, names := range map[flagKind]string{
		isSwitch: "race msan asan cover linkshared trimpath short",
		isValue:  "covermode coverpkg gcflags asmflags ldflags gccgoflags tags compiler buildmode pgo mod modfile overlay toolexec benchtime blockprofilerate mutexprofilefraction memprofilerate",
		isFile:   "cpuprofile memprofile blockprofile mutexprofile trace",
	} {
		for _, name := range strings.Fields(names) {
			all[name] = kind
		}
	}
	return all
}

// built are the build flags in GOFLAGS and among the arguments, the last of each, in the
// order of their names, and what is behind -args, which is the benchmarks' own.
func built(args []string, goflags string) []string {
	known, asked := buildFlags(), map[string]string{}
	words, _ := splitQuoted(goflags)
	args = append(words, args...)
	var own []string
	for i := 0; i < len(args); i++ {
		if endsFlags(args[i]) {
			own = args[i+1:]
			break
		}
		name, value, given := flagOf(args[i])
		name = strings.TrimPrefix(name, "test.")
		kind := known[name]
		if kind == 0 {
			continue
		}
		if kind != isSwitch && !given && i+1 < len(args) {
			i++
			value = args[i]
		}
		delete(asked, name)
		switch on, err := strconv.ParseBool(value); {
		case kind == isValue:
			asked[name] = "-" + name + "=" + value
		case kind == isFile || !given || err != nil || on:
			asked[name] = "-" + name
		}
	}
	var all []string
	for _, flag := range asked {
		all = append(all, flag)
	}
	slices.Sort(all)
	if len(own) > 0 {
		all = append(all, "-args "+strings.Join(own, " "))
	}
	return all
}
