package cmd

import (
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/internal/paper"
	"github.com/syncwrite/syncwrite/results"
)

// A catalogue of a user's own is listed as printable as a file of his.
func TestListIsPrintable(t *testing.T) {
	const evil = "\x1b[2J\u202e"
	v := harness.Func("v", results.Promise{Order: "none", Result: "independent", Survives: "nothing"}, func() error { return nil })
	v.About = evil
	catalogue := []harness.Experiment{{
		Name: "e", Question: evil, Variants: []harness.Variant{v},
		Factors: []harness.Factor{{Name: "f", About: evil, Default: evil}},
	}}
	var text, json strings.Builder
	listText(paper.New(&text, 0, false), catalogue)
	if err := listJSON(&json, catalogue); err != nil {
		t.Fatal(err)
	}
	for _, listed := range []string{text.String(), json.String()} {
		if strings.ContainsAny(listed, "\x1b\u202e") || strings.Contains(listed, `\u001b`) || !strings.Contains(listed, `x1b[2J`) {
			t.Errorf("listed %q", listed)
		}
	}
}
