package main

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestTimingIsOfTheTrialAskedFor(t *testing.T) {
	got, err := parseTiming([]byte(`{"ops":1000,"wall_ns":250000000,"threads":8}`+"\n"), 1000, 8)
	if err != nil || got != (timing{1000, 250_000_000, 8}) {
		t.Errorf("timing %+v, %v", got, err)
	}
	for name, out := range map[string]string{
		"nothing":       "",
		"words":         "done in 3 s",
		"fewer ops":     `{"ops":999,"wall_ns":1,"threads":8}`,
		"fewer threads": `{"ops":1000,"wall_ns":1,"threads":7}`,
		"no time":       `{"ops":1000,"wall_ns":0,"threads":8}`,
		"two lines":     `{"ops":1000,"wall_ns":1,"threads":8}` + "\n{}",
	} {
		if _, err := parseTiming([]byte(out), 1000, 8); err == nil {
			t.Errorf("%s: %q was taken for a timing", name, out)
		}
	}
}

func TestAcknowledgementsAreWholeLines(t *testing.T) {
	var got []anAppend
	err := readAppends(strings.NewReader("ack 0 0\nack 12 7\nack 0 1"), ackPrefix, func(a anAppend) { got = append(got, a) })
	if want := []anAppend{{0, 0}, {12, 7}}; err != nil || !slices.Equal(got, want) {
		t.Errorf("read %v, %v; want %v without the line that was cut short", got, err, want)
	}
	for _, line := range []string{"0 0\n", "ack 0\n", "ack x 0\n", "ack 0 -1\n", "ack -1 0\n", "ack 0 0 0\n", "\n"} {
		if err := readAppends(strings.NewReader(line), ackPrefix, func(anAppend) {}); err == nil {
			t.Errorf("%q was taken for an acknowledgement", line)
		}
	}
}

func TestLostAreThoseNotFound(t *testing.T) {
	acked := []anAppend{{0, 0}, {0, 1}, {1, 0}}
	found := map[anAppend]bool{{0, 0}: true, {1, 0}: true, {1, 1}: true}
	if got := lost(acked, found); got != 1 {
		t.Errorf("%d lost, want 1", got)
	}
}

func TestValueNamesItsAppend(t *testing.T) {
	for _, payload := range []int{0, 3, header, 64} {
		want := anAppend{7, 1<<40 + 3}
		value := want.encode(payload)
		if got, err := decode(value); got != want || err != nil || len(value) != max(payload, header) {
			t.Errorf("payload %d: %v, %v from %d bytes", payload, got, err, len(value))
		}
	}
	value := anAppend{1, 2}.encode(64)
	value[63]++
	for _, wrong := range [][]byte{nil, value[:header-1], value} {
		if a, err := decode(wrong); err == nil {
			t.Errorf("%v was taken for %v", wrong, a)
		}
	}
}

func TestSharesAddUp(t *testing.T) {
	for _, threads := range []int{1, 3, 64} {
		sum := 0
		for i := range threads {
			sum += share(1000, threads, i)
		}
		if sum != 1000 {
			t.Errorf("%d threads: %d operations of 1000", threads, sum)
		}
	}
}

func TestCalibrationGoesByALongEnoughWindow(t *testing.T) {
	for _, c := range []struct {
		wall   time.Duration
		ops    int
		enough bool
	}{
		{200 * time.Millisecond, 2000, true},
		{800 * time.Millisecond, 500, true},
		{50 * time.Millisecond, 8000, false},
		{time.Millisecond, 20_000, false}, // at most 20 times as many
		{time.Hour, 8, true},              // one a thread
	} {
		ops, enough := nextOps(timing{Ops: 1000, WallNS: c.wall.Nanoseconds(), Threads: 8}, 400*time.Millisecond)
		if ops != c.ops || enough != c.enough {
			t.Errorf("%v: %d operations, enough %t; want %d, %t", c.wall, ops, enough, c.ops, c.enough)
		}
	}
}
