package cause

import (
	"os"
	"testing"
	"testing/fstest"

	"github.com/syncwrite/syncwrite/results"
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

// What a snapshot reads itself counts nowhere.
func TestSnapshotsCountNoCallsOfTheirOwn(t *testing.T) {
	if !takeIOCalls(os.DirFS("/")).Known() {
		t.Skip("the kernel does not count the calls of a process here")
	}
	calls := func(work func()) results.Number {
		least := results.Number(1 << 30)
		for range 20 { // the runtime, and other tests, may read and write meanwhile
			before := Take()
			work()
			least = min(least, *Take().Since(before).IOCalls)
		}
		return least
	}
	file, err := os.Create(t.TempDir() + "/file")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if n := calls(func() {}); n != 0 {
		t.Errorf("%v calls are counted where nothing was done", n)
	}
	if n := calls(func() {
		for range 5 {
			file.Write([]byte("x"))
		}
	}); n != 5 {
		t.Errorf("%v calls are counted of five", n)
	}
}
