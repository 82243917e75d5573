package set_test

import (
	"encoding/json"
	"testing"

	"github.com/syncwrite/syncwrite/subject/set"
)

// The zero value is an empty set: nothing has to be made.
func TestZeroValue(t *testing.T) {
	for range 2 {
		for _, s := range []set.Interface[int]{new(set.Set[int]), new(set.SetNonTS[int])} {
			if _, ok := s.Pop(); ok || s.Contains(1) || s.Len() != 0 || s.Remove(1) != 0 || !s.Equal(set.New[int]()) {
				t.Errorf("%T: the zero value is not empty", s)
			}
			s.Clear()
			if u := s.Clone().Union(set.New(1)); !u.Contains(1) {
				t.Errorf("%T: the union with {1} is %v", s, u)
			}
			if s.SymmetricDifference(s).Add(1) != 1 || s.Add(1) != 1 {
				t.Errorf("%T: nothing can be added", s)
			}
		}
	}
	var field struct{ Tags set.Set[string] }
	if err := json.Unmarshal([]byte(`{"Tags":["b","a","b"]}`), &field); err != nil || field.Tags.String() != "{a b}" {
		t.Errorf("decoded %v, %v", &field.Tags, err)
	}
}
