package actor

import (
	"context"
	"errors"
	"slices"
	"testing"
)

// Two goroutines that put through one ring at once are a mistake of the program: the
// second to show its message finds that the first was there.
func TestTwoInOneRing(t *testing.T) {
	bell := newBell()
	r := newRing(Options[int]{Capacity: 4}, &bell)
	r.put.Add(1) // another goroutine's
	defer func() {
		if recover() == nil {
			t.Error("nobody was told")
		}
	}()
	r.Put(context.Background(), 1)
}

// What a closed ring does not take is not kept alive either.
func TestClosedRingKeepsNothing(t *testing.T) {
	bell := newBell()
	r := newRing(Options[*int]{Capacity: 4}, &bell)
	r.close()
	messages := []*int{new(int), new(int)}
	if n, err := r.PutAll(context.Background(), messages); n != 0 || !errors.Is(err, ErrClosed) {
		t.Errorf("%d, %v", n, err)
	}
	if err := r.Put(context.Background(), messages[0]); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
	if i := slices.IndexFunc(r.slots, func(m *int) bool { return m != nil }); i >= 0 {
		t.Errorf("slot %d is kept", i)
	}
}

// Any lengths of runs and puts go around the array, and nothing is kept alive once it
// was handed over.
func TestRingGoesAround(t *testing.T) {
	bell := newBell()
	r := newRing(Options[int]{Capacity: 7, Alike: func(first, m int) bool { return first/5 == m/5 }}, &bell)
	next, want := 1, 1
	for round := range 1000 {
		messages := make([]int, min(round%7+1, 7-r.len()))
		for i := range messages {
			messages[i] = next
			next++
		}
		if _, err := r.PutAll(context.Background(), messages); err != nil {
			t.Fatal(err)
		}
		for range round % 3 {
			run := r.next()
			for _, m := range run {
				if m != want {
					t.Fatalf("message %d where %d was due", m, want)
				}
				want++
			}
			clear(run) // as Receive does
		}
	}
	for run := r.next(); len(run) > 0; run = r.next() {
		want += len(run)
		clear(run)
	}
	if want != next || r.len() != 0 || slices.Max(r.slots) != 0 {
		t.Errorf("%d of %d messages, %d left, %v", want, next, r.len(), r.slots)
	}
}

// A run that goes past the array's end is handed over as one, and neither of its two
// places keeps it alive.
func TestRunPastTheEnd(t *testing.T) {
	bell := newBell()
	r := newRing(Options[int]{Capacity: 5, Alike: func(int, int) bool { return true }}, &bell)
	for range 3 { // of an array of ten: the second half of the third is at the front
		r.PutAll(context.Background(), []int{1, 2, 3, 4})
		run := r.next()
		if !slices.Equal(run, []int{1, 2, 3, 4}) {
			t.Errorf("%v", run)
		}
		clear(run) // as Receive does
	}
	if slices.Max(r.slots) != 0 {
		t.Errorf("kept: %v", r.slots)
	}
}
