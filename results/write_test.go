package results

import (
	"bytes"
	"testing"
)

// A run of two parts comes back as it was, findings or not behind it.
func TestARunComesBack(t *testing.T) {
	want := read(t, realFile(t))
	more := read(t, bytes.Replace(realFile(t), []byte(`"start":"2`), []byte(`"start":"1`), 1))
	want.Merge(more)
	var file bytes.Buffer
	if err := Write(&file, want); err != nil {
		t.Fatal(err)
	}
	if err := NewWriter(&file).WriteFindings([]Finding{{Summaries: []Summary{{Variant: "v"}}}}); err != nil {
		t.Fatal(err)
	}
	var again bytes.Buffer
	got := read(t, file.Bytes())
	if err := Write(&again, got); err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(file.Bytes(), again.Bytes()) || len(got.Envs) != 2 || len(got.Trials) != len(want.Trials) || len(got.Ends) != 2 {
		t.Errorf("%d envs, %d trials, %d ends came back", len(got.Envs), len(got.Trials), len(got.Ends))
	}
}
