package albums

import (
	"io"
	"math"
	"strconv"
)

// Store is the list. All its methods can be called from many goroutines.
type Store interface {
	// Add appends an album. It returns [ErrExists] or [ErrFull].
	Add(Album) error
	// Get returns the album with an ID.
	Get(id string) (album Album, there bool)
	// Len is how many albums there are.
	Len() int
	// WriteTo writes the list as a JSON array: all whose Add had returned, in the order
	// in which they were added.
	io.WriterTo
}

// DefaultMost is how many albums a store holds unless told otherwise.
const DefaultMost = 100_000

// Options are those of a store; the zero value is useful.
type Options struct {
	// Most is how many albums there can be; 0 means DefaultMost.
	Most int
	// Keep, if more than 0, is how many there always are, whatever Most is: the list
	// begins with as many, and each that is added takes the place of the oldest.
	Keep int
}

func (o Options) most() int {
	if o.Keep > 0 {
		return math.MaxInt
	}
	if o.Most <= 0 {
		return DefaultMost
	}
	return o.Most
}

// fill adds what a list of constant length begins with.
func (o Options) fill(s Store) {
	for i := range o.Keep {
		s.Add(Album{ID: "kept-" + strconv.Itoa(i), Title: "Blue Train", Artist: "John Coltrane", Price: 56.99}) // IDs of its own: none is there
	}
}

var (
	_ Store = (*Locked)(nil)
	_ Store = (*Snapshot)(nil)
)
