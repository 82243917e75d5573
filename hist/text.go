package hist

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
)

// MarshalText returns the compact text form: unpadded standard base64 of what
// [Histogram.MarshalBinary] returns. The error is always nil.
//
// The receiver is a value, so that encoding/json finds the method on a
// histogram it cannot take the address of.
func (h Histogram) MarshalText() ([]byte, error) {
	return base64.RawStdEncoding.AppendEncode(nil, h.appendBinary(nil)), nil
}

// UnmarshalText replaces h by the histogram that text describes. A text that no
// histogram could have written is an error, and h is left as it was.
func (h *Histogram) UnmarshalText(text []byte) error {
	raw, err := base64.RawStdEncoding.Strict().AppendDecode(nil, text)
	if err != nil {
		return fmt.Errorf("histogram: %w", err)
	}
	return h.UnmarshalBinary(raw)
}

// MarshalBinary returns the compact form: a version byte and, as unsigned
// varints, sum, min and max in nanoseconds, and then a pair for each bucket
// that holds something: how many empty buckets lie before it, and its count.
// The error is always nil.
func (h Histogram) MarshalBinary() ([]byte, error) { return h.appendBinary(nil), nil }

// UnmarshalBinary replaces h by the histogram that raw describes. Bytes that no
// histogram could have written are an error, and h is left as it was.
func (h *Histogram) UnmarshalBinary(raw []byte) error {
	decoded, err := decode(raw)
	if err != nil {
		return fmt.Errorf("histogram: %w", err)
	}
	*h = *decoded
	return nil
}

func decode(raw []byte) (*Histogram, error) {
	if len(raw) == 0 {
		return nil, errors.New("empty text")
	}
	if raw[0] != rawVersion {
		return nil, fmt.Errorf("version %d, want %d", raw[0], rawVersion)
	}
	r := varints{rest: raw[1:]}
	sum, low, high := r.next("sum"), r.next("min"), r.next("max")
	h := &Histogram{sum: sum, max: high}
	if err := h.readCounts(&r); err != nil {
		return nil, err
	}
	if h.count > 0 {
		h.notMin = ^low
	}
	if err := h.check(low); err != nil {
		return nil, err
	}
	return h, nil
}

// readCounts fills the buckets from the pairs that are left in r.
func (h *Histogram) readCounts(r *varints) error {
	for i := uint64(0); len(r.rest) > 0 && r.err == nil; i++ {
		gap, n := r.next("gap"), r.next("count")
		if r.err != nil {
			break
		}
		if gap >= numBuckets-i {
			return fmt.Errorf("bucket beyond the last, %d", topBucket)
		}
		i += gap
		if n == 0 {
			return fmt.Errorf("bucket %d with count 0", i)
		}
		if h.count+n < n {
			return errors.New("counts beyond 64 bits")
		}
		h.counts[i] = n
		h.count += n
	}
	return r.err
}

// check reports what in h cannot come from recording; low is the min as read.
func (h *Histogram) check(low uint64) error {
	if h.count == 0 {
		if h.sum != 0 || low != 0 || h.max != 0 {
			return errors.New("sum, min or max without counts")
		}
		return nil
	}
	if low > h.max || h.max > math.MaxInt64 {
		return fmt.Errorf("min %d ns, max %d ns", low, h.max)
	}
	if got, want := bucketOf(low), h.bucketAt(1); got != want {
		return fmt.Errorf("min %d ns, but the first bucket in use is %d", low, want)
	}
	if got, want := bucketOf(h.max), h.bucketAt(h.count); got != want {
		return fmt.Errorf("max %d ns, but the last bucket in use is %d", h.max, want)
	}
	return h.checkSum(low)
}

// checkSum holds the sum against count·min and count·max. A count·max of 2^64
// or more says nothing, since sums are kept modulo 2^64.
func (h *Histogram) checkSum(low uint64) error {
	carry, most := bits.Mul64(h.count, h.max)
	if carry == 0 && (h.sum > most || h.sum < h.count*low) {
		return fmt.Errorf("sum %d ns of %d latencies of %d to %d ns", h.sum, h.count, low, h.max)
	}
	return nil
}

// varints reads unsigned varints one after another; after the first bad one it
// keeps the error and gives 0.
type varints struct {
	rest []byte
	err  error
}

func (r *varints) next(what string) uint64 {
	if r.err != nil {
		return 0
	}
	v, n := binary.Uvarint(r.rest)
	switch {
	case n == 0:
		r.err = fmt.Errorf("%s cut short", what)
	case n < 0:
		r.err = fmt.Errorf("%s beyond 64 bits", what)
	default:
		r.rest = r.rest[n:]
	}
	return v
}
