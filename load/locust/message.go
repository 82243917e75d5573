package locust

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/vmihailenco/msgpack/v5"
	"github.com/vmihailenco/msgpack/v5/msgpcode"
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
	in := bytes.NewReader(frame)
	v, err := value(msgpack.NewDecoder(in), in, mostDepth)
	if err != nil {
		return m, fmt.Errorf("a message in msgpack: %w", err)
	}
	parts, _ := v.([]any)
	if len(parts) < 2 {
		return m, errors.New("a message that is no list of a type and its data")
	}
	kind, is := parts[0].(string)
	if !is {
		return m, fmt.Errorf("a message whose type is %T", parts[0])
	}
	return message{kind: kind, data: parts[1]}, nil
}

// mostDepth is how many lists and maps can lie in each other.
const mostDepth = 20

var errLength = errors.New("a list or map that is longer than its message")

// value reads a value. Lists and maps are not left to msgpack: it makes place for as many as they say that
// they hold, and five bytes can say four thousand million.
func value(d *msgpack.Decoder, in *bytes.Reader, depth int) (any, error) {
	code, err := d.PeekCode()
	switch {
	case err != nil:
		return nil, err
	case depth == 0:
		return nil, errors.New("lists in lists without end")
	case msgpcode.IsFixedArray(code), code == msgpcode.Array16, code == msgpcode.Array32:
		return list(d, in, depth)
	case msgpcode.IsFixedMap(code), code == msgpcode.Map16, code == msgpcode.Map32:
		return dictionary(d, in, depth)
	}
	return d.DecodeInterfaceLoose()
}

func list(d *msgpack.Decoder, in *bytes.Reader, depth int) (any, error) {
	n, err := d.DecodeArrayLen()
	if err == nil && n > in.Len() {
		err = errLength
	}
	var all []any
	for i := 0; err == nil && i < n; i++ {
		var v any
		v, err = value(d, in, depth-1)
		all = append(all, v)
	}
	return all, err
}

// dictionary reads a map, whose keys are texts or numbers.
func dictionary(d *msgpack.Decoder, in *bytes.Reader, depth int) (any, error) {
	n, err := d.DecodeMapLen()
	if err == nil && n > in.Len() {
		err = errLength
	}
	all := map[any]any{}
	for i := 0; err == nil && i < n; i++ {
		var k, v any
		if k, err = value(d, in, 1); err != nil {
			return nil, err
		}
		switch k.(type) {
		case string, int64, uint64, float64:
		default:
			return nil, fmt.Errorf("a map whose key is %T", k)
		}
		v, err = value(d, in, depth-1)
		all[k] = v
	}
	return all, err
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
