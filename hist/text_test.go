package hist

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestTextRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := record(latencies(0).Draw(t, "values"))
		text, _ := h.MarshalText()
		got := record([]int64{77})
		if err := got.UnmarshalText(text); err != nil {
			t.Fatal(err)
		}
		if !got.Equal(h) {
			t.Errorf("%s decodes to another histogram", text)
		}
	})
}

func TestDecodedMergesExactly(t *testing.T) {
	a, b := []int64{3, 90_000}, []int64{1, 1 << 40}
	text, _ := record(b).MarshalText()
	var decoded Histogram
	if err := decoded.UnmarshalText(text); err != nil {
		t.Fatal(err)
	}
	h := record(a)
	h.Merge(&decoded)
	if !h.Equal(record(slices.Concat(a, b))) {
		t.Errorf("count %d sum %d min %d max %d", h.Count(), h.Sum(), h.Min(), h.Max())
	}
}

// The text is part of published files: it changes only with the version byte.
func TestTextIsStable(t *testing.T) {
	text, _ := record([]int64{5, 5, 300}).MarshalText()
	want := encode(1, 310, 5, 300, 5, 2, 272, 1)
	if string(text) != want || want != "AbYCBawCBQKQAgE" {
		t.Errorf("text %s, want %s", text, want)
	}
}

func TestJSONFindsTheText(t *testing.T) {
	h := record([]int64{5})
	want, _ := h.MarshalText()
	for _, v := range []any{h, *h} {
		got, err := json.Marshal(v)
		if err != nil || string(got) != `"`+string(want)+`"` {
			t.Errorf("%s, %v", got, err)
		}
	}
}

// encode writes any numbers the way MarshalText writes good ones.
func encode(version byte, numbers ...uint64) string {
	raw := []byte{version}
	for _, n := range numbers {
		raw = binary.AppendUvarint(raw, n)
	}
	return base64.RawStdEncoding.EncodeToString(raw)
}

func TestUnmarshalRejectsGarbage(t *testing.T) {
	long := base64.RawStdEncoding.EncodeToString(append([]byte{1}, bytes.Repeat([]byte{0xff}, 11)...))
	for _, c := range []struct{ text, want string }{
		{"", "empty text"},
		{"!", "illegal base64"},
		{encode(2), "version 2, want 1"},
		{encode(1), "sum cut short"},
		{encode(1, 5, 5), "max cut short"},
		{encode(1, 5, 5, 5, 5), "count cut short"},
		{long, "sum beyond 64 bits"},
		{encode(1, 0, 5, 0), "without counts"},
		{encode(1, 5, 5, 5, 5, 0), "bucket 5 with count 0"},
		{encode(1, 5, 5, 5, 4096, 1), "bucket beyond the last"},
		{encode(1, 5, 5, 5, math.MaxUint64, 1), "bucket beyond the last"},
		{encode(1, 5, 5, 5, 4095, 1, 0, 1), "bucket beyond the last"},
		{encode(1, 5, 5, 5, 5, math.MaxUint64, 0, 1), "counts beyond 64 bits"},
		{encode(1, 5, 6, 5, 5, 1), "min 6 ns, max 5 ns"},
		{encode(1, 5, 5, math.MaxUint64, 5, 1), "min 5 ns, max 18446744073709551615 ns"},
		{encode(1, 5, 4, 5, 5, 1), "first bucket in use is 5"},
		{encode(1, 5, 5, 6, 5, 1), "last bucket in use is 5"},
		{encode(1, 11, 5, 5, 5, 2), "sum 11 ns of 2 latencies"},
		{encode(1, 9, 5, 5, 5, 2), "sum 9 ns of 2 latencies"},
	} {
		h := record([]int64{42})
		err := h.UnmarshalText([]byte(c.text))
		if err == nil || !strings.HasPrefix(err.Error(), "histogram: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error %v, want %q", c.text, err, c.want)
		}
		if !h.Equal(record([]int64{42})) {
			t.Errorf("%q: the error changed the histogram", c.text)
		}
	}
}

func FuzzUnmarshalText(f *testing.F) {
	for _, values := range [][]int64{nil, {0}, {5, 5, 300}, {1 << 38, math.MaxInt64}} {
		text, _ := record(values).MarshalText()
		f.Add(string(text))
	}
	f.Add("")
	f.Add("AQ")
	f.Add(encode(1, 5, 5, 5, math.MaxUint64, 1))
	f.Add(encode(1, 5, 5, 5, 5, math.MaxUint64, 0, 1))
	f.Fuzz(func(t *testing.T, text string) {
		var h, again Histogram
		if h.UnmarshalText([]byte(text)) != nil {
			return
		}
		h.Quantile(0.99)
		back, _ := h.MarshalText()
		if err := again.UnmarshalText(back); err != nil || !again.Equal(&h) {
			t.Errorf("%q is accepted, its own text %s is not the same: %v", text, back, err)
		}
	})
}

func TestBinaryIsTheTextWithoutBase64(t *testing.T) {
	var h, back Histogram
	for ns := int64(1); ns < 1<<40; ns = ns*3 + 1 {
		h.RecordN(ns, uint64(ns))
	}
	raw, _ := h.MarshalBinary()
	text, _ := h.MarshalText()
	if got := base64.RawStdEncoding.EncodeToString(raw); got != string(text) {
		t.Errorf("text %s, binary in base64 %s", text, got)
	}
	if err := back.UnmarshalBinary(raw); err != nil || !back.Equal(&h) {
		t.Errorf("read back: %v, equal %v", err, back.Equal(&h))
	}
	if err := back.UnmarshalBinary(raw[:len(raw)-1]); err == nil || !back.Equal(&h) {
		t.Error("a form that is cut short was taken")
	}
}
