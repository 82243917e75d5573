package hist

// rawVersion is the first byte of the binary form; a changed layout of buckets
// or bytes takes the next number.
const rawVersion = 1

// appendBinary appends the form that MarshalBinary describes.
func (h *Histogram) appendBinary(raw []byte) []byte {
	raw = append(raw, rawVersion)
	raw = appendVarint(raw, h.sum)
	raw = appendVarint(raw, uint64(h.Min()))
	raw = appendVarint(raw, h.max)
	next := 0
	for i, n := range h.counts {
		if n == 0 {
			continue
		}
		raw = appendVarint(raw, uint64(i-next))
		raw = appendVarint(raw, n)
		next = i + 1
	}
	return raw
}

// appendVarint appends v as encoding/binary writes an unsigned varint.
func appendVarint(raw []byte, v uint64) []byte {
	for v >= 1<<7 {
		raw = append(raw, byte(v)|1<<7)
		v >>= 7
	}
	return append(raw, byte(v))
}
