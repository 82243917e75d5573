package commitlog

import (
	"runtime/debug"
	"testing"

	"golang.org/x/sys/unix"
)

// Who reads a record reads nothing behind it: a file can end there. What an optimizing compiler makes of the code
// may hide that it does; `go test -gcflags='-N -l' -run TestNothingIsReadBehindARecord .` runs what is written.
func TestNothingIsReadBehindARecord(t *testing.T) {
	const page = 4096
	pages, err := unix.Mmap(-1, 0, 2*page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	must(t, err)
	defer unix.Munmap(pages)
	seed := newSeed(1, 2)
	sizes := []int{0, 1, 125, 126, 1000}
	for _, n := range sizes {
		h := headFor(n)
		putRecord(pages[page-h.record():page], seed, 7, h, make([]byte, n))
		must(t, unix.Mprotect(pages[page:], unix.PROT_NONE))
		if !readsRecord(seed, pages[page-h.record():]) {
			t.Errorf("a record of %d bytes cannot be read where the page behind it is none", n)
		}
		must(t, unix.Mprotect(pages[page:], unix.PROT_READ|unix.PROT_WRITE))
	}
}

// readsRecord reports whether the record of entry 7 at the begin of b can be read.
func readsRecord(s seed, b []byte) (ok bool) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() { ok = recover() == nil && ok }()
	h, ok := parseHead(b)
	return ok && proves(s, 7, sumOf(b), h, b[sumSize+h.size():h.record()])
}
