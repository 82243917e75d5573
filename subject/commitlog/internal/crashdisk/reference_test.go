package crashdisk

import (
	"math/rand/v2"
	"testing"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/disk"
)

// A history is a file told naively: every edit since the start, and from them
// for each byte and for the size what a power cut may leave.
type history struct {
	base  string
	now   []byte
	edits []told
}

type told struct {
	truncate      bool
	before, after int
	first         int          // where it starts; a truncation sets all bytes from there
	bytes         map[int]byte // what it sets them to; zero for a truncation
	doomed, sure  bool
}

func (h *history) write(off int, data []byte) {
	e := told{first: off, before: len(h.now), after: max(len(h.now), off+len(data)), bytes: map[int]byte{}}
	for i := len(h.now); i < off; i++ {
		e.bytes[i] = 0
	}
	for i, b := range data {
		e.bytes[off+i] = b
	}
	h.now = append(h.now, make([]byte, e.after-e.before)...)
	copy(h.now[off:], data)
	h.edits = append(h.edits, e)
}

func (h *history) truncate(size int) {
	e := told{truncate: true, before: len(h.now), after: size, first: min(size, len(h.now))}
	h.now = append(h.now[:e.first:e.first], make([]byte, size-e.first)...)
	h.edits = append(h.edits, e)
}

// sync is a good Sync or a failed one.
func (h *history) sync(good bool) {
	for i := range h.edits {
		if e := &h.edits[i]; !e.sure && !e.doomed {
			e.sure, e.doomed = good, !good
		}
	}
}

// bytes is what byte i may be.
func (h *history) bytes(i int) map[byte]bool {
	allowed := map[byte]bool{0: true}
	if i < len(h.base) {
		allowed = map[byte]bool{h.base[i]: true}
	}
	for _, e := range h.edits {
		b, sets := e.bytes[i]
		if !sets && !(e.truncate && i >= e.first) {
			continue
		}
		if e.sure {
			clear(allowed)
		}
		allowed[b] = true
	}
	return allowed
}

// sizes is what the size may be.
func (h *history) sizes() map[int]bool {
	allowed := map[int]bool{len(h.base): true}
	for _, e := range h.edits {
		switch {
		case e.sure && e.truncate:
			allowed = map[int]bool{}
		case e.sure:
			end := 0
			for i := range e.bytes {
				end = max(end, i+1)
			}
			next := map[int]bool{}
			for size := range allowed {
				next[max(size, end)] = true
			}
			allowed = next
		case !e.truncate:
			for size := max(e.first, e.before) + 1; size < e.after; size++ {
				allowed[size] = true
			}
		}
		allowed[e.after] = true
	}
	return allowed
}

// step does something to the file and tells the history of it.
func (h *history) step(t *testing.T, r *rand.Rand, d *Disk, f disk.File) {
	t.Helper()
	const room = 24
	switch r.IntN(8) {
	case 0:
		must(t, f.Sync())
		h.sync(true)
	case 1:
		failing(t, d, Sync, f.Sync)
		h.sync(false)
	case 2, 3:
		size := r.IntN(room)
		must(t, f.Truncate(int64(size)))
		h.truncate(size)
	default:
		h.writeBoth(t, r, f, room)
	}
}

func (h *history) writeBoth(t *testing.T, r *rand.Rand, f disk.File, room int) {
	t.Helper()
	off := r.IntN(room)
	data := make([]byte, 1+r.IntN(room-off))
	for i := range data {
		data[i] = byte(len(h.edits) + 1)
	}
	write(t, f, int64(off), string(data))
	h.write(off, data)
}

// holds says whether the history allows the image.
func (h *history) holds(t *testing.T, image []byte) {
	t.Helper()
	if !h.sizes()[len(image)] {
		t.Fatalf("size %d, allowed %v", len(image), h.sizes())
	}
	for i, b := range image {
		if !h.bytes(i)[b] {
			t.Fatalf("byte %d is %d, allowed %v", i, b, h.bytes(i))
		}
	}
}

func TestImagesAreWithinHistory(t *testing.T) {
	for seed := range 200 {
		r := seeded(seed)
		d, f := durable(t, "\xff\xfe\xfd\xfc\xfb\xfa\xf9\xf8\xf7\xf6")
		h := &history{base: text(d, "a"), now: d.Bytes("a")}
		for range 12 {
			h.step(t, r, d, f)
			if text(d, "a") != string(h.now) {
				t.Fatalf("seed %d: reads see %q, want %q", seed, text(d, "a"), h.now)
			}
			for range 4 {
				h.holds(t, d.AfterPowerCut(r).Bytes("a"))
				h.holds(t, d.AfterKill().AfterPowerCut(r).Bytes("a"))
			}
		}
	}
}

// Every size and every byte that the history allows is met, and not only
// those that are easy to come by.
func TestHistoryIsExhausted(t *testing.T) {
	for seed := range 40 {
		r := seeded(seed)
		d, f := durable(t, "\xff\xfe\xfd\xfc\xfb\xfa\xf9\xf8\xf7\xf6")
		h := &history{base: text(d, "a"), now: d.Bytes("a")}
		for range 4 {
			h.step(t, r, d, f)
		}
		h.exhaust(t, d, r)
	}
}

func (h *history) exhaust(t *testing.T, d *Disk, r *rand.Rand) {
	t.Helper()
	sizes, longest := map[int]bool{}, 0
	met := [64][256]bool{}
	for range 6 * cuts {
		image := d.AfterPowerCut(r).Bytes("a")
		sizes[len(image)] = true
		for i, b := range image {
			met[i][b] = true
		}
	}
	for size := range h.sizes() {
		longest = max(longest, size)
		if !sizes[size] {
			t.Errorf("size %d is allowed and never met", size)
		}
	}
	for i := range longest {
		for b := range h.bytes(i) {
			if !met[i][b] {
				t.Errorf("byte %d is never %d, which is allowed", i, b)
			}
		}
	}
}
