package results

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Promise is what a variant guarantees to its callers. Only variants of equal
// promise are ranked against each other.
type Promise struct {
	// Order of the operations' effects: total, per-caller or none.
	Order string `json:"order"`
	// Result of concurrent calls: linearizable, unique, exactly-once (of messages: each
	// takes effect once, if only after its call has returned), at-most-once (some may not),
	// lossy, independent (operations that share nothing), undefined (a data race) or
	// unstated (a service of others, of which nobody has said).
	Result string `json:"result"`
	// Survives says what an acknowledged operation outlives: nothing,
	// process-crash or power-cut.
	Survives string `json:"survives"`
}

// Lossy is the result of a variant that may lose operations; its trials count
// how many. Undefined is that of one of which nothing can be relied on.
const (
	Lossy     = "lossy"
	Undefined = "undefined"
)

// Unstated is the result of what others serve and have said nothing of.
const Unstated = "unstated"

// Results of which one serves for another.
const (
	linearizable = "linearizable"
	unique       = "unique"
	exactlyOnce  = "exactly-once"
	atMostOnce   = "at-most-once"
)

// What survives, as far as it depends on the disk.
const (
	processCrash = "process-crash"
	powerCut     = "power-cut"
)

// The fixed vocabulary of promises.
var (
	orders    = []string{"total", "per-caller", "none"}
	outcomes  = []string{linearizable, unique, exactlyOnce, atMostOnce, Lossy, "independent", Undefined, Unstated}
	survivals = []string{"nothing", processCrash, powerCut}
)

// Check reports the first word that is not in the vocabulary.
func (p Promise) Check() error {
	for _, field := range []struct {
		name, word string
		known      []string
	}{
		{"order", p.Order, orders},
		{"result", p.Result, outcomes},
		{"survives", p.Survives, survivals},
	} {
		if !slices.Contains(field.known, field.word) {
			return fmt.Errorf("promise %s %q: not one of %s", field.name, field.word, strings.Join(field.known, ", "))
		}
	}
	return nil
}

// String says the promise in one phrase.
func (p Promise) String() string {
	return fmt.Sprintf("order %s, result %s, survives %s", p.Order, p.Result, p.Survives)
}

// On is the promise that is kept on a file system, named as in Disk: nothing in
// memory outlives the machine's loss of power.
func (p Promise) On(disk string) Promise {
	if p.Survives == powerCut && (Disk{FileSystem: disk}).Memory() {
		p.Survives = processCrash
	}
	return p
}

// Covers reports whether whoever asks for the other promise is served by this
// one. A word outside the vocabulary covers nothing.
func (p Promise) Covers(other Promise) bool {
	if p.Check() != nil || other.Check() != nil {
		return false
	}
	return servesResult(p.Result, other.Result) && slices.Index(orders, p.Order) <= slices.Index(orders, other.Order) && p.Strength() >= other.Strength()
}

// servesResult reports whether a result is all that who asks for another one needs. Unique
// is only promised of operations that return the next of a sequence, and a linearizable
// sequence gives none twice.
func servesResult(has, asked string) bool {
	switch {
	case has == asked:
		return true
	case asked == Lossy || asked == Undefined:
		return has != Lossy && has != Undefined
	case asked == atMostOnce:
		return has == exactlyOnce || has == linearizable
	}
	return has == linearizable && (asked == exactlyOnce || asked == unique)
}

// Weaker reports whether the promise is less than another one: whoever asks for this
// one is served by the other, and not the other way round.
func (p Promise) Weaker(other Promise) bool { return other.Covers(p) && !p.Covers(other) }

// StrongestFirst orders promises: by what they survive, then by order, then by
// result. A word outside the vocabulary is the weakest.
func StrongestFirst(a, b Promise) int {
	return cmp.Or(b.Strength()-a.Strength(), rankOf(orders, a.Order)-rankOf(orders, b.Order), rankOf(outcomes, a.Result)-rankOf(outcomes, b.Result))
}

// rankOf is where a word stands, behind all others if it is not of the vocabulary.
func rankOf(words []string, word string) int {
	if at := slices.Index(words, word); at >= 0 {
		return at
	}
	return len(words)
}

// Strength orders promises for display: weaker survival first.
func (p Promise) Strength() int { return slices.Index(survivals, p.Survives) }
