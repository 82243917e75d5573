package commitlog

import "fmt"

// TruncatePrefix removes the entries below first; indexes stay as they are.
// first may be Next, which empties the log. When it returns nil the entries
// are gone for good, whatever the Durability. Segments that hold nothing else
// are deleted, but for the last one, to which entries are added. If some cannot be, the error
// says so: the entries are gone all the same, and the next truncation that succeeds, Close, and the next
// opening try again.
//
// The system has their space back once the collector has found that nobody reads them: appends to a log that
// filled its disk wait for that, up to a second in all.
//
// An index up to First does nothing else; one behind Next is ErrNotFound.
func (f *File) TruncatePrefix(first uint64) error {
	if err := f.truncate(first, f.dropPrefix); err != nil {
		return fmt.Errorf("truncate before entry %d: %w", first, err)
	}
	return nil
}

// TruncateSuffix removes the entries from next on; the next append gets that
// index. It is atomic: after a crash all of them are there or none. When it
// returns nil they are gone for good, whatever the Durability, and what is left
// survives a power cut. Files that hold nothing else are deleted. If some cannot be, the
// error says so: the entries are gone all the same, and the next truncation that succeeds, Close, and
// the next opening try again. The file that is cut in two keeps its size.
//
// next may be Next, which removes nothing: what is there survives a power cut then.
//
// An index behind Next, or below First, is ErrNotFound.
func (f *File) TruncateSuffix(next uint64) error {
	if err := f.truncate(next, f.dropSuffix); err != nil {
		return fmt.Errorf("truncate from entry %d: %w", next, err)
	}
	return nil
}

// truncate keeps everybody else out while drop changes the log. What can be flushed before that is, so
// that appends need not wait for it.
func (f *File) truncate(index uint64, drop func(uint64) error) error {
	if !f.rest.Load() && f.usable() == nil {
		f.flushAll() // drop tells of what is wrong
	}
	defer f.roster.exclude()()
	err := f.halt()
	if err == nil && index > f.turn.Next() {
		err = ErrNotFound
	}
	if err == nil {
		err = f.orStop(drop(index))
	}
	f.resume()
	f.news.Tell()
	return err
}
