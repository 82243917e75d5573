package main

import (
	"strings"
	"testing"
)

// sixBlocks are trials of a driver that ran so many times as fast as a machine
// that slows down from block to block.
func sixBlocks(driver, survives string, threads int, rate float64) []trial {
	var all []trial
	for block := range 6 {
		wall := int64(1e9/rate) * int64(block+1)
		all = append(all, trial{"foreign-trial", driver, survives, 3, block, timing{1000, wall, threads}})
	}
	return all
}

func TestRatioIsPairedByBlock(t *testing.T) {
	trials := append(sixBlocks("ours", processCrash, 1, 30), sixBlocks("chronicle", processCrash, 1, 10)...)
	rows := judge(trials, drivers())
	if len(rows) != 1 {
		t.Fatalf("%d rows, want 1: %v", len(rows), rows)
	}
	ratio := rows[0].Ratio
	if ratio.Low < 2.99 || ratio.High > 3.01 || rows[0].Status != reached {
		t.Errorf("ratio %v is %s, want 3 whatever the machine did", ratio, rows[0].Status)
	}
}

func TestStatusGoesByTheWholeInterval(t *testing.T) {
	for _, c := range []struct {
		ours   float64
		blocks int
		want   string
	}{{30, 6, reached}, {15, 6, missed}, {30, 5, unseen}} {
		ours := sixBlocks("ours", processCrash, 2, c.ours)[:c.blocks]
		rows := judge(append(ours, sixBlocks("chronicle", processCrash, 2, 10)...), drivers())
		if got := rows[0].Status; got != c.want {
			t.Errorf("%v times in %d blocks, goal %v: %s, want %s", c.ours/10, c.blocks, rows[0].Goal, got, c.want)
		}
	}
	mixed := sixBlocks("ours", processCrash, 2, 30)
	for i := range 3 {
		mixed[i].WallNS *= 2
	}
	rows := judge(append(mixed, sixBlocks("chronicle", processCrash, 2, 10)...), drivers())
	if rows[0].Status != inDoubt {
		t.Errorf("1.5 to 3 times: %s, want %s", rows[0].Status, inDoubt)
	}
}

func TestRivalsAreOfEqualPromise(t *testing.T) {
	trials := append(sixBlocks("ours", processCrash, 8, 1), sixBlocks("ours-durable", powerCut, 8, 1)...)
	trials = append(trials, sixBlocks("okaywal", powerCut, 8, 1)...)
	rows := judge(trials, drivers())
	if len(rows) != 1 || rows[0].Survives != powerCut || rows[0].Ratio.Median != 1 {
		t.Errorf("rows %+v, want okaywal against ours-durable alone", rows)
	}
}

func TestGoals(t *testing.T) {
	for c, want := range map[cell]float64{
		{processCrash, 3, 1}: 1, {processCrash, 3, 2}: 2, {processCrash, 1024, 64}: 2,
		{powerCut, 3, 1}: 1, {powerCut, 1024, 8}: 1, {powerCut, 3, 64}: 2,
	} {
		if got := c.goal(); got != want {
			t.Errorf("%v: goal %v, want %v", c, got, want)
		}
	}
}

func TestSurvivalIsHeldToItsPromise(t *testing.T) {
	fine, gone := crashes{{acked: 9}}, crashes{{acked: 9}, {acked: 9, lost: 2}}
	for _, c := range []struct {
		survives      string
		kills, images crashes
		want          string
	}{
		{processCrash, fine, gone, "kept"}, {processCrash, gone, fine, "BROKEN"}, {processCrash, nil, fine, "not shown"},
		{powerCut, fine, fine, "kept"}, {powerCut, fine, gone, "BROKEN"}, {powerCut, fine, nil, "not shown"},
		{powerCut, gone, nil, "BROKEN"},
	} {
		s := survival{driver{survives: c.survives}, c.kills, c.images}
		if got := s.verdict(); got != c.want {
			t.Errorf("%s, killed %s, cut %s: %s, want %s", c.survives, c.kills.survived(), c.images.survived(), got, c.want)
		}
	}
	if got := gone.survived(); !strings.Contains(got, "2 of 18 lost") {
		t.Errorf("%q does not say that 2 of 18 were lost", got)
	}
}
