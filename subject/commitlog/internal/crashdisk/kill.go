package crashdisk

import (
	"bytes"
	"math/rand/v2"
	"slices"
)

// AfterKill returns an independent disk as a killed process leaves this one:
// every byte and name that calls saw is there, and what was not durable still
// is not, so that a power cut of the new disk may lose it. Nobody holds a lock,
// and there is no hook.
func (d *Disk) AfterKill() *Disk {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.killed(copier{})
}

func (d *Disk) killed(c copier) *Disk {
	image := &Disk{now: c.table(d.now), changes: make([]change, len(d.changes)), seq: d.seq}
	if len(d.changes) == 0 {
		image.base = image.now
		return image
	}
	image.base = c.table(d.base)
	for i, change := range d.changes {
		change.node = c.node(change.node)
		image.changes[i] = change
	}
	return image
}

// AfterStores is AfterKill while stores to a file that is memory are under way:
// of those that nobody has seen yet, each byte is there or not; the others never were.
func (d *Disk) AfterStores(r *rand.Rand) *Disk {
	d.mu.Lock()
	defer d.mu.Unlock()
	c := copier{}
	for _, e := range d.now {
		c.copy(e.node)
	}
	image := d.killed(c)
	for _, e := range d.now {
		before := slices.Clone(e.node.now)
		if e.node.collect(); !bytes.Equal(before, e.node.now) {
			f := &file{disk: image, node: image.now.find(e.name), name: e.name}
			f.WriteAt(tear(r, before, e.node.now), 0)
		}
	}
	return image
}

// SeeStores looks at what was stored to files that are memory: later stores are
// told from these.
func (d *Disk) SeeStores() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, e := range d.now {
		e.node.collect()
	}
}

// tear mixes two states of a file.
func tear(r *rand.Rand, before, after []byte) []byte {
	mixed, share := slices.Clone(after), 1+r.IntN(7)
	prefix, at := r.IntN(2) == 0, r.IntN(len(after))
	for i := range mixed {
		if prefix && i >= at || !prefix && r.IntN(8) >= share {
			mixed[i] = before[i]
		}
	}
	return mixed
}

// A copier copies each node once, however often it is named.
type copier map[*node]*node

func (c copier) table(t table) table {
	next := make(table, len(t))
	for i, e := range t {
		next[i] = entry{e.name, c.node(e.node)}
	}
	return next
}

// node shares the bytes and edits with the copy: neither changes in place
// what the other has.
func (c copier) node(n *node) *node {
	if made := c[n]; made != nil {
		return made
	}
	n.collect()
	return c.copy(n)
}

// copy leaves out what was stored and not seen yet.
func (c copier) copy(n *node) *node {
	now := n.share()
	made := &node{base: n.base, now: now, shared: len(now), edits: n.edits[:len(n.edits):len(n.edits)], seq: n.seq}
	c[n] = made
	return made
}
