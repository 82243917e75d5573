package crashdisk

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"
)

// A directory is names told naively: the names at the last good Sync, and what was done
// since. The text of a file stands for the file.
type directory struct {
	base, now map[string]string
	done      []step
}

// A step has no old name if it creates, no new one if it removes.
type step struct {
	old, new, file, replaced string
	doomed, sure             bool
}

func (s step) apply(names map[string]string) {
	delete(names, s.old)
	if s.new != "" {
		names[s.new] = s.file
	}
}

func (s step) touches(o step) bool {
	return shared([]string{s.old, s.new}, []string{o.old, o.new}) ||
		shared([]string{s.file, s.replaced}, []string{o.file, o.replaced})
}

func shared(a, b []string) bool {
	for _, s := range a {
		for _, u := range b {
			if s == u && s != "" {
				return true
			}
		}
	}
	return false
}

// left is every directory that a power cut may leave: each subset lost, if no
// step is among them that a good Sync made sure.
func (h *directory) left() map[string]bool {
	left := map[string]bool{}
	for mask := range 1 << len(h.done) {
		names, lost, broken := maps.Clone(h.base), []step{}, false
		for i, s := range h.done {
			gone := mask>>i&1 == 1
			for _, l := range lost {
				gone = gone || s.touches(l)
			}
			if gone {
				lost = append(lost, s)
				broken = broken || s.sure
			} else {
				s.apply(names)
			}
		}
		if !broken {
			left[fmt.Sprint(names)] = true
		}
	}
	return left
}

// sync is a good Sync or a failed one.
func (h *directory) sync(t *testing.T, d *Disk, good bool) {
	t.Helper()
	if good {
		must(t, d.Sync())
	} else {
		failing(t, d, SyncDir, d.Sync)
	}
	for i := range h.done {
		if s := &h.done[i]; !s.sure && !s.doomed {
			s.sure, s.doomed = good, !good
		}
	}
}

// do does one thing at random to the names, and tells of it.
func (h *directory) do(t *testing.T, r *rand.Rand, d *Disk) {
	t.Helper()
	a, b := string(rune('a'+r.IntN(4))), string(rune('a'+r.IntN(4)))
	_, there := h.now[a]
	s := step{}
	switch {
	case !there:
		s = step{new: a, file: fmt.Sprintf("%s%d", a, r.Uint32())}
		f := create(t, d, a)
		write(t, f, 0, s.file)
		must(t, f.Sync())
	case r.IntN(2) == 0 || a == b:
		s = step{old: a, file: h.now[a]}
		must(t, d.Remove(a))
	default:
		s = step{old: a, new: b, file: h.now[a], replaced: h.now[b]}
		must(t, d.Rename(a, b))
	}
	s.apply(h.now)
	h.done = append(h.done, s)
}

func namesOf(d *Disk) map[string]string {
	names := map[string]string{}
	for _, e := range d.now {
		names[e.name] = string(e.node.now)
	}
	return names
}

// Exactly the directories that the rule allows are met: none more, none less.
func TestNamesLostAreThoseOfTheRule(t *testing.T) {
	for seed := range 60 {
		r := seeded(seed)
		d, h := New(), &directory{base: map[string]string{}, now: map[string]string{}}
		for i := range 4 + seed%5 {
			h.do(t, r, d)
			if i == 2 || i > 2 && r.IntN(3) == 0 {
				h.sync(t, d, i == 2 || r.IntN(2) == 0)
			}
		}
		allowed, met := h.left(), map[string]bool{}
		for range cuts / 2 {
			met[fmt.Sprint(namesOf(d.AfterPowerCut(r)))] = true
			met[fmt.Sprint(namesOf(d.AfterKill().AfterPowerCut(r)))] = true
		}
		if !maps.Equal(allowed, met) {
			t.Fatalf("seed %d: after %+v on %v\nallowed %v\nmet     %v", seed, h.done, h.base, allowed, met)
		}
	}
}

// nameLosses are losses of names.
var nameLosses = map[string]loss{
	"a name is lost though the file was synced": {func(t *testing.T, d *Disk) {
		f := create(t, d, "a")
		write(t, f, 0, "foo")
		must(t, f.Sync())
	}, func(image *Disk) bool { return text(image, "a") == "-" }},
	"a name is kept without the bytes": {func(t *testing.T, d *Disk) {
		write(t, create(t, d, "a"), 0, "foo")
	}, func(image *Disk) bool { return text(image, "a") == "" }},
	"a rename is lost": {func(t *testing.T, d *Disk) {
		d.SetBytes("a", []byte("foo"))
		must(t, d.Rename("a", "b"))
	}, func(image *Disk) bool { return text(image, "a") == "foo" }},
	"a rename puts an empty file in place": {func(t *testing.T, d *Disk) {
		d.SetBytes("a", []byte("foo"))
		write(t, create(t, d, "b"), 0, "bar")
		must(t, d.Rename("b", "a"))
	}, func(image *Disk) bool { return text(image, "a") == "" }},
	"a removed file is back with unsynced bytes": {func(t *testing.T, d *Disk) {
		d.SetBytes("a", []byte("foo"))
		write(t, open(t, d, "a"), 3, "bar")
		must(t, d.Remove("a"))
	}, func(image *Disk) bool { return strings.HasPrefix(text(image, "a"), "foob") }},
	"a later creation is kept, an earlier lost": {func(t *testing.T, d *Disk) {
		create(t, d, "a")
		create(t, d, "b")
	}, func(image *Disk) bool { return text(image, "a") == "-" && text(image, "b") == "" }},
	"a doomed name is lost after a good sync": {func(t *testing.T, d *Disk) {
		create(t, d, "a")
		failing(t, d, SyncDir, d.Sync)
		create(t, d, "b")
		must(t, d.Sync())
	}, func(image *Disk) bool { return text(image, "a") == "-" && text(image, "b") == "" }},
}
