package arrows

import (
	"maps"
	"slices"
	"strings"
)

const (
	everything = "everything but rivals and companions"
	nothing    = ""
)

// arrows says what each room may import of ours, in the words of "Arrows" in the
// design; a room may always import itself. Its subfolders are part of a room, but
// for those of internal and companions, which are rooms: a companion stands alone.
// A room that moves in needs its line here: one without is an error.
func arrows() map[string]string {
	return map[string]string{
		"cmd":         everything,
		"examples":    everything,
		"experiments": "harness results hist subject internal/hosts internal/processors internal/workload",
		"load":        "experiments harness results hist subject internal/cause internal/hosts internal/processors",
		"gotest":      "internal/cause results hist",
		"report":      "internal/paper results scaling",
		"analysis":    "results stats scaling",
		"harness":     "internal/cause internal/pace results hist",
		"scaling":     "stats",
		"results":     "hist",
		"subject":     "hist internal/ext4",
		"hist":        nothing,
		"stats":       nothing,

		"companions/ahead": nothing,

		"internal/alike":       "analysis results",
		"internal/arrows":      nothing,
		"internal/bottlenecks": "analysis harness results",
		"internal/cause":       "internal/processors results",
		"internal/ext4":        nothing,
		"internal/paper":       "results",
		"internal/pace":        nothing,
		"internal/hosts":       nothing,
		"internal/processors":  nothing,
		"internal/racing":      nothing,
		"internal/workload":    "harness results subject",
	}
}

// sparing says which modules of others a folder takes, where these are few on
// purpose. Its tests are free.
func sparing() map[string]string {
	return map[string]string{
		"subject/commitlog":               "golang.org/x/sys",
		"subject/commitlog/internal/disk": "golang.org/x/sys",
	}
}

// outside lists the folders at the root that are modules of their own: they are
// not walked, and no room may import them.
func outside() []string { return []string{"rivals", "tools"} }

// banned lists names that say nothing about what is inside.
func banned() []string { return []string{"utils", "util", "common", "core", "types", "lib"} }

// allowed returns the rooms that room may import; ok is false for a room that is
// not in the house.
func allowed(room string) (rooms []string, ok bool) {
	words, ok := arrows()[room]
	if words == everything {
		rooms = slices.Collect(maps.Keys(arrows()))
		return slices.DeleteFunc(rooms, func(r string) bool { return strings.HasPrefix(r, "companions/") }), ok
	}
	return append(strings.Fields(words), room), ok
}

// reachable returns the rooms to the right of room, however many arrows away.
func reachable(room string) []string {
	found := []string{room}
	for i := 0; i < len(found); i++ {
		next, _ := allowed(found[i])
		for _, r := range next {
			if !slices.Contains(found, r) {
				found = append(found, r)
			}
		}
	}
	return found
}
