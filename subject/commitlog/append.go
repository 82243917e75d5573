package commitlog

import "fmt"

// Append implements [Log].
func (f *File) Append(value []byte) (uint64, error) {
	one := [1][]byte{value}
	return f.AppendBatch(one[:])
}

// AppendBatch adds values to the end of the log as one: they get consecutive
// indexes, of which it returns the first, become visible at once, and after a
// crash all of them are there or none. An empty batch adds nothing and gets
// the index that the next append would have, which is above Next while others wait
// to be written.
//
// It returns what Append returns. A batch whose records take more than
// MaxBatchSize bytes is ErrTooLarge.
func (f *File) AppendBatch(values [][]byte) (first uint64, err error) {
	first, b, leads, err := f.put(values)
	if err == nil && b != nil {
		err = f.commit(b, leads)
	}
	if err != nil {
		return 0, appendError(first, err)
	}
	f.news.Tell()
	return first, nil
}

// batchSize returns the bytes that the records of values take.
func batchSize(values [][]byte) (int64, error) {
	size := int64(0)
	for _, value := range values {
		if len(value) > MaxValueSize {
			return 0, ErrTooLarge
		}
		if size += recordSize(len(value)); size > MaxBatchSize {
			return 0, ErrTooLarge
		}
	}
	return size, nil
}

// put puts the records into the log's order, and into memory. Where that is not the
// file, it returns the batch to be waited for. The index is the one the first value
// has, or would have had.
func (f *File) put(values [][]byte) (first uint64, b *batch, leads bool, err error) {
	size, err := batchSize(values)
	t := &f.tail
	for {
		first = f.turn.Take()
		if err == nil && len(values) > 0 && t.fits(size) && f.failed.Load() == nil {
			break
		}
		if refused := f.usable(); refused != nil {
			err = refused
		}
		f.turn.Give(first)
		if err != nil || len(values) == 0 {
			return first, nil, false, err
		}
		err = f.makeRoom(size)
	}
	if !f.mapped.Load() {
		b, leads = f.join()
	}
	t.add(first, values, f.safe.Load())
	if t.end > t.wake {
		t.wake = unlimitedSize
		f.roller.poke()
	}
	f.turn.Give(first + uint64(len(values)))
	return first, b, leads, nil
}

// makeRoom makes room for size bytes of records at the log's end. Before that, what was
// left unfinished is finished, and what waits to be sealed for too long is sealed.
func (f *File) makeRoom(size int64) error {
	if err := f.finish(); err != nil {
		return err
	}
	for f.unsealed() > f.options.backlog {
		if _, err := f.sealOldest(); err != nil {
			return fmt.Errorf("seal segment: %w", err)
		}
	}
	err := f.roller.makeRoom(size)
	f.sealer.poke()
	return err
}
