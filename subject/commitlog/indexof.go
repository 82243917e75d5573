package commitlog

import (
	"hash/crc32"
	"io"
)

// Behind damage nobody knows which entry a record is. Its checksum tells, since the index
// is in what that started from: a crc is linear, so that from the bytes and their checksum
// follows where it began. For that, polynomials over the field of two elements are
// multiplied modulo that of crc32c, bits reversed, as in zlib's crc32_combine.

// times multiplies two polynomials.
func times(a, b uint32) (product uint32) {
	for ; a != 0; a <<= 1 {
		if a&(1<<31) != 0 {
			product ^= b
		}
		low := b & 1
		if b >>= 1; low != 0 {
			b ^= crc32.Castagnoli
		}
	}
	return product
}

// powers are a byte more, or a byte less, squared again and again.
type powers [33]uint32

func powersOf(base uint32) (p powers) {
	for i := range p {
		p[i] = base
		base = times(base, base)
	}
	return p
}

var (
	bytesMore = powersOf(1 << (31 - 8)) // x^8
	bytesLess = powersOf(0xfde39562)    // x^-8: that and x^8 make one
)

// shift is what becomes of a checksum's register over n bytes of zeros.
func (p *powers) shift(crc uint32, n int64) uint32 {
	for i := 0; n > 0; i, n = i+1, n>>1 {
		if n&1 != 0 {
			crc = times(crc, p[i])
		}
	}
	return crc
}

// startOf is what crc32.Update has to start from to make sum of n bytes, of which it
// makes zeroSum if it starts from zero.
func startOf(sum, zeroSum uint32, n int64) uint32 { return bytesLess.shift(sum^zeroSum, n) }

// sumsBlock is how many bytes of a file lie between two sums that are kept.
const sumsBlock = 1 << 10

// A sums is the checksums of a file's beginnings, from which those of all pieces follow.
type sums struct {
	file io.ReaderAt
	at   []uint32 // of the first i blocks
	buf  [sumsBlock]byte
}

// newSums reads the file up to an offset.
func newSums(file io.ReaderAt, limit int64) (*sums, error) {
	s := &sums{file: file, at: []uint32{0}}
	b := make([]byte, scanWindow)
	for at := int64(0); at < limit; at += int64(len(b)) {
		n, err := file.ReadAt(b[:min(int64(len(b)), limit-at)], at)
		if unlessEnd(err) != nil {
			return nil, err
		}
		for i := 0; i+sumsBlock <= n; i += sumsBlock {
			s.at = append(s.at, crc32.Update(s.at[len(s.at)-1], castagnoli, b[i:i+sumsBlock]))
		}
		if n < len(b) {
			break
		}
	}
	return s, nil
}

// upTo is the checksum of the file's first n bytes.
func (s *sums) upTo(n int64) (uint32, error) {
	block := min(n/sumsBlock, int64(len(s.at)-1))
	b := s.buf[:min(n-block*sumsBlock, sumsBlock)]
	read, err := s.file.ReadAt(b, block*sumsBlock)
	return crc32.Update(s.at[block], castagnoli, b[:read]), unlessEnd(err)
}

// of is the checksum of the bytes from..to.
func (s *sums) of(from, to int64) (uint32, error) {
	before, err := s.upTo(from)
	if err != nil {
		return 0, err
	}
	all, err := s.upTo(to)
	return all ^ bytesMore.shift(before, to-from), err
}
