package crashdisk

// AfterKill returns an independent disk as a killed process leaves this one:
// every byte and name that calls saw is there, and what was not durable still
// is not, so that a power cut of the new disk may lose it. Nobody holds a lock,
// and there is no hook.
func (d *Disk) AfterKill() *Disk {
	d.mu.Lock()
	defer d.mu.Unlock()
	c := copier{}
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
	now := n.share()
	made := &node{base: n.base, now: now, shared: len(now), edits: n.edits[:len(n.edits):len(n.edits)], seq: n.seq}
	c[n] = made
	return made
}
