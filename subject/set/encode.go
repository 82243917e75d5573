package set

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"
)

func marshal[T comparable](all iter.Seq[T]) ([]byte, error) {
	encoded := [][]byte{}
	for element := range all {
		one, err := json.Marshal(element)
		if err != nil {
			return nil, err
		}
		encoded = append(encoded, one)
	}
	slices.SortFunc(encoded, bytes.Compare)
	return slices.Concat([]byte("["), bytes.Join(encoded, []byte(",")), []byte("]")), nil
}

// unmarshal returns the elements of an array; nil for null. What is not equal to itself, which
// a type's own decoding can give, is passed over as by Add.
func unmarshal[T comparable](data []byte) (map[T]struct{}, error) {
	var list []T
	if err := json.Unmarshal(data, &list); err != nil || list == nil {
		return nil, err
	}
	var b base[T]
	b.init(len(list))
	for i := range list {
		if !reflect.ValueOf(&list[i]).Elem().Comparable() {
			return nil, fmt.Errorf("element %d of a set: a %T cannot be compared", i, list[i])
		}
		if isItself(list[i]) {
			b.elements[list[i]] = struct{}{}
		}
	}
	return b.elements, nil
}

func text[T comparable](all iter.Seq[T]) string {
	texts := []string{}
	for element := range all {
		texts = append(texts, fmt.Sprint(element))
	}
	slices.Sort(texts)
	return "{" + strings.Join(texts, " ") + "}"
}
