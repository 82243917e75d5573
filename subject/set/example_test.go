package set_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/syncwrite/syncwrite/subject/set"
)

func Example() {
	seen := set.New[string]()
	var all sync.WaitGroup
	for _, name := range []string{"ann", "bob", "ann", "cid"} {
		all.Go(func() {
			if seen.Add(name) == 1 {
				// only one goroutine gets here for each name
			}
		})
	}
	all.Wait()
	staff := set.NewNonTS("bob", "dan")
	fmt.Println(seen.Len(), seen.Contains("ann"))
	fmt.Println(seen.Difference(staff), seen.Intersection(staff), seen.IsSubset(staff))
	// Output:
	// 3 true
	// {ann cid} {bob} false
}

func ExampleSet_All() {
	s := set.New(3, 1, 2)
	for n := range s.All() {
		s.Add(10 * n) // the loop holds no lock, and does not see these
	}
	fmt.Println(slices.Sorted(s.All()))
	// Output: [1 2 3 10 20 30]
}

func ExampleSet_MarshalJSON() {
	data, err := json.Marshal(set.New("b", "a"))
	fmt.Println(string(data), err)
	s := set.NewNonTS[string]()
	fmt.Println(json.Unmarshal(data, s), s)
	// Output:
	// ["a","b"] <nil>
	// <nil> {a b}
}
