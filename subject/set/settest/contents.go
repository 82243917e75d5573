package settest

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/syncwrite/syncwrite/subject/set"
)

// CheckAll looks whether a loop over a set can be left, and whether its body
// may use the set: every element that stays in it is yielded once. A set that
// holds a lock while it yields is found out after the given time.
func CheckAll(make MakeFunc, patience time.Duration) error {
	s := make(1, 2, 3, 4, 5)
	ended := newError()
	go func() { ended <- loop(s) }()
	select {
	case err := <-ended:
		return err
	case <-time.After(patience):
		return fmt.Errorf("a loop whose body uses the set did not end in %v", patience)
	}
}

func loop(s set.Interface[int]) error {
	for range s.All() {
		break
	}
	yielded := map[int]int{}
	for element := range s.All() {
		yielded[element]++
		s.Add(100)
		if !s.Contains(element) || !s.Contains(100) || s.Len() != 6 {
			return errors.New("a loop's body does not see the set it is in")
		}
	}
	for element := 1; element <= 5; element++ {
		if yielded[element] != 1 {
			return fmt.Errorf("element %d was yielded %d times", element, yielded[element])
		}
	}
	for element := range s.All() {
		s.Remove(element)
	}
	return want(s.Len(), 0)
}

// CheckJSON encodes sets, decodes them, and decodes what is not one.
func CheckJSON(make MakeFunc) error {
	for _, c := range []struct {
		text     string
		elements []int
	}{{`[]`, nil}, {`[-1,2,7]`, []int{7, -1, 2}}} {
		data, err := json.Marshal(make(c.elements...))
		if err := errors.Join(err, want(string(data), c.text)); err != nil {
			return err
		}
		decoded := make(99)
		if err := json.Unmarshal(data, decoded); err != nil {
			return err
		}
		if !decoded.Equal(make(c.elements...)) {
			return fmt.Errorf("%s was decoded to %v", c.text, decoded)
		}
	}
	twice := make()
	if err := errors.Join(json.Unmarshal([]byte(`[2,2,2]`), twice), want(twice.Len(), 1)); err != nil {
		return err
	}
	for _, bad := range []string{`{}`, `["one"]`, `[1,`, `7`} {
		if json.Unmarshal([]byte(bad), twice) == nil {
			return fmt.Errorf("%s was decoded without an error", bad)
		}
	}
	return errors.Join(json.Unmarshal([]byte(`null`), twice), want(twice.String(), "{2}"))
}
