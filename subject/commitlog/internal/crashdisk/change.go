package crashdisk

import "slices"

// A fate is what a power cut may do to an operation.
type fate uint8

const (
	pending fate = iota // kept or lost; a good Sync settles it
	doomed              // kept or lost for good: a Sync failed
	settled             // kept, but an earlier one is not certain
)

// A change is one operation on names: a Create has no old name, a Remove no
// new one, a Rename both.
type change struct {
	old, new string
	node     *node
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

// touches says whether two changes share a name. Those of one file do, each
// with the next: its name at that time.
func (c *change) touches(p *change) bool {
	return c.names(p.old) || c.names(p.new)
}

func (c *change) names(s string) bool { return s != "" && (s == c.old || s == c.new) }

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
	for i := range d.changes {
		if c := &d.changes[i]; c.fate == pending && c.seq <= mark {
			c.fate = settled
		}
	}
	certain := bound(d.changes)
	for len(certain) > 0 && certain[0] {
		d.base = d.changes[0].apply(d.base)
		d.changes, certain = d.changes[1:], certain[1:]
	}
}

// doom lets no later Sync settle what is pending now.
func (d *Disk) doom() {
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
