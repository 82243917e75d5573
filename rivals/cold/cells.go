package main

import (
	"fmt"
	"strings"
)

// A cell is one row of the table: what our log does beside others.
type cell struct {
	Name   string
	ours   string
	rivals []string // the best counts
	trial  trial    // but for its log
	// The measure is ours ÷ theirs of a rate, where more is better; or a plain figure
	// of ours, or ours ÷ theirs, where less is better.
	kind       kind
	must, goal float64 // 0: nothing was promised
}

type kind int

const (
	ratio    kind = iota // ours ÷ theirs, more is better
	quotient             // ours ÷ theirs, less is better
	figure               // ours alone, less is better
)

var (
	cached  = []string{"prometheus", "tidwall", "raft-wal", "leveldb"}
	alone   = []string{"prometheus-durable", "tidwall-durable", "etcd-durable"}
	sharing = []string{"leveldb-durable", "pebble-durable", "bbolt-durable"}
)

const (
	gib    = 1 << 30
	beside = 256 << 20 // bytes of a heap beside a log
	getOf  = 128
	little = 34_000_000 / getOf
	much   = 2 * gib / getOf
)

// cells are what the project holds its log to.
func cells() []cell {
	var all []cell
	levels := []int{1, 8, 64}
	appends := func(name, ours string, rivals func(n int) []string, payload int, musts, goals [3]float64) {
		for i, n := range levels {
			all = append(all, cell{Name: fmt.Sprintf("%s, %d", name, n), ours: ours, rivals: rivals(n),
				trial: trial{What: appending, Payload: payload, Goroutines: n}, must: musts[i], goal: goals[i]})
		}
	}
	toCache := func(int) []string { return cached }
	toDisk := func(n int) []string {
		if n == 1 {
			return alone
		}
		return sharing
	}
	appends("page cache 3 B", "file", toCache, 3, [3]float64{28, 20, 20}, [3]float64{40, 27, 28})
	appends("page cache 1 KiB", "file", toCache, 1024, [3]float64{4, 4, 4}, [3]float64{6, 5.5, 6})
	appends("durable 3 B", "file-durable", toDisk, 3, [3]float64{0.95, 1.5, 1.8}, [3]float64{1.05, 1.9, 2.3})
	appends("durable 1 KiB", "file-durable", toDisk, 1024, [3]float64{1.05, 2, 2.2}, [3]float64{1.2, 2.8, 3})
	get := func(name string, entries, n int, must, goal float64) cell {
		return cell{Name: fmt.Sprintf("%s, %d", name, n), ours: "file", rivals: []string{"tidwall"},
			trial: trial{What: getting, Payload: getOf, Entries: entries, Goroutines: n}, must: must, goal: goal}
	}
	open := func(name string, t trial, must, goal float64) cell {
		t.What, t.Payload, t.Entries, t.Goroutines = opening, 100, gib/106, 1
		return cell{Name: "open 1 GB after kill -9, " + name + ", s", ours: "file", trial: t, kind: figure, must: must, goal: goal}
	}
	return append(all,
		cell{Name: "page cache 1 KiB, fresh pages alone", ours: "pages", rivals: []string{"prometheus"},
			trial: trial{What: appending, Payload: 1024, Goroutines: 1}},
		cell{Name: "mixed sizes, 8", ours: "file", rivals: cached,
			trial: trial{What: appending, Payload: mixedSizes, Goroutines: 8}, must: 3, goal: 5},
		cell{Name: "mixed sizes, fresh pages alone", ours: "pages", rivals: []string{"prometheus"},
			trial: trial{What: appending, Payload: mixedSizes, Goroutines: 8}},
		cell{Name: "4.8 GB of 1 KiB, 8", ours: "file", rivals: []string{"prometheus"},
			trial: trial{What: appending, Payload: 1024, Goroutines: 8, Entries: 4_700_000}, must: 4.5, goal: 8},
		cell{Name: "4.8 GB of 1 KiB, fresh pages and flushes alone", ours: "flushed pages", rivals: []string{"prometheus"},
			trial: trial{What: appending, Payload: 1024, Goroutines: 8, Entries: 4_700_000}},
		get("get 34 MB", little, 1, 1.4, 1.6), get("get 34 MB", little, 8, 1.1, 1.4),
		get("get 2 GB", much, 1, 1.8, 2.2), get("get 2 GB", much, 8, 3, 4.5),
		cell{Name: "get 34 MB beside a heap of 256 MB, 8", ours: "file", rivals: []string{"tidwall"},
			trial: trial{What: getting, Payload: getOf, Entries: little, Goroutines: 8, Heap: beside}},
		cell{Name: "get 2 GB, memory and checksums alone, 1", ours: "mapping", rivals: []string{"tidwall"},
			trial: trial{What: getting, Payload: getOf, Entries: much, Goroutines: 1}},
		cell{Name: "cold get of 2 GB ÷ pread of 4 KiB", ours: "file", rivals: []string{"pread"},
			trial: trial{What: gettingCold, Payload: getOf, Entries: much, Goroutines: 1}, kind: quotient, must: 1.5, goal: 1.1},
		cell{Name: "KiB read by a cold get", ours: "file",
			trial: trial{What: readingCold, Payload: getOf, Entries: much, Goroutines: 1}, kind: figure, must: 8, goal: 4},
		cell{Name: "reading in order 128 B, 1", ours: "file", rivals: []string{"tidwall", "prometheus"},
			trial: trial{What: inOrder, Payload: getOf, Entries: little, Goroutines: 1}, must: 2, goal: 4},
		cell{Name: "reading in order 128 B beside a heap of 256 MB, 1", ours: "file", rivals: []string{"tidwall", "prometheus"},
			trial: trial{What: inOrder, Payload: getOf, Entries: little, Goroutines: 1, Heap: beside}},
		cell{Name: "reading in order 128 B, checksums alone", ours: "checksums", rivals: []string{"tidwall"},
			trial: trial{What: inOrder, Payload: getOf, Entries: little, Goroutines: 1}},
		open("one segment", trial{Segment: gib}, 0.4, 0.25),
		open("sealed segments", trial{Sealed: true}, 0.05, 0.03),
		open("while it fills them", trial{}, 0, 0),
		cell{Name: "disk ÷ payload at 3 B", ours: "file",
			trial: trial{What: sizing, Payload: 3, Entries: 1_000_000, Goroutines: 1}, kind: figure, must: 4, goal: 2.8},
		cell{Name: "paced 60k/s of 1 KiB, p99.99", ours: "file", rivals: []string{"prometheus"},
			trial: trial{What: pacing, Payload: 1024, Goroutines: 1}, kind: quotient, must: 1, goal: 0.5},
		cell{Name: "paced 60k/s of 1 KiB, maximum", ours: "file", rivals: []string{"prometheus"},
			trial: trial{What: pacingMost, Payload: 1024, Goroutines: 1}, kind: quotient, must: 1, goal: 0.5},
	)
}

// chosen are the cells whose names begin as one of some words.
func chosen(only string) (some []cell) {
	for _, c := range cells() {
		for _, word := range strings.Split(only, ",") {
			if strings.HasPrefix(c.Name, word) {
				some = append(some, c)
				break
			}
		}
	}
	return some
}
