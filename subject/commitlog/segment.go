package commitlog

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/disk"
)

// A segment is one file of a log. Its fields change only while the log's lock
// is held for writing; once sealed it never changes again.
type segment struct {
	header
	file disk.File
	path string
	seed uint32 // what the checksums of the header's records start from
	flaw string // what is wrong with the header, if anything

	sealed  bool
	count   uint64   // entries of a sealed segment
	offsets []uint32 // where each record starts, while it is not sealed
	end     int64    // behind the last record
	size    int64    // of the file; from end on it is zero until sealed
}

func (s *segment) entries() uint64 {
	if s.sealed {
		return s.count
	}
	return uint64(len(s.offsets))
}

// headless reports whether nothing is known of the segment but its name.
func (s *segment) headless() bool { return s.salt == 0 }

// next is the index that follows the segment's last entry.
func (s *segment) next() uint64 { return s.base + s.entries() }

// newSegment returns a segment without records, in a file that is empty.
func newSegment(h header, file disk.File, path string) *segment {
	return &segment{header: h, seed: h.seed(), file: file, path: path, end: recordsStart}
}

// createSegment makes a segment that is ready up to the offset end, and rather
// up to more. It is safe on the disk, name included, when it returns. If it
// fails it leaves nothing behind, or what the next try or opening removes.
func createSegment(dir disk.Dir, h header, end, more int64) (*segment, error) {
	name := segmentName(h.base)
	file, err := createAnew(dir, name)
	if err != nil {
		return nil, err
	}
	s := newSegment(h, file, dir.Path(name))
	if err = s.begin(dir, end, more); err != nil {
		return nil, both(err, both(file.Close(), dir.Remove(name)))
	}
	return s, nil
}

func (s *segment) begin(dir disk.Dir, end, more int64) error {
	if err := s.writeHeader(); err != nil {
		return err
	}
	if err := s.prepare(end, more); err != nil {
		return err
	}
	return both(flush(s.file), flush(dir))
}

func (s *segment) writeHeader() error {
	block := s.header.block()
	_, err := s.file.WriteAt(append(block, block...), 0)
	s.size = recordsStart
	return err
}

// newSalt returns a random number, as ids and salts are.
func newSalt() uint64 {
	var b [8]byte
	rand.Read(b[:]) // never fails
	return binary.LittleEndian.Uint64(b[:])
}

// prepare extends the file with zeros up to the offset end, and rather up to
// more if there is space on the disk. Writing them now is what makes a later
// write find its space, and its flush leave the file's metadata alone.
func (s *segment) prepare(end, more int64) error {
	if end <= s.size {
		return nil
	}
	if more > end && s.extend(more) == nil {
		return nil
	}
	return s.extend(end)
}

func (s *segment) extend(size int64) error {
	if err := writeZeros(s.file, s.size, size); err != nil {
		return err
	}
	s.size = size
	return nil
}

// maxOffset is the highest offset that a table can hold.
const maxOffset = math.MaxUint32

// zeros is what writeZeros writes, never anything else.
var zeros [256 << 10]byte

func writeZeros(file disk.File, from, to int64) error {
	for from < to {
		n := min(to-from, int64(len(zeros)))
		if _, err := file.WriteAt(zeros[:n], from); err != nil {
			return err
		}
		from += n
	}
	return nil
}

// seal ends the segment. The trailer is written when everything before it is
// safe, so that it vouches for it. A seal that failed without a flushError can
// be tried again; the log stays as it was.
func (s *segment) seal() error {
	table := s.table()
	if _, err := s.file.WriteAt(table, s.end); err != nil {
		return err
	}
	if err := flush(s.file); err != nil {
		return err
	}
	t := trailer{header: s.header, count: s.entries(), dataEnd: uint64(s.end), tableSum: checksum(table)}
	at := s.end + int64(len(table))
	if _, err := s.file.WriteAt(t.block(), at); err != nil {
		return err
	}
	if err := s.file.Truncate(at + blockSize); err != nil {
		return err
	}
	if err := flush(s.file); err != nil {
		return err
	}
	s.sealed, s.count, s.offsets, s.size = true, t.count, nil, at+blockSize
	return nil
}

func (s *segment) table() []byte {
	table := make([]byte, 0, tableSize(s.entries()))
	for _, offset := range s.offsets {
		table = binary.LittleEndian.AppendUint32(table, offset)
	}
	return table[:tableSize(s.entries())]
}

