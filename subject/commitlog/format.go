package commitlog

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// A log is a directory:
//
//	manifest          which entries are in the log, beyond what the segments say
//	<number>.segment  a run of entries
//	lock              held by the one writer
//
// A segment is a header, records, and zeros that were prepared for more. The file's name is
// safe before any entry; the header comes with the first one. The file that is to come next has
// nothing but zeros. The entries of a segment end where the next one begins, that of the next
// higher number: truncating the log's end makes the next one begin earlier, and changes
// nothing in the files before. When a segment is full it is sealed: behind its records come
//
//	table    uint32 for each entry: where its record starts, in bytes; none if all
//	         records have one size
//	trailer
//
// of which the trailer is written when everything before it is flushed. Segments are
// sealed in order, so that a trailer vouches for all entries up to its own. Headers,
// trailer and manifest are blocks of 64 bytes that end with a crc32c of the rest; all
// numbers are little endian.
const (
	formatVersion = 6
	lastReleased  = 3

	blockSize    = 64
	cutSize      = 16
	baseIn       = 32 // of a header, the bytes before are known of any
	recordsStart = blockSize
	headerMagic  = "\x89synclog"
	trailerMagic = "\x89synclnd"
	manifestMark = "\x89synclmf"

	lockName        = "lock"
	manifestName    = "manifest"
	newManifestName = "manifest.new"
	newSegmentName  = "segment.new" // of one that is not whole yet
	segmentSuffix   = ".segment"
)

// unlimited is the base of a segment that has none yet, and no header either.
const unlimited = math.MaxUint64

// A manifest says which entries belong to the log.
type manifest struct {
	id    uint64 // of the log; every segment names it
	first uint64 // the entries below were truncated
	known uint64 // the entries below had been flushed when this was written; 0 if nothing is known
	cuts  []cut  // where the log's end was truncated, in order; never changed
}

// A cut says that of the entries from an index on those were truncated that are in files with lower numbers
// than another.
type cut struct{ from, since uint64 }

// until is from where on the entries in a file were truncated, whatever files come behind it.
func (m manifest) until(number uint64) uint64 {
	for _, c := range m.cuts {
		if number < c.since {
			return c.from
		}
	}
	return unlimited
}

// numberFor is the least number, from one on, of a file that can have entries below an index.
func (m manifest) numberFor(number, next uint64) uint64 {
	for _, c := range m.cuts {
		if c.from < next {
			number = max(number, c.since)
		}
	}
	return number
}

// cutting returns the manifest with another cut. Left out are those that it covers, and, of those before the first entry,
// all but the last, which covers the others.
func (m manifest) cutting(c cut) manifest {
	cuts := slices.DeleteFunc(slices.Clone(m.cuts), func(old cut) bool { return old.from >= c.from })
	for len(cuts) > 1 && cuts[1].from < m.first {
		cuts = cuts[1:]
	}
	m.cuts = append(cuts, c)
	return m
}

func (m manifest) equal(other manifest) bool { return bytes.Equal(m.bytes(), other.bytes()) }

// A header is what a segment begins with. The number is that of the file's name, unless somebody
// has renamed it: no other file of the log has had it.
type header struct {
	id, number uint64

	base uint64 // the index of the first entry
	safe uint64 // the entries below had been flushed when the segment began
}

// A trailer is what a sealed segment ends with.
type trailer struct {
	mark, base uint64 // of its header

	count    uint64 // entries
	dataEnd  uint64 // behind the last record, in bytes
	tableAt  uint64 // where the table starts; what is between are records that were truncated
	tableSum uint32 // crc32c of the table; 0 if there is none
}

// mark is as good as random, and what records and trailers of another segment do not match. It follows
// from what files beside this one tell, and its name, so that nothing in it is needed to read the others.
func (h header) mark() uint64 {
	sum := sha256.Sum256(binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, h.id), h.number))
	return binary.LittleEndian.Uint64(sum[:])
}

// seed is what the checksums of the segment's records start from.
func (h header) seed() seed {
	mark := h.mark()
	return newSeed(uint32(mark), uint32(mark>>32))
}

// newBlock returns a block with these numbers in it.
func newBlock(magic string, sum uint32, fields ...uint64) []byte {
	b := binary.LittleEndian.AppendUint32([]byte(magic), formatVersion)
	b = binary.LittleEndian.AppendUint32(b, sum)
	for _, field := range fields {
		b = binary.LittleEndian.AppendUint64(b, field)
	}
	b = append(b, make([]byte, blockSize-4-len(b))...)
	return binary.LittleEndian.AppendUint32(b, checksum(b))
}

