package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/results"
)

// The catalogue is large, no two have one name, and each mark stands on a line.
func TestCatalogue(t *testing.T) {
	names := map[string]bool{}
	for _, b := range catalogue() {
		if names[b.name] || b.about == "" || b.n < 1 || len(b.kinds) == 0 || b.open == nil || b.share > 1 {
			t.Errorf("%+v", b)
		}
		names[b.name] = true
		if b.at != "" && !strings.Contains(lineOf(b.at), ".go:") {
			t.Errorf("%s: nothing is marked %s", b.name, b.at)
		}
	}
	if len(names) < 40 {
		t.Errorf("%d bottlenecks", len(names))
	}
}

// What is told is right where kind, share and line are; who says no share is silent, and what
// is not accounted for widens the share downwards alone.
func TestJudge(t *testing.T) {
	b := bottleneck{name: "b", kinds: []string{results.TimeLock}, share: 0.75, at: "mutex"}
	told := func(shares bool, unknown int64, kind, where string, ns int64) results.Explanation {
		e := results.Explanation{Shares: shares, Text: "text"}
		e.TimeNS = 1000
		e.Parts = []results.BreakdownPart{{Kind: results.TimeUnknown, NS: unknown}, {Kind: kind, NS: ns, Places: []results.BreakdownPlace{{Where: where, NS: ns}}}}
		return e
	}
	here := lineOf("mutex")
	for name, c := range map[string]struct {
		e    results.Explanation
		want string
	}{
		"right":                 {told(true, 0, results.TimeLock, here, 740), right},
		"another share":         {told(true, 0, results.TimeLock, here, 690), wrong},
		"with what is missing":  {told(true, 100, results.TimeLock, here, 690), right},
		"more than there is":    {told(true, 100, results.TimeLock, here, 810), wrong},
		"another kind":          {told(true, 0, results.TimeChannel, here, 740), wrong},
		"another line":          {told(true, 0, results.TimeLock, "truth.go:1", 740), wrong},
		"no shares":             {told(false, 0, results.TimeChannel, here, 740), silent},
		"most of it is unknown": {told(true, 700, results.TimeChannel, here, 300), silent},
	} {
		if j := judge(b, c.e); j.call != c.want {
			t.Errorf("%s: %+v, want %s", name, j, c.want)
		}
	}
	b.kinds = append(b.kinds, results.TimeRunnable)
	for runnable, want := range map[int64]string{60: right, 5: wrong, 120: wrong} {
		e := told(true, 0, results.TimeLock, here, 690)
		e.Parts = append(e.Parts, results.BreakdownPart{Kind: results.TimeRunnable, NS: runnable})
		if j := judge(b, e); j.call != want {
			t.Errorf("two kinds, %d ‰ of the second: %+v, want %s", runnable, j, want)
		}
	}
	b.kinds = b.kinds[:1]
	var out bytes.Buffer
	print(&out, []judgement{judge(b, told(true, 0, results.TimeLock, here, 740)), judge(b, told(true, 0, results.TimeChannel, here, 740)), judge(b, told(false, 0, results.TimeLock, here, 740))})
	if !strings.Contains(out.String(), "3 bottlenecks: 1 right, 1 silent, 1 wrong\nthe first cause is right of 2:") || !strings.Contains(out.String(), "wrong: another kind") {
		t.Errorf("%s", &out)
	}
}
