package remote

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// A frame is a message in a packet, or the answer to one: kind, length, payload.

func appendFrame(to []byte, kind uint64, payload []byte) []byte {
	to = binary.AppendUvarint(to, kind)
	to = binary.AppendUvarint(to, uint64(len(payload)))
	return append(to, payload...)
}

// frameSize is how many bytes a frame has at most.
func frameSize(payload []byte) int { return len(payload) + 2*binary.MaxVarintLen32 }

var errFrame = errors.New("a frame is damaged")

// cutFrame cuts the first frame off. What it returns is a part of frames.
func cutFrame(frames []byte) (kind uint64, payload, rest []byte, err error) {
	kind, frames, err = cutVarint(frames)
	if err != nil {
		return 0, nil, nil, err
	}
	length, frames, err := cutVarint(frames)
	switch {
	case err != nil:
		return 0, nil, nil, err
	case length > uint64(len(frames)):
		return 0, nil, nil, fmt.Errorf("%w: %d bytes follow where it says %d", errFrame, len(frames), length)
	}
	return kind, frames[:length:length], frames[length:], nil
}

func cutVarint(b []byte) (uint64, []byte, error) {
	if len(b) > 0 && b[0] < 0x80 {
		return uint64(b[0]), b[1:], nil
	}
	v, n := binary.Uvarint(b)
	if n <= 0 {
		return 0, nil, fmt.Errorf("%w: its head does not end", errFrame)
	}
	return v, b[n:], nil
}
