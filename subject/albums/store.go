package albums

import "io"

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
}

func (o Options) most() int {
	if o.Most <= 0 {
		return DefaultMost
	}
	return o.Most
}

var (
	_ Store = (*Locked)(nil)
	_ Store = (*Snapshot)(nil)
)
