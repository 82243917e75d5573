package crashdisk

import "math/rand/v2"

// A luck is drawn once for a power cut: that everything, or nothing, of
// everything survives together would otherwise be rare on many files.
type luck uint8

const (
	mixed    luck = iota
	spared        // nothing is lost
	thorough      // everything is lost that may be
)

func drawLuck(r *rand.Rand) luck {
	switch r.IntN(16) {
	case 0:
		return spared
	case 1:
		return thorough
	}
	return mixed
}

// AfterPowerCut returns an independent disk that holds what a power cut now
// may leave of this one; all of it is durable. Nobody holds a lock, and there
// is no hook. What is left depends on the state of this disk and on what is
// drawn from r, and on nothing else.
func (d *Disk) AfterPowerCut(r *rand.Rand) *Disk {
	d.mu.Lock()
	defer d.mu.Unlock()
	luck := drawLuck(r)
	left := d.namesAfter(r, luck)
	nodes, names := make([]node, len(left)), make(table, len(left))
	for i, e := range left {
		e.node.collect()
		data := e.node.after(r, luck)
		nodes[i] = node{base: data, now: data, shared: len(data)}
		names[i] = entry{e.name, &nodes[i]}
	}
	return &Disk{now: names, base: names}
}

// namesAfter draws which changes of names survive.
func (d *Disk) namesAfter(r *rand.Rand, luck luck) table {
	if len(d.changes) == 0 || luck == spared {
		return d.now
	}
	keep := drawNames(r, luck, len(d.changes))
	certain, lost := bound(d.changes), make([]bool, len(d.changes))
	left := d.base
	for i := range d.changes {
		c := &d.changes[i]
		if !certain[i] && (!keep(i) || afterLost(d.changes[:i], lost, c)) {
			lost[i] = true
			continue
		}
		left = c.apply(left)
	}
	return left
}

// afterLost says whether the change builds on one that is lost.
func afterLost(earlier []change, lost []bool, c *change) bool {
	for i := range earlier {
		if lost[i] && c.touches(&earlier[i]) {
			return true
		}
	}
	return false
}

// drawNames draws a style of losing some of n changes.
func drawNames(r *rand.Rand, luck luck, n int) func(int) bool {
	style := r.IntN(6)
	if luck == thorough {
		style = 0
	}
	which := r.IntN(n)
	switch style {
	case 0: // all
		return func(int) bool { return false }
	case 1: // none
		return func(int) bool { return true }
	case 2: // all from one on, as a journal does
		return func(i int) bool { return i < which }
	case 3: // one, and what builds on it
		return func(i int) bool { return i != which }
	}
	return func(int) bool { return r.IntN(2) == 0 }
}
