package locust

import (
	"bytes"
	"fmt"

	"github.com/vmihailenco/msgpack/v5"
)

// A message is what masters and workers send each other.
type message struct {
	kind string
	data any
	node string // whom it comes from, or goes to
}

func (m message) encode() ([]byte, error) {
	var b bytes.Buffer
	e := msgpack.NewEncoder(&b)
	e.UseCompactInts(true)
	err := e.Encode([]any{m.kind, m.data, m.node})
	return b.Bytes(), err
}

func decode(frame []byte) (m message, err error) {
	d := msgpack.NewDecoder(bytes.NewReader(frame))
	d.UseLooseInterfaceDecoding(true)
	d.SetMapDecoder(func(d *msgpack.Decoder) (any, error) { return d.DecodeUntypedMap() })
	parts, err := d.DecodeSlice()
	if err != nil {
		return m, fmt.Errorf("a message in msgpack: %w", err)
	}
	if len(parts) < 2 {
		return m, fmt.Errorf("a message of %d parts", len(parts))
	}
	kind, is := parts[0].(string)
	if !is {
		return m, fmt.Errorf("a message whose type is %T", parts[0])
	}
	return message{kind: kind, data: parts[1]}, nil
}

// at is what a message's data holds under a name; nil if it does not.
func (m message) at(name string) any {
	all, _ := m.data.(map[any]any)
	return all[name]
}

// number is a number of msgpack, of whichever kind.
func number(v any) (float64, bool) {
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case uint64:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}

// text is a text of msgpack; empty if it is none.
func text(v any) string {
	s, _ := v.(string)
	return s
}
