package experiments

import "testing"

// One mailbox promises one thing, whichever experiment puts into it: a Put returns before
// its event is handled.
func TestAPutPromisesTheSameEverywhere(t *testing.T) {
	want := Mailbox().Only("buffer").Variants[0].Promise
	for _, v := range Aggregate().Variants {
		if v.Promise != want {
			t.Errorf("%s: %+v, in mailbox it is %+v", v.Name, v.Promise, want)
		}
	}
}
