package commitlog

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"math"
	"sync/atomic"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/disk"
)

// A segment is one file of a log. Of one that is not sealed, only who writes to
// it may look at end; sealing makes another segment of it, which never changes.
type segment struct {
	header
	file   disk.File    // nil once the segment is sealed and memory is its file
	memory *disk.Memory // its bytes: the mapped file, or those that an output brings there; nil if there are none
	output *output      // nil if memory is the file
	path   string
	seed   uint32 // what the checksums of the header's records start from
	flaw   string // what is wrong with the header, if anything
	told   bool   // when it was read: its trailer or its first record tells its base, not only its name

	sealed    bool         // it has a trailer, and is safe
	count     uint64       // entries of a segment that has a table
	start     int64        // where its first record starts,
	stride    int64        // and how far apart they are if all have one size; 0 if there is no telling
	offsets   *offsets     // where each record starts, while there is no table
	end       int64        // behind the last record
	size      atomic.Int64 // of the file; from end on it is zero until there is a table
	tableSum  uint32       // checksum of the table, if there is one
	proven    int64        // when it was read: up to where marks, and the manifest, vouch for the file
	torn      int64        // and where the bytes behind end that were cut off end; 0 if there are none
	unsecured error        // and why all this could not be made safe, if the disk had no space
	claimed   uint64       // and the entries below were in sealed segments, as they say
	found     *remainder   // what all of it holds; nil as long as nobody has asked
	crowded   bool         // there are so many that its file is not kept open
}

func (s *segment) entries() uint64 {
	if s.offsets == nil {
		return s.count
	}
	return s.offsets.len()
}

// headless reports whether nothing is known of the segment but its name.
func (s *segment) headless() bool { return s.salt == 0 }

// next is the index that follows the segment's last entry.
func (s *segment) next() uint64 { return s.base + s.entries() }

// newSegment returns a segment without records, in a file that is empty.
func newSegment(h header, file disk.File, path string) *segment {
	return &segment{header: h, seed: h.seed(), file: file, path: path, offsets: new(offsets), end: recordsStart}
}

// createSegment makes a segment under a name that no segment of the log has.
// The header is safe when it returns. If it fails it leaves nothing behind, or
// what the next try or opening removes.
func createSegment(dir disk.Dir, name string, h header, options *FileOptions, mapped bool) (*segment, error) {
	file, err := createAnew(dir, name)
	if err != nil {
		return nil, err
	}
	s := newSegment(h, file, dir.Path(name))
	if mapped {
		err = s.begin()
	} else {
		err = s.beginInMemory(options)
	}
	if err == nil && mapped {
		err = s.remember(options, options.SegmentSize, true)
	}
	if err != nil {
		return nil, both(err, both(file.Close(), dir.Remove(name)))
	}
	return s, nil
}

// begin writes the segment's header.
func (s *segment) begin() error {
	if _, err := s.file.WriteAt(s.headers(), 0); err != nil {
		return err
	}
	s.size.Store(recordsStart)
	return flush(s.file)
}

// beginInMemory is begin for a segment that an output writes: past the system's cache
// if it is to be durable, and that can be had.
func (s *segment) beginInMemory(options *FileOptions) error {
	if err := s.remember(options, options.SegmentSize, false); err != nil {
		return err
	}
	if options.Durability == Always && !options.cached {
		ok, err := s.output.openDirect()
		if ok {
			s.size.Store(s.output.up(recordsStart))
		}
		if ok || err != nil {
			return err
		}
	}
	return s.begin()
}

// remember gives the segment memory for size bytes: the mapped file, with room for the
// table, since mapping it anew for that would have every page looked up again; or
// memory of the process, which has of what is in the file only what it was given.
func (s *segment) remember(options *FileOptions, size int64, mapped bool) error {
	if mapped {
		return s.mapFile(size + tableSize(uint64(size)/16))
	}
	memory := disk.Anonymous((size + disk.Alignment - 1) &^ (disk.Alignment - 1))
	o := s.output
	if o == nil {
		o = &output{file: s.file, kept: options.kept, block: 1}
		o.done.Store(s.end)
		o.first.Store(s.end)
		if s.end == recordsStart {
			copy(memory.Bytes(), s.headers())
			o.first.Store(0)
		}
	} else {
		copy(memory.Bytes(), o.memory.Bytes()[:s.end]) // a segment's first records are to come
	}
	o.memory, s.memory, s.output = memory, memory, o
	return nil
}

