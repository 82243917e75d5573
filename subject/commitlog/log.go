package commitlog

// MaxValueSize is the most bytes one value may have: 16 MiB. A longer value
// is refused with [ErrTooLarge] and leaves the log as it was.
const MaxValueSize = 16 << 20

// MaxBatchSize is the most bytes that the records of one batch may take: 64
// MiB. A record is its value and five to eight bytes.
const MaxBatchSize = 64 << 20

// An Entry is one value and the place it holds in the log's order.
type Entry struct {
	// Index is the entry's place: 0 for the first, and dense from there.
	Index uint64
	// Value is what was appended. It belongs to whoever received the entry.
	Value []byte
}

// A Log is an append-only sequence of entries. Every method may be called
// from any number of goroutines at once.
//
// What a log promises about order, results and crashes beyond this contract
// is stated by each backend, in the words of the package comment.
type Log interface {
	// Append adds value to the end of the log and returns the index it got.
	// Indexes count up from 0 without gaps, in the order of the appends. The
	// value is copied before Append returns. An empty value is a value; nil
	// is stored as an empty one.
	//
	// An Append that returns an error has added nothing that Get will show
	// while the log stays open. It returns ErrTooLarge, ErrClosed, or what
	// the system said.
	Append(value []byte) (index uint64, err error)

	// Get returns the entry at index. It never shows an entry whose Append
	// did not, or will not, take place, and once it has shown an entry it
	// shows the same one for ever. The value is a copy: changing it changes
	// nothing in the log.
	//
	// It returns ErrNotFound where nothing was appended yet, ErrClosed, a
	// *CorruptError, or what the system said.
	Get(index uint64) (Entry, error)

	// Close releases the log. Every later call, a second Close included,
	// returns ErrClosed.
	Close() error
}
