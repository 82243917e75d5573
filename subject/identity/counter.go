package identity

import "fmt"

// A counter is the last identity that was handed out, or raised to. It has no guard.
type counter struct{ last uint64 }

// next hands out n identities, and returns the first.
func (c *counter) next(n uint64) (first uint64, err error) {
	first, c.last, err = advance(c.last, n)
	return first, err
}

func (c *counter) raise(id uint64) error {
	if err := inRange(id); err != nil {
		return err
	}
	c.last = max(c.last, id)
	return nil
}

// advance returns the first of n identities above last, and the last of them. After an
// error it is where it was.
func advance(last, n uint64) (first, end uint64, err error) {
	if n == 0 {
		return 0, last, fmt.Errorf("next 0: %w", ErrCount)
	}
	if n > Max-last {
		return 0, last, fmt.Errorf("next %d behind %d: %w", n, last, ErrExhausted)
	}
	return last + 1, last + n, nil
}

func inRange(id uint64) error {
	if id > Max {
		return fmt.Errorf("update %d: %w: the highest is %d", id, ErrRange, uint64(Max))
	}
	return nil
}
