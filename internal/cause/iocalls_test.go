package cause

import (
	"testing"
	"testing/fstest"
)

func TestReadsAndWritesAreCounted(t *testing.T) {
	at := func(text string) fstest.MapFS { return fstest.MapFS{"proc/self/io": {Data: []byte(text)}} }
	if n := takeIOCalls(at("rchar: 9\nwchar: 8\nsyscr: 5\nsyscw: 7\nread_bytes: 0\n")); n != 12 {
		t.Errorf("%v calls", n)
	}
	for _, missing := range []fstest.MapFS{{}, at(""), at("syscr: 5\n"), at("syscr: x\nsyscw: 1\n")} {
		if n := takeIOCalls(missing); n.Known() {
			t.Errorf("%v calls of none", n)
		}
	}
}
