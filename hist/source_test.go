package hist

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"slices"
	"testing"
)

// What Source gives out compiles without the rest of hist, as Go 1.22, and
// imports nothing but math and math/bits.
func TestSourceStandsAlone(t *testing.T) {
	set := token.NewFileSet()
	var files []*ast.File
	names, err := fs.Glob(Source(), "*.go")
	if err != nil || len(names) == 0 {
		t.Fatalf("%d files, %v", len(names), err)
	}
	for _, name := range names {
		text, err := fs.ReadFile(Source(), name)
		if err != nil {
			t.Fatal(err)
		}
		f, err := parser.ParseFile(set, name, text, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range f.Imports {
			if !slices.Contains([]string{`"math"`, `"math/bits"`}, i.Path.Value) {
				t.Errorf("%s imports %s", name, i.Path.Value)
			}
		}
		files = append(files, f)
	}
	alone := types.Config{Importer: importer.ForCompiler(set, "source", nil), GoVersion: "go1.22"}
	if _, err := alone.Check("elsewhere", set, files, nil); err != nil {
		t.Errorf("without the rest of hist: %v", err)
	}
}
