package crashdisk

import "slices"

// A fate is what a power cut may do to an operation.
type fate uint8

const (
	pending fate = iota // kept or lost; a good Sync settles it
	doomed              // kept or lost for good: a Sync failed
	settled             // kept, but an earlier one is doomed
)

// A change is one operation on names: a Create has no old name, a Remove no
// new one, a Rename both.
type change struct {
	old, new string
	node     *node // the file itself
	replaced *node // the file that a Rename took the new name from
	seq      uint64
	fate     fate
}

// apply is the table after the change.
func (c *change) apply(t table) table {
	if c.old != "" {
		t = t.without(c.old)
	}
	if c.new != "" {
		t = t.with(c.new, c.node)
	}
	return t
}

// touches says whether two changes share a name or a file.
func (c *change) touches(p *change) bool {
	return c.names(p.old) || c.names(p.new) || c.moves(p.node) || c.moves(p.replaced)
}

func (c *change) names(s string) bool { return s != "" && (s == c.old || s == c.new) }

func (c *change) moves(n *node) bool { return n != nil && (n == c.node || n == c.replaced) }

// create makes a file of that name, which there is none of.
func (d *Disk) create(new string) *node {
	made := &node{}
	d.do(change{new: new, node: made})
	return made
}

// do does an operation on names; it is pending.
func (d *Disk) do(c change) {
	d.seq++
	c.seq = d.seq
	d.changes = append(d.changes, c)
	d.now = c.apply(d.now)
}

// settle makes the pending changes up to mark durable.
func (d *Disk) settle(mark uint64) {
	open := func(c change) bool { return c.fate == doomed || c.seq > mark }
	if !slices.ContainsFunc(d.changes, open) {
		d.base, d.changes = d.now, nil
		return
	}
	changes := slices.Clone(d.changes) // another disk may have the old ones
	for i := range changes {
		if changes[i].fate == pending && changes[i].seq <= mark {
			changes[i].fate = settled
		}
	}
	certain := bound(changes)
	for len(certain) > 0 && certain[0] {
		d.base = changes[0].apply(d.base)
		changes, certain = changes[1:], certain[1:]
	}
	d.changes = changes
}

// doom lets no later Sync settle what is pending now.
func (d *Disk) doom() {
	d.changes = slices.Clone(d.changes)
	for i := range d.changes {
		if d.changes[i].fate == pending {
			d.changes[i].fate = doomed
		}
	}
}

// bound says which changes cannot be lost: those settled, and those that
// would take a settled one with them.
func bound(changes []change) []bool {
	certain := make([]bool, len(changes))
	for i := len(changes) - 1; i >= 0; i-- {
		certain[i] = changes[i].fate == settled
		for j := i + 1; j < len(changes) && !certain[i]; j++ {
			certain[i] = certain[j] && changes[i].touches(&changes[j])
		}
	}
	return certain
}
