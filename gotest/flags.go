package gotest

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A flagKind says what the value of a flag of go test is, and whether runs that differ in
// it are of different things.
type flagKind int

const (
	isSwitch flagKind = iota + 1
	isValue
	isFile     // which one makes no difference
	idleSwitch // makes no difference at all
	idleValue
)

// takesWord reports whether the value may be the next word.
func (k flagKind) takesWord() bool { return k == isValue || k == isFile || k == idleValue }

// flagKinds are all flags of go test. Those that are not idle change what is built, what a
// benchmark runs or what is measured along: runs that differ in them are not of the same
// thing.
var flagKinds = testFlags()

func testFlags() map[string]flagKind {
	all := map[string]flagKind{}
	for kind, names := range map[flagKind]string{
		isSwitch:   "race msan asan cover linkshared trimpath short",
		isValue:    "covermode coverpkg gcflags asmflags ldflags gccgoflags tags compiler buildmode pgo mod modfile overlay toolexec benchtime blockprofilerate mutexprofilefraction memprofilerate",
		isFile:     "cpuprofile memprofile blockprofile mutexprofile trace coverprofile",
		idleSwitch: "a artifacts benchmem buildvcs c failfast fullpath json modcacherw n v work x",
		idleValue:  "C bench count cpu debug-actiongraph debug-runtime-trace debug-trace exec fuzz fuzzminimizetime fuzztime installsuffix list o outputdir p parallel pkgdir run shuffle skip timeout vet",
	} {
		for _, name := range strings.Fields(names) {
			all[name] = kind
		}
	}
	return all
}

// ofPackages are the flags that can stand several times, each for other packages; of those
// that match one the last holds (go help build).
var ofPackages = []string{"gcflags", "asmflags", "ldflags", "gccgoflags"}

// built are the flags that change what is built or measured, in the order of their names, and
// what go test hands on to the benchmarks: of each flag the last among the arguments, or in
// GOFLAGS where no argument is one, and of those of packages all.
func built(args []string, goflags string) []string {
	words, _ := splitQuoted(goflags)
	var flags []testFlag
	for _, word := range words { // each has its value with it, and some are for other go commands
		flags = append(flags, newTestFlag(word))
	}
	given, handedOn := partArguments(args)
	asked := texts(flags)
	maps.Copy(asked, texts(given))
	var all []string
	for _, name := range slices.Sorted(maps.Keys(asked)) {
		all = append(all, asked[name]...)
	}
	if len(handedOn) > 0 {
		all = append(all, "-args "+strings.Join(handedOn, " "))
	}
	return all
}

// texts are what runs are held to of each flag that is there.
func texts(flags []testFlag) map[string][]string {
	all := map[string][]string{}
	for _, f := range flags {
		if !slices.Contains(ofPackages, f.name) {
			all[f.name] = nil
		}
		if text := f.text(); text != "" {
			all[f.name] = append(all[f.name], text)
		}
	}
	return all
}

// partArguments tells go test's own flags from what it hands on to the test binary, as it
// does itself: a flag that it does not know, and a word right behind that; from the first
// other word that no longer belongs to the packages on, everything; and what -args or --
// announces.
func partArguments(args []string) (flags []testFlag, handedOn []string) {
	const before, within, behind = 0, 1, 2
	packages, mayBeValue := before, false
	for len(args) > 0 {
		word := args[0]
		if word == "--" { // stands before the test binary, too
			return flags, append(handedOn, args...)
		}
		if endsFlags(word) {
			return flags, append(handedOn, args[1:]...)
		}
		f := newTestFlag(word)
		switch {
		case f.name == "" && packages == behind && !mayBeValue:
			return flags, append(handedOn, args...)
		case f.name == "" && packages == behind:
			handedOn, mayBeValue = append(handedOn, word), false
		case f.name == "":
			packages = within
		case f.kind == 0:
			handedOn, packages, mayBeValue = append(handedOn, word), behind, !f.given
		default:
			if f.kind.takesWord() && !f.given && len(args) > 1 {
				args = args[1:]
				f.value = args[0]
			}
			flags, mayBeValue = append(flags, f), false
			if packages == within {
				packages = behind
			}
		}
		args = args[1:]
	}
	return flags, handedOn
}

// A testFlag is one word of go test's command line; its name is empty if it is no flag,
// its kind 0 if go test does not know it.
type testFlag struct {
	name, value string
	given       bool // -name=value
	kind        flagKind
}

func newTestFlag(word string) testFlag {
	name, value, given := flagOf(word)
	name = strings.TrimPrefix(name, "test.")
	return testFlag{name, value, given, flagKinds[name]}
}

// text is what runs are held to; empty where the flag changes nothing.
func (f testFlag) text() string {
	on, err := strconv.ParseBool(f.value)
	switch {
	case f.kind == isValue:
		return "-" + f.name + "=" + f.value
	case f.kind == isFile, f.kind == isSwitch && (!f.given || err != nil || on):
		return "-" + f.name
	}
	return ""
}
