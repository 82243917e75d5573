package commitlog

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
)

// The file starts with a header, then come the records, all little endian.
//
//	header: magic [8]byte, version uint32, salt uint64, crc uint32
//	record: crc uint32, index uint64, lag uint32, length uint32,
//	        value crc uint32, value [length]byte
//
// The first checksum of a record covers salt, index, lag, length and value
// crc. The salt is random for each file: bytes of another log, or a copy of
// this one inside a value, are never taken for a record of this file.
//
// The lag says how many of the records before this one were not yet safe by
// the log's own promise when this one was written. It tells damage from a
// torn tail: a record that a later one calls safe must be there.
const (
	fileMagic        = "\x89synclog"
	fileVersion      = 1
	fileHeaderSize   = 8 + 4 + 8 + 4
	recordHeaderSize = 4 + 8 + 4 + 4 + 4
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// A recordHeader is what stands before each value.
type recordHeader struct {
	index    uint64
	lag      uint32
	length   uint32
	valueSum uint32
}

// safe is the number of entries that were safe when the record was written.
func (h recordHeader) safe() uint64 { return h.index - uint64(h.lag) }

// headerSum continues the salt's checksum over a header without its crc.
func headerSum(salt uint64, fields []byte) uint32 {
	var seed [8]byte
	binary.LittleEndian.PutUint64(seed[:], salt)
	return crc32.Update(checksum(seed[:]), castagnoli, fields)
}

// appendRecord adds the record of value to buf.
func appendRecord(buf []byte, salt, index uint64, lag uint32, value []byte) []byte {
	start := len(buf)
	order := binary.LittleEndian
	buf = append(buf, 0, 0, 0, 0)
	buf = order.AppendUint64(buf, index)
	buf = order.AppendUint32(buf, lag)
	buf = order.AppendUint32(buf, uint32(len(value)))
	buf = order.AppendUint32(buf, checksum(value))
	order.PutUint32(buf[start:], headerSum(salt, buf[start+4:]))
	return append(buf, value...)
}

// parseRecordHeader reports false if b is not a header of this file.
func parseRecordHeader(salt uint64, b []byte) (recordHeader, bool) {
	order := binary.LittleEndian
	b = b[:recordHeaderSize]
	h := recordHeader{
		index:    order.Uint64(b[4:]),
		lag:      order.Uint32(b[12:]),
		length:   order.Uint32(b[16:]),
		valueSum: order.Uint32(b[20:]),
	}
	intact := order.Uint32(b) == headerSum(salt, b[4:])
	return h, intact && h.length <= MaxValueSize && uint64(h.lag) <= h.index
}

// newFileHeader returns the first bytes of a log file.
func newFileHeader(salt uint64) []byte {
	order := binary.LittleEndian
	b := order.AppendUint32([]byte(fileMagic), fileVersion)
	b = order.AppendUint64(b, salt)
	return order.AppendUint32(b, checksum(b))
}

// parseFileHeader returns the salt, or the reason why b is not a header.
func parseFileHeader(b []byte) (salt uint64, reason string) {
	order := binary.LittleEndian
	switch {
	case len(b) < fileHeaderSize || !bytes.HasPrefix(b, []byte(fileMagic)):
		return 0, "not a log file"
	case order.Uint32(b[20:]) != checksum(b[:20]):
		return 0, "file header has a wrong checksum"
	case order.Uint32(b[8:]) != fileVersion:
		return 0, "file has a format version that is not known here"
	}
	return order.Uint64(b[12:]), ""
}

// unfinishedHeader reports whether b, a whole file, is what a crash can leave
// of a file whose header was being written: a beginning of it, or zeros.
func unfinishedHeader(b []byte) bool {
	if len(b) > fileHeaderSize {
		return false
	}
	fixed := newFileHeader(0)[:12]
	n := min(len(b), len(fixed))
	begun := len(b) < fileHeaderSize && bytes.Equal(b[:n], fixed[:n])
	return begun || len(bytes.Trim(b, "\x00")) == 0
}