// headers is what a segment begins with: its header, twice.
func (s *segment) headers() []byte {
	block := s.header.block()
	return append(block, block...)
}

// close closes the segment's file.
func (s *segment) close() error {
	err := s.output.close()
	if s.file != nil {
		err = both(s.file.Close(), err)
	}
	return err
}

// letGo has a sealed segment that is mapped do without its file, which is to be closed: a
// log can have more segments than a process files. What is mapped stays.
func (s *segment) letGo() io.Closer {
	if !s.sealed || s.unsecured != nil || s.memory == nil {
		return noFile{}
	}
	file := s.file
	s.file = nil
	return file
}

// noFile needs no closing.
type noFile struct{}

func (noFile) Close() error { return nil }

// leave closes the file of a segment that was found among many, until it is used again.
func (s *segment) leave() error {
	if parked, ok := s.file.(*disk.Parked); ok && s.crowded {
		return parked.Leave()
	}
	return nil
}

// mapFile makes at least size bytes of the file memory.
func (s *segment) mapFile(size int64) error {
	if s.output == nil && s.memory != nil && int64(len(s.memory.Bytes())) >= size {
		return nil
	}
	memory, err := s.file.Map(size)
	if err == nil {
		s.memory, s.output = memory, nil
	}
	return err
}

// mapForReads has single entries read from memory, a page at a time, where that can be
// had: Readers read the file.
func (s *segment) mapForReads(size int64) {
	if s.mapFile(size) == nil {
		s.memory.Random()
	}
}

// newSalt returns a random number, as ids and salts are.
func newSalt() uint64 {
	var b [8]byte
	rand.Read(b[:]) // never fails
	return binary.LittleEndian.Uint64(b[:])
}

// reserve makes the file at least size bytes long, so that what is stored or written
// there finds its space.
func (s *segment) reserve(size int64) error {
	if s.output != nil {
		size = s.output.up(size)
	}
	if size <= s.size.Load() {
		return nil
	}
	err := s.file.Reserve(size)
	if errors.Is(err, errors.ErrUnsupported) {
		err = writeZeros(s.file, s.size.Load(), size)
	}
	if err == nil {
		s.size.Store(size)
	}
	return err
}

// maxOffset is the highest offset that a table can hold.
const maxOffset = math.MaxUint32

// scannable is up to where a segment's file can have records. A file can be said to
// be larger, by damage.
func (s *segment) scannable() int64 { return min(s.size.Load(), maxOffset) }

func writeZeros(file disk.File, from, to int64) error {
	for from < to {
		n := min(to-from, disk.MostZeros)
		if _, err := file.WriteAt(disk.Zeros()[:n], from); err != nil {
			return err
		}
		from += n
	}
	return nil
}

// index returns the segment with its table: it takes no memory then. Nobody may
// add to a segment any more.
func (s *segment) index() (*segment, error) {
	if s.unsecured != nil {
		return nil, s.unsecured
	}
	if err := s.output.leaveDirect(s.end); err != nil {
		return nil, err
	}
	size, sum, err := s.writeTable()
	if err != nil {
		return nil, err
	}
	indexed := &segment{header: s.header, seed: s.seed, file: s.file, path: s.path,
		count: s.entries(), end: s.end, tableSum: sum}
	indexed.size.Store(max(s.size.Load(), s.end+size))
	if s.output == nil {
		indexed.memory = s.memory
	}
	indexed.measure()
	indexed.mapForReads(s.end + size)
	return indexed, nil
}

// seal returns a segment that has a table as it is with a trailer. That is
// written when everything before it is safe, and flushed has been called to
// make the rest of the log so, since it vouches for that. A seal that failed
// without a flushError can be tried again; the segment stays as it was.
func (s *segment) seal(flushed func() error) (*segment, error) {
	if err := both(flush(s.file), flushed()); err != nil {
		return nil, err
	}
	if err := s.writeTrailer(); err != nil {
		return nil, err
	}
	sealed := &segment{header: s.header, seed: s.seed, file: s.file, path: s.path, memory: s.memory}
	sealed.take(s.trailer(), s.end+tableSize(s.count)+blockSize)
	return sealed, nil
}

