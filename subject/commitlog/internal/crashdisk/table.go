package crashdisk

import (
	"slices"
	"strings"
)

// A table holds the files of a directory by name, sorted. It is never changed
// in place, so that disks share it; a directory of a log has few names, and a
// copy costs less than a map.
type table []entry

type entry struct {
	name string
	node *node
}

func (t table) search(name string) (int, bool) {
	return slices.BinarySearchFunc(t, name, func(e entry, name string) int {
		return strings.Compare(e.name, name)
	})
}

// find returns the file of that name, nil if there is none.
func (t table) find(name string) *node {
	if i, found := t.search(name); found {
		return t[i].node
	}
	return nil
}

// with is the table in which the name belongs to the file.
func (t table) with(name string, n *node) table {
	i, found := t.search(name)
	next := make(table, 0, len(t)+1)
	next = append(append(next, t[:i]...), entry{name, n})
	if found {
		i++
	}
	return append(next, t[i:]...)
}

// without is the table without the name.
func (t table) without(name string) table {
	i, found := t.search(name)
	if !found {
		return t
	}
	return append(append(make(table, 0, len(t)-1), t[:i]...), t[i+1:]...)
}