// fromTable returns where the record of a sealed segment's entry starts, and
// where the next one does, as the table says, which may be damaged.
func (s *segment) fromTable(index uint64) (off, next int64, err error) {
	i := index - s.base
	b := make([]byte, min(8, 4*(s.count-i)))
	if _, err := s.file.ReadAt(b, s.end+4*int64(i)); unlessEnd(err) != nil {
		return 0, 0, err
	}
	off, next = int64(binary.LittleEndian.Uint32(b)), s.end
	if len(b) == 8 {
		next = int64(binary.LittleEndian.Uint32(b[4:]))
	}
	return off, next, nil
}

// firstRead is how much of a record is read where its length is in doubt.
const firstRead = 512

// read returns the value of the entry at index, whose record starts at off and
// ends before next, if that is to be believed.
func (s *segment) read(index uint64, off, next int64) ([]byte, error) {
	if off < recordsStart || off > s.end-recordHeaderSize || off%alignment != 0 {
		return nil, s.corrupt(index, off, "segment's table of entries is damaged")
	}
	size := next - off
	if size < recordHeaderSize || size > recordSize(MaxValueSize)+markSize {
		size = firstRead
	}
	b := make([]byte, min(size, s.end-off))
	if _, err := s.file.ReadAt(b, off); unlessEnd(err) != nil {
		return nil, err
	}
	if r, ok := parseHead(b); ok && r.size > int64(len(b)) && r.size <= s.end-off {
		b = make([]byte, r.size)
		if _, err := s.file.ReadAt(b, off); unlessEnd(err) != nil {
			return nil, err
		}
	}
	r, ok := parseRecord(s.seed, b)
	switch {
	case !ok:
		return nil, s.corrupt(index, off, "checksum does not match")
	case r.index != uint32(index) || r.kind == markKind:
		return nil, s.corrupt(index, off, "another entry is in its place")
	case r.kind == lostKind:
		return nil, s.lost(index, off)
	}
	return r.value, nil
}

// lost is what reading an entry that a repair gave up says.
func (s *segment) lost(index uint64, off int64) *CorruptError {
	return &CorruptError{Path: s.path, Index: index, Offset: off, Reason: "lost before a repair", Lost: true}
}

func (s *segment) corrupt(index uint64, off int64, reason string) *CorruptError {
	return &CorruptError{Path: s.path, Index: index, Offset: off, Reason: reason}
}

// loadSegment reads what a segment's file says of itself.
func loadSegment(dir disk.Dir, name string) (*segment, error) {
	file, err := dir.Open(name)
	if err != nil {
		return nil, err
	}
	base, _ := baseOf(name)
	s := &segment{file: file, path: dir.Path(name), header: header{base: base}, end: recordsStart}
	if err := s.load(); err != nil {
		return nil, both(err, file.Close())
	}
	return s, nil
}

func (s *segment) load() (err error) {
	if s.size, err = s.file.Size(); err != nil {
		return err
	}
	b := make([]byte, recordsStart)
	if _, err := s.file.ReadAt(b, 0); unlessEnd(err) != nil {
		return err
	}
	s.takeHeader(b[:blockSize], b[blockSize:])
	t, sealed, err := s.readTrailer()
	if sealed && t.header == s.header {
		s.sealed, s.count, s.end = true, t.count, int64(t.dataEnd)
	}
	return err
}

// takeHeader takes the header from the first of its copies that is intact and
// belongs to a segment of this name.
func (s *segment) takeHeader(copies ...[]byte) {
	base := s.base
	for _, b := range copies {
		h, reason := parseHeader(b)
		if reason == "" && h.base != base {
			reason = fmt.Sprintf("segment header is that of entry %d", h.base)
		}
		if reason == "" && s.headless() {
			s.header, s.seed = h, h.seed()
		}
		if s.flaw == "" {
			s.flaw = reason
		}
	}
}

// readTrailer reports false if the segment has no trailer, or a damaged one.
func (s *segment) readTrailer() (t trailer, ok bool, err error) {
	at := s.size - blockSize
	if at < recordsStart {
		return trailer{}, false, nil
	}
	b := make([]byte, blockSize)
	if _, err := s.file.ReadAt(b, at); unlessEnd(err) != nil {
		return trailer{}, false, err
	}
	t, reason := parseTrailer(b)
	fits := t.count <= uint64(s.size)/4 && t.dataEnd >= recordsStart && t.dataEnd <= uint64(at) &&
		int64(t.dataEnd)+tableSize(t.count) == at
	return t, reason == "" && fits, nil
}