// trailer is the trailer of a segment that has a table.
func (s *segment) trailer() trailer {
	return trailer{header: s.header, count: s.count, dataEnd: uint64(s.end), tableSum: s.tableSum}
}

// writeTrailer writes the trailer, makes the file end there, and flushes that.
func (s *segment) writeTrailer() error {
	at := s.end + tableSize(s.count)
	if _, err := s.file.WriteAt(s.trailer().block(), at); err != nil {
		return err
	}
	if err := s.file.Truncate(at + blockSize); err != nil {
		return err
	}
	return flush(s.file)
}

// indexAndSeal is both, one after the other.
func (s *segment) indexAndSeal(flushed func() error) (*segment, error) {
	indexed, err := s.index()
	if err != nil {
		return nil, err
	}
	return indexed.seal(flushed)
}

// take makes the segment the sealed one that the trailer tells of.
func (s *segment) take(t trailer, size int64) {
	s.sealed, s.count, s.end, s.tableSum, s.offsets = true, t.count, int64(t.dataEnd), t.tableSum, nil
	s.measure()
	s.size.Store(size)
}

// measure finds out where records start that are all of one size. A mark may stand
// before them. Other marks, and other sizes that come out even, make it wrong: what is
// read on its word has to prove that it is the entry that was meant.
func (s *segment) measure() {
	for _, start := range []int64{recordsStart, recordsStart + markSize} {
		if size := uint64(s.end - start); s.count > 0 && s.end > start && size%s.count == 0 {
			s.start, s.stride = start, int64(size/s.count)
			return
		}
	}
}

// tablePiece is how many entries of a table are written at once.
const tablePiece = 16 << 10

// writeTable writes the table of offsets behind the last record.
func (s *segment) writeTable() (size int64, sum uint32, err error) {
	n := s.entries()
	size = tableSize(n)
	b := make([]byte, 0, min(4*tablePiece, size))
	for i := uint64(0); i < n; i += tablePiece {
		b = b[:0]
		for j := i; j < min(i+tablePiece, n); j++ {
			b = binary.LittleEndian.AppendUint32(b, uint32(s.offsets.at(j)))
		}
		for len(b)%alignment != 0 {
			b = append(b, 0)
		}
		sum = crc32.Update(sum, castagnoli, b)
		if _, err := s.file.WriteAt(b, s.end+4*int64(i)); err != nil {
			return 0, 0, err
		}
	}
	return size, sum, nil
}

// mayStart reports whether a record can start at off and end before limit.
func mayStart(off, limit int64) bool {
	return off >= recordsStart && off <= limit-recordHeaderSize && off%alignment == 0
}

// firstRead is how much of a record is read before its length is known.
const firstRead = 512

