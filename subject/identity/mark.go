package identity

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/syncwrite/syncwrite/subject/commitlog"
)

// A mark is what the log of a kept server says: none of its replica's identities above
// reserved was handed out yet. Each entry says all, so that the last one is enough.
type mark struct {
	replica  Replica
	instance Instance
	starts   uint64 // how often the directory was opened
	reserved uint64 // how many of the replica's identities
}

// Instance tells a directory from all others.
type Instance [16]byte

// Session tells one opening of a directory from all others, those of copies too.
type Session [16]byte

const (
	markVersion = 1
	markSize    = 1 + 8 + 8 + len(Instance{}) + 8 + 8
)

var errMark = errors.New("not an entry of a server of identities")

// write has the disk keep the mark before it returns. It appends it twice: what is damaged in
// the last entry behind a crash looks like an append that did not come to its end, and the
// log opens without it.
func (m mark) write(log *commitlog.File) error {
	entry := m.encode()
	for range 2 {
		if _, err := log.Append(entry); err != nil {
			return err
		}
	}
	return nil
}

func (m mark) encode() []byte {
	entry := append(make([]byte, 0, markSize), markVersion)
	entry = binary.LittleEndian.AppendUint64(entry, m.replica.Number)
	entry = binary.LittleEndian.AppendUint64(entry, m.replica.Of)
	entry = append(entry, m.instance[:]...)
	entry = binary.LittleEndian.AppendUint64(entry, m.starts)
	return binary.LittleEndian.AppendUint64(entry, m.reserved)
}

func decodeMark(entry []byte) (m mark, err error) {
	if len(entry) != markSize || entry[0] != markVersion {
		return m, errMark
	}
	m.replica = Replica{binary.LittleEndian.Uint64(entry[1:]), binary.LittleEndian.Uint64(entry[9:])}
	copy(m.instance[:], entry[17:])
	rest := entry[17+len(m.instance):]
	m.starts, m.reserved = binary.LittleEndian.Uint64(rest), binary.LittleEndian.Uint64(rest[8:])
	if _, err := m.replica.check(); err != nil {
		return m, fmt.Errorf("%w: %w", errMark, err)
	}
	if m.reserved > m.replica.upTo(Max) {
		return m, fmt.Errorf("%w: %d are reserved of %d", errMark, m.reserved, m.replica.upTo(Max))
	}
	return m, nil
}
