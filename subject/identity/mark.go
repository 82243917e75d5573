package identity

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/syncwrite/syncwrite/subject/commitlog"
)

// A mark is what the log of a kept server says: none of its replica's identities above
// reserved was handed out yet. Each entry says all, so that the last one is enough.
type mark struct {
	replica  Replica
	instance Instance
	past     []Session // of the last openings, the present one last
	reserved uint64    // how many of the replica's identities
}

// Instance tells a directory from all others that were begun.
type Instance [16]byte

// Session tells one opening of a directory from all others, those of copies too.
type Session [16]byte

// MostPast is of how many openings a directory keeps the sessions.
const MostPast = 256

const (
	markVersion = 2
	markSize    = 1 + 8 + 8 + len(Instance{}) + 8 // and the past
)

var errMark = errors.New("not an entry of a server of identities")

// opened is the past that begins with another opening.
func (m mark) opened(as Session) []Session {
	past := append(slices.Clone(m.past), as)
	return past[max(0, len(past)-MostPast):]
}

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
	entry := append(make([]byte, 0, markSize+len(m.past)*len(Session{})), markVersion)
	entry = binary.LittleEndian.AppendUint64(entry, m.replica.Number)
	entry = binary.LittleEndian.AppendUint64(entry, m.replica.Of)
	entry = append(entry, m.instance[:]...)
	entry = binary.LittleEndian.AppendUint64(entry, m.reserved)
	for _, s := range m.past {
		entry = append(entry, s[:]...)
	}
	return entry
}

func decodeMark(entry []byte) (m mark, err error) {
	if len(entry) < markSize || entry[0] != markVersion {
		return m, errMark
	}
	m.replica = Replica{binary.LittleEndian.Uint64(entry[1:]), binary.LittleEndian.Uint64(entry[9:])}
	copy(m.instance[:], entry[17:])
	m.reserved = binary.LittleEndian.Uint64(entry[17+len(m.instance):])
	past := entry[markSize:]
	if len(past)%len(Session{}) != 0 || len(past) > MostPast*len(Session{}) {
		return m, fmt.Errorf("%w: %d bytes of sessions", errMark, len(past))
	}
	for s := range slices.Chunk(past, len(Session{})) {
		m.past = append(m.past, Session(s))
	}
	if _, err := m.replica.check(); err != nil {
		return m, fmt.Errorf("%w: %w", errMark, err)
	}
	if m.reserved > m.replica.upTo(Max) {
		return m, fmt.Errorf("%w: %d are reserved of %d", errMark, m.reserved, m.replica.upTo(Max))
	}
	return m, nil
}
