package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// header is how many bytes of a value name its append.
const header = 12

// encode makes the value of an append: thread and seq, little-endian, and a
// byte that follows from both up to the payload's length. The drivers in other
// languages do the same.
func (a anAppend) encode(payload int) []byte {
	value := bytes.Repeat([]byte{byte(uint64(a.thread)*31 + a.seq)}, max(payload, header))
	binary.LittleEndian.PutUint32(value, uint32(a.thread))
	binary.LittleEndian.PutUint64(value[4:], a.seq)
	return value
}

// decode says whose value it is; an error if nobody's.
func decode(value []byte) (anAppend, error) {
	if len(value) < header {
		return anAppend{}, fmt.Errorf("%d bytes, which nobody appended", len(value))
	}
	a := anAppend{int(binary.LittleEndian.Uint32(value)), binary.LittleEndian.Uint64(value[4:])}
	if !bytes.Equal(value, a.encode(len(value))) {
		return a, fmt.Errorf("value %d of thread %d is damaged", a.seq, a.thread)
	}
	return a, nil
}
