package commitlog

import (
	"encoding/binary"
	"hash/crc32"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/disk"
)

// index returns the segment as one that is full: with a table, unless all its records have
// one size. It takes no memory then. Nobody may add to a segment any more.
func (s *segment) index() (*segment, error) {
	if err := s.output.leaveDirect(s.end); err != nil {
		return nil, err
	}
	full := s.like()
	full.count, full.end, full.stride, full.tableAt = s.next()-s.base, s.offsetOf(s.next()), s.commonSize(), s.end
	if full.count > 0 && full.stride == 0 {
		var err error
		if full.tableSum, err = s.writeTable(full.count); err != nil {
			return nil, err
		}
	}
	full.size.Store(max(s.size.Load(), full.tableEnd()))
	full.mapForReads()
	return full, nil
}

// like returns a segment in the same file.
func (s *segment) like() *segment {
	other := &segment{header: s.header, until: s.until, seed: s.seed, name: s.name, path: s.path, file: s.file}
	if s.output == nil {
		other.memory = s.memory
	}
	return other
}

// commonSize is that of all the segment's records; 0 if they differ.
func (s *segment) commonSize() int64 {
	n, size := int64(s.next()-s.base), s.offsetOf(s.next())-recordsStart
	if n == 0 || s.offsets.at(0) != recordsStart {
		return 0
	}
	if _, stride := s.offsets.pace(); n > 1 && stride*n != size {
		return 0
	}
	return size / n
}

// tableEnd is where the table ends, and the trailer starts.
func (s *segment) tableEnd() int64 {
	if s.tableSum == 0 {
		return s.tableAt
	}
	return s.tableAt + tableSize(s.count)
}

// tablePiece is how many entries of a table are written at once.
const tablePiece = 16 << 10

// writeTable writes the table of the first n offsets behind the last record. Its checksum is
// never 0.
func (s *segment) writeTable(n uint64) (sum uint32, err error) {
	b := make([]byte, 0, min(4*tablePiece, tableSize(n)))
	for i := uint64(0); i < n; i += tablePiece {
		b = b[:0]
		for j := i; j < min(i+tablePiece, n); j++ {
			b = binary.LittleEndian.AppendUint32(b, uint32(s.offsets.at(j)))
		}
		sum = crc32.Update(sum, castagnoli, b)
		if _, err := s.file.WriteAt(b, s.end+tableSize(i)); err != nil {
			return 0, err
		}
	}
	return max(1, sum), nil
}

// seal returns a full segment as it is with a trailer. That is written when everything
// before it is safe, since it vouches for that. A seal that failed without a flushError
// can be tried again; the segment stays as it was.
func (s *segment) seal() (*segment, error) {
	at := s.tableEnd()
	if err := s.file.Truncate(at + blockSize); err != nil {
		return nil, err
	}
	if err := s.flush(s.size.Load()); err != nil {
		return nil, err
	}
	t := s.trailer()
	if _, err := s.file.WriteAt(t.block(), at); err != nil {
		return nil, err
	}
	if err := flush(s.file); err != nil {
		return nil, err
	}
	sealed := s.like()
	sealed.takeTrailer(t)
	return sealed, nil
}

// trailer is that of a full segment.
func (s *segment) trailer() trailer {
	return trailer{mark: s.mark(), base: s.base, count: s.count, dataEnd: uint64(s.end), tableAt: uint64(s.tableAt), tableSum: s.tableSum}
}

// secureTrailer writes the trailer of a sealed segment once more, and flushes it.
func (s *segment) secureTrailer(dir disk.Dir) (err error) {
	file := s.file
	if file == nil {
		if file, err = dir.Open(s.name); err != nil {
			return err
		}
		defer func() { err = both(err, file.Close()) }()
	}
	if _, err := file.WriteAt(s.trailer().block(), s.tableEnd()); err != nil {
		return err
	}
	return flush(file)
}

// takeTrailer makes the segment the sealed one that the trailer tells of with which its file ends.
func (s *segment) takeTrailer(t trailer) {
	s.sealed, s.count, s.end, s.tableSum, s.offsets = true, t.count, int64(t.dataEnd), t.tableSum, nil
	s.tableAt = int64(t.tableAt)
	if s.tableSum == 0 && s.count > 0 {
		s.stride = (s.end - recordsStart) / int64(s.count)
	}
	s.size.Store(s.tableEnd() + blockSize)
}
