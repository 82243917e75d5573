package workload

import "github.com/syncwrite/syncwrite/subject/set"

// NewSet is a new set.Set.
func NewSet() Set {
	s := set.New[int]()
	return Set{
		Add:      func(e int) int { return s.Add(e) },
		Remove:   func(e int) int { return s.Remove(e) },
		Contains: func(e int) bool { return s.Contains(e) },
		Len:      s.Len,
	}
}

// NewNonTS is a new set.SetNonTS.
func NewNonTS() Set {
	s := set.NewNonTS[int]()
	return Set{
		Add:      func(e int) int { return s.Add(e) },
		Remove:   func(e int) int { return s.Remove(e) },
		Contains: func(e int) bool { return s.Contains(e) },
		Len:      s.Len,
	}
}

// NewBareMap is a map used as a set.
func NewBareMap() Set {
	m := map[int]struct{}{}
	return Set{
		Add:      func(e int) int { n := len(m); m[e] = struct{}{}; return len(m) - n },
		Remove:   func(e int) int { n := len(m); delete(m, e); return n - len(m) },
		Contains: func(e int) bool { _, ok := m[e]; return ok },
		Len:      func() int { return len(m) },
	}
}