// read returns the value of the entry at index, whose record starts at off and
// ends before limit, by reading the file.
func (s *segment) read(index uint64, off, limit int64) ([]byte, error) {
	if !mayStart(off, limit) {
		return nil, s.corrupt(index, off, "segment's table of entries is damaged")
	}
	b, err := s.bytes(off, min(firstRead, limit-off))
	if err != nil {
		return nil, err
	}
	if r, ok := parseHead(b); ok && r.size > int64(len(b)) && r.size <= limit-off {
		if b, err = s.bytes(off, r.size); err != nil {
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

// ReadAt reads what was written to the segment, as io.ReaderAt has it: of one that is
// written directly, what is safe.
func (s *segment) ReadAt(b []byte, off int64) (n int, err error) {
	for n < len(b) {
		part, err := s.bytes(off+int64(n), int64(len(b)-n))
		if err != nil {
			return n, err
		}
		if len(part) == 0 {
			return n, io.EOF
		}
		n += copy(b[n:], part)
	}
	return n, nil
}

// bytes reads n bytes of what was written, fewer where that ends.
func (s *segment) bytes(off, n int64) ([]byte, error) {
	if s.output != nil {
		return s.output.read(off, n)
	}
	if s.file == nil {
		return s.memory.Copy(off, n), nil
	}
	b := make([]byte, n)
	read, err := s.file.ReadAt(b, off)
	return b[:read], unlessEnd(err)
}

// place returns where the record of an entry starts, and where the segment's
// records end at the latest.
func (s *segment) place(index uint64) (off, limit int64, err error) {
	if s.offsets != nil {
		return s.offsets.at(index - s.base), s.size.Load(), nil
	}
	b, err := s.bytes(s.end+4*int64(index-s.base), 4)
	if err != nil || len(b) < 4 {
		return 0, s.end, err
	}
	return int64(binary.LittleEndian.Uint32(b)), s.end, nil
}

// lost is what reading an entry that a repair gave up says.
func (s *segment) lost(index uint64, off int64) *CorruptError {
	return &CorruptError{Path: s.path, Index: index, Offset: off, Reason: "lost before a repair", Lost: true}
}

func (s *segment) corrupt(index uint64, off int64, reason string) *CorruptError {
	return &CorruptError{Path: s.path, Index: index, Offset: off, Reason: reason}
}

// loadSegment reads what a segment's file says of itself, its base included if it
// does. The file may have another name for the moment.
func loadSegment(dir disk.Dir, name, fileName string) (*segment, error) {
	file, err := dir.Open(fileName)
	if err != nil {
		return nil, err
	}
	base, _ := baseOf(name)
	s := newSegment(header{base: base}, disk.Park(dir, fileName, file), dir.Path(fileName))
	if err := s.load(); err != nil {
		return nil, both(err, file.Close())
	}
	return s, nil
}

func (s *segment) load() error {
	size, err := s.file.Size()
	if err != nil {
		return err
	}
	s.size.Store(size)
	b := make([]byte, recordsStart)
	if _, err := s.file.ReadAt(b, 0); unlessEnd(err) != nil {
		return err
	}
	s.takeHeader(b[:blockSize], b[blockSize:])
	t, sealed, err := s.readTrailer()
	switch {
	case err != nil || s.headless():
		return err
	case sealed && t.id == s.id && t.salt == s.salt:
		s.base, s.told = t.base, true
		s.take(t, size)
		return nil
	}
	return s.readBase()
}

// readBase takes the base from the first record, if that is intact. It has the low
// half only: the base is the one next to what the name tells.
func (s *segment) readBase() error {
	r, ok, err := newScan(s.file, s.header, min(s.size.Load(), maxOffset)).read(recordsStart)
	if err == nil && ok {
		s.base += uint64(int64(int32(r.index - uint32(s.base))))
		s.told = true
	}
	return err
}

// takeHeader takes the header from the first of its copies that is intact.
func (s *segment) takeHeader(copies ...[]byte) {
	for _, b := range copies {
		h, reason := parseHeader(b)
		if reason == "" && s.headless() {
			h.base = s.base
			s.header, s.seed = h, h.seed()
		}
		if s.flaw == "" {
			s.flaw = reason
		}
	}
}

// readTrailer reports false if the segment has no trailer, or a damaged one.
func (s *segment) readTrailer() (t trailer, ok bool, err error) {
	size := s.size.Load()
	at := size - blockSize
	if at < recordsStart {
		return trailer{}, false, nil
	}
	b := make([]byte, blockSize)
	if _, err := s.file.ReadAt(b, at); unlessEnd(err) != nil {
		return trailer{}, false, err
	}
	t, reason := parseTrailer(b)
	return t, reason == "" && t.fits(at), nil
}

// fits reports whether a trailer at an offset can be true: its segment is no larger than
// any can be, and has the bytes for as many records and such a table. Its checksum does
// not tell, since whoever forges one puts it right.
func (t trailer) fits(at int64) bool {
	return t.dataEnd >= recordsStart && t.dataEnd <= maxOffset &&
		t.count <= (t.dataEnd-recordsStart)/uint64(recordSize(0)) &&
		t.count <= math.MaxUint64-t.base &&
		int64(t.dataEnd)+tableSize(t.count) == at
}
