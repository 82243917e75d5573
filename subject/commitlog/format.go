package commitlog

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
)

// A log is a directory:
//
//	manifest              which entries are in the log, beyond what the segments say
//	<base index>.segment  a run of entries, the first of which has this index
//	spare                 becomes the next segment; it holds no entry
//	lock                  held by the one writer
//
// A segment is a header, the same once more, records, and zeros that were
// prepared for more. The header is there twice because nothing can be read
// without it, and it is safe before the segment gets its name. When it is full
// the next one takes over, and it is sealed beside that: a table is put behind
// its records,
//
//	table    uint32 for each entry: where its record starts, in bytes
//	         zeros up to a multiple of eight
//	trailer
//
// everything is flushed, and then the trailer is written and flushed. Segments
// are sealed in order, so that a trailer vouches for all entries up to its own.
// Header, trailer and manifest are blocks of 64 bytes that end with a crc32c of
// the rest; all numbers are little endian.
const (
	formatVersion = 3

	blockSize    = 64
	recordsStart = 2 * blockSize
	headerMagic  = "\x89synclog"
	trailerMagic = "\x89synclnd"
	manifestMark = "\x89synclmf"

	lockName        = "lock"
	spareName       = "spare"
	manifestName    = "manifest"
	newManifestName = "manifest.new"
	segmentSuffix   = ".segment"
	againSuffix     = ".again" // of a segment that is given its name once more
)

// unlimited is the limit of a log whose end is where its last record is.
const unlimited = math.MaxUint64

// A manifest says which entries belong to the log.
type manifest struct {
	id    uint64 // of the log; every segment names it
	first uint64 // the entries below were truncated
	limit uint64 // the entries from here on are being truncated; unlimited if none
	known uint64 // the entries below had been flushed when this was written; 0 if nothing is known
}

// A header is what a segment begins with, but for its base, which is its name.
// The salt is random: records of another segment, or of this file in an earlier
// life, do not match it.
type header struct{ id, base, salt uint64 }

// A trailer is what a sealed segment ends with.
type trailer struct {
	header
	count    uint64 // entries
	dataEnd  uint64 // behind the last record, in bytes
	tableSum uint32 // crc32c of the table
}

// seed is what the checksums of the segment's records start from.
func (h header) seed() uint32 {
	var b [16]byte
	binary.LittleEndian.PutUint64(b[:], h.id)
	binary.LittleEndian.PutUint64(b[8:], h.salt)
	return checksum(b[:])
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
	case len(b) < blockSize || !bytes.HasPrefix(b, []byte(magic)):
		return 0, "not a " + what
	case order.Uint32(b[blockSize-4:]) != checksum(b[:blockSize-4]):
		return 0, what + " has a wrong checksum"
	case order.Uint32(b[8:]) != formatVersion:
		return 0, fmt.Sprintf("%s has format version %d; this is version %d", what, order.Uint32(b[8:]), formatVersion)
	}
	for i, field := range fields {
		*field = order.Uint64(b[16+8*i:])
	}
	return order.Uint32(b[12:]), ""
}

func (m manifest) block() []byte { return newBlock(manifestMark, 0, m.id, m.first, m.limit, m.known) }

func (h header) block() []byte { return newBlock(headerMagic, 0, h.id, h.salt) }

func (t trailer) block() []byte {
	return newBlock(trailerMagic, t.tableSum, t.id, t.base, t.salt, t.count, t.dataEnd)
}

func parseManifest(b []byte) (m manifest, reason string) {
	_, reason = parseBlock(b, manifestMark, "manifest", &m.id, &m.first, &m.limit, &m.known)
	if reason == "" && m.limit < max(m.first, m.known) {
		reason = "manifest contradicts itself"
	}
	return m, reason
}

// parseHeader leaves the base alone.
func parseHeader(b []byte) (h header, reason string) {
	_, reason = parseBlock(b, headerMagic, "segment header", &h.id, &h.salt)
	return h, reason
}

func parseTrailer(b []byte) (t trailer, reason string) {
	t.tableSum, reason = parseBlock(b, trailerMagic, "segment trailer", &t.id, &t.base, &t.salt, &t.count, &t.dataEnd)
	return t, reason
}

// tableSize is the size of the table of a sealed segment, padding included.
func tableSize(entries uint64) int64 { return aligned(4 * int64(entries)) }

// segmentName is the name of the segment whose first entry has index base.
func segmentName(base uint64) string { return fmt.Sprintf("%020d%s", base, segmentSuffix) }

// baseOf reads a segment's name. It reports false for any other file's.
func baseOf(name string) (base uint64, ok bool) {
	digits, found := strings.CutSuffix(name, segmentSuffix)
	if !found {
		return 0, false
	}
	if _, err := fmt.Sscanf(digits, "%d", &base); err != nil {
		return 0, false
	}
	return base, segmentName(base) == name
}
