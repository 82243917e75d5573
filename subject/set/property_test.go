package set_test

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/syncwrite/syncwrite/subject/set"
)

// kinds draws which of the two sets a test uses.
func kinds(t *rapid.T, label string, elements []string) set.Interface[string] {
	if rapid.Bool().Draw(t, label+" is thread-safe") {
		return set.New(elements...)
	}
	return set.NewNonTS(elements...)
}

func elements(t *rapid.T, label string) []string {
	return rapid.SliceOf(rapid.StringMatching(`[a-e]{0,2}`)).Draw(t, label)
}

// A set of any kind is a plain map, through any operations.
func TestSetIsAMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, m := kinds(t, "set", nil), map[string]struct{}{}
		t.Repeat(map[string]func(*rapid.T){
			"add": func(t *rapid.T) {
				all, before := elements(t, "elements"), len(m)
				for _, e := range all {
					m[e] = struct{}{}
				}
				if got := s.Add(all...); got != len(m)-before {
					t.Fatalf("Add(%q) is %d", all, got)
				}
			},
			"remove": func(t *rapid.T) {
				all, before := elements(t, "elements"), len(m)
				for _, e := range all {
					delete(m, e)
				}
				if got := s.Remove(all...); got != before-len(m) {
					t.Fatalf("Remove(%q) is %d", all, got)
				}
			},
			"pop": func(t *rapid.T) {
				e, ok := s.Pop()
				if _, there := m[e]; ok != (len(m) > 0) || ok && !there {
					t.Fatalf("Pop is %q, %v", e, ok)
				}
				delete(m, e)
			},
			"clear": func(*rapid.T) { s.Clear(); clear(m) },
			"decode": func(t *rapid.T) {
				data, err := json.Marshal(s)
				if err == nil {
					err = json.Unmarshal(data, s)
				}
				if err != nil {
					t.Fatal(err)
				}
			},
			"": func(t *rapid.T) {
				listed := slices.Sorted(s.All())
				if want := slices.Sorted(maps.Keys(m)); !slices.Equal(listed, want) || s.Len() != len(m) {
					t.Fatalf("%q (%d), want %q", listed, s.Len(), want)
				}
				e := rapid.StringMatching(`[a-e]{0,2}`).Draw(t, "element")
				if _, there := m[e]; s.Contains(e) != there {
					t.Fatalf("Contains(%q) is %v", e, !there)
				}
			},
		})
	})
}

// The laws of sets hold, whichever kinds are mixed.
func TestLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := kinds(t, "a", elements(t, "in a")), kinds(t, "b", elements(t, "in b")), kinds(t, "c", elements(t, "in c"))
		for law, holds := range map[string]bool{
			"a∪b = b∪a":             a.Union(b).Equal(b.Union(a)),
			"a∩b = b∩a":             a.Intersection(b).Equal(b.Intersection(a)),
			"(a∪b)∪c = a∪(b∪c)":     a.Union(b).Union(c).Equal(a.Union(b.Union(c))),
			"a∩(b∪c) = a∩b ∪ a∩c":   a.Intersection(b.Union(c)).Equal(a.Intersection(b).Union(a.Intersection(c))),
			"a∖(b∪c) = a∖b ∩ a∖c":   a.Difference(b.Union(c)).Equal(a.Difference(b).Intersection(a.Difference(c))),
			"a△b = a∖b ∪ b∖a":       a.SymmetricDifference(b).Equal(a.Difference(b).Union(b.Difference(a))),
			"a△a = ∅":               a.SymmetricDifference(a).Len() == 0,
			"a∩b ⊆ a ⊆ a∪b":         a.Intersection(b).IsSubset(a) && a.IsSubset(a.Union(b)),
			"a⊆b ⇔ a∪b = b":         a.IsSubset(b) == a.Union(b).Equal(b),
			"a=b ⇔ a⊆b and b⊆a":     a.Equal(b) == (a.IsSubset(b) && b.IsSubset(a)),
			"|a|+|b| = |a∪b|+|a∩b|": a.Len()+b.Len() == a.Union(b).Len()+a.Intersection(b).Len(),
		} {
			if !holds {
				t.Errorf("a %v, b %v, c %v: not %s", a, b, c, law)
			}
		}
	})
}

func FuzzUnmarshal(f *testing.F) {
	for _, seed := range []string{`[1,2]`, `null`, `[[1]]`, `{"a":1}`, `["a",null,1.5,{}]`, ``} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s := set.New[any]("kept")
		if err := json.Unmarshal(data, s); err != nil {
			if !s.Contains("kept") || s.Len() != 1 {
				t.Fatalf("after %v the set is %v", err, s)
			}
			return
		}
		again, copied := set.New[any](), []byte(nil)
		copied, err := json.Marshal(s)
		if err == nil {
			err = json.Unmarshal(copied, again)
		}
		if err != nil || !again.Equal(s) {
			t.Fatalf("%v became %v, %v", s, again, err)
		}
	})
}
