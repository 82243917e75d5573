package albums

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
)

// An Album is an entry of the list.
type Album struct {
	ID     string  `json:"id"`
	Title  string  `json:"title"`
	Artist string  `json:"artist"`
	Price  float64 `json:"price"`
}

// Errors of Add, to test for with errors.Is.
var (
	ErrExists = errors.New("an album with this ID is there")
	ErrFull   = errors.New("the list is full")
)

// Limits of an album's texts, in bytes.
const (
	MostID   = 64
	MostText = 256
)

// Check says what is wrong with an album.
func (a Album) Check() error {
	for _, field := range []struct {
		name, text string
		most       int
	}{{"id", a.ID, MostID}, {"title", a.Title, MostText}, {"artist", a.Artist, MostText}} {
		switch {
		case strings.TrimSpace(field.text) == "":
			return fmt.Errorf("%s is missing", field.name)
		case len(field.text) > field.most:
			return fmt.Errorf("%s has %d bytes, at most %d", field.name, len(field.text), field.most)
		}
	}
	if !(a.Price >= 0) || math.IsInf(a.Price, 0) {
		return fmt.Errorf("price is %v, not a number from 0 on", a.Price)
	}
	return nil
}

// encode writes an album that Check found right.
func (a Album) encode() []byte {
	text, _ := json.Marshal(a) // texts and a finite number cannot fail
	return text
}