// parseBlock fills fields with the numbers of a block and returns its first
// one, or the reason why b is no such block.
func parseBlock(b []byte, magic, what string, fields ...*uint64) (sum uint32, reason string) {
	order := binary.LittleEndian
	switch {
	case len(b) < blockSize || !bytes.HasPrefix(b, []byte(magic)) || order.Uint32(b[8:]) != formatVersion:
		return 0, "not a " + what
	case order.Uint32(b[blockSize-4:]) != checksum(b[:blockSize-4]):
		return 0, what + " has a wrong checksum"
	}
	for i, field := range fields {
		*field = order.Uint64(b[16+8*i:])
	}
	return order.Uint32(b[12:]), ""
}

var errFormat = errors.New("log has another format")

// otherFormat returns an error if b is a whole block of another version of the format.
// Whoever has such a log needs another program, and no repair.
func otherFormat(b []byte, magic string) error {
	order := binary.LittleEndian
	if len(b) < blockSize || !bytes.HasPrefix(b, []byte(magic)) || order.Uint32(b[blockSize-4:]) != checksum(b[:blockSize-4]) {
		return nil
	}
	switch version := order.Uint32(b[8:]); {
	case version <= lastReleased:
		return fmt.Errorf("%w: it is %d, which syncwrite v0.1.0 is the last to read, and not %d", errFormat, version, formatVersion)
	case version < formatVersion:
		return fmt.Errorf("%w: it is %d, which no release has written, and not %d", errFormat, version, formatVersion)
	case version > formatVersion:
		return fmt.Errorf("%w: it is %d, of a newer syncwrite, and not %d", errFormat, version, formatVersion)
	}
	return nil
}

// bytes is what the manifest's file has: a block, and the cuts, of which that has a checksum.
func (m manifest) bytes() []byte {
	var cuts []byte
	for _, c := range m.cuts {
		cuts = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(cuts, c.from), c.since)
	}
	return append(newBlock(manifestMark, checksum(cuts), m.id, m.first, m.known, uint64(len(m.cuts))), cuts...)
}

func (h header) block() []byte {
	return newBlock(headerMagic, 0, h.id, h.number, h.base, h.safe)
}

func (t trailer) block() []byte {
	return newBlock(trailerMagic, t.tableSum, t.mark, t.base, t.count, t.dataEnd, t.tableAt)
}

func parseManifest(b []byte) (m manifest, reason string) {
	n := uint64(0)
	sum, reason := parseBlock(b, manifestMark, "manifest", &m.id, &m.first, &m.known, &n)
	if reason != "" {
		return manifest{}, reason
	}
	if b = b[blockSize:]; len(b)%cutSize > 0 || n != uint64(len(b))/cutSize || sum != checksum(b) {
		return manifest{}, "manifest has a wrong checksum"
	}
	for order := binary.LittleEndian; len(b) > 0; b = b[cutSize:] {
		m.cuts = append(m.cuts, cut{order.Uint64(b), order.Uint64(b[8:])})
	}
	return m, ""
}

func parseHeader(b []byte) (h header, reason string) {
	_, reason = parseBlock(b, headerMagic, "segment header", &h.id, &h.number, &h.base, &h.safe)
	return h, reason
}

func parseTrailer(b []byte) (t trailer, reason string) {
	t.tableSum, reason = parseBlock(b, trailerMagic, "segment trailer", &t.mark, &t.base, &t.count, &t.dataEnd, &t.tableAt)
	return t, reason
}

// fits reports whether a trailer at an offset can be true: its segment is no larger than
// any can be, and has the bytes for as many records, and such a table or none. Its
// checksum does not tell, since whoever forges one puts it right.
func (t trailer) fits(at int64) bool {
	if t.dataEnd < recordsStart || t.tableAt < t.dataEnd || t.tableAt > maxOffset || t.count > math.MaxUint64-t.base {
		return false
	}
	size := t.dataEnd - recordsStart
	if t.tableSum == 0 {
		return int64(t.tableAt) == at && (size == 0 && t.count == 0 || t.count > 0 && size%t.count == 0 && size/t.count >= leastRecord)
	}
	return t.count <= size/leastRecord && int64(t.tableAt)+tableSize(t.count) == at
}

// tableSize is the size of a table.
func tableSize(entries uint64) int64 { return 4 * int64(entries) }

// mostNumber is the highest number that a segment's file is looked for by, and made with.
const mostNumber = math.MaxInt64

// farAhead is how far numbers go on where nobody knows how far they had come: further than they come.
const farAhead = 1 << 32

// segmentName is the name of a segment's file.
func segmentName(number uint64) string { return fmt.Sprintf("%020d%s", number, segmentSuffix) }

// numberOf reads a segment's name. It reports false for any other file's.
func numberOf(name string) (number uint64, ok bool) {
	digits, found := strings.CutSuffix(name, segmentSuffix)
	if !found {
		return 0, false
	}
	if _, err := fmt.Sscanf(digits, "%d", &number); err != nil || number > mostNumber {
		return 0, false
	}
	return number, segmentName(number) == name
}
