package gotest

import (
	"embed"
	"fmt"
	"go/ast"
	"go/token"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/syncwrite/syncwrite/hist"
	"github.com/syncwrite/syncwrite/internal/cause"
	"github.com/syncwrite/syncwrite/internal/cause/profiled"
)

// The recorder is that of package parallel.
//
//go:embed inside.go insidetell.go insidewhy.go insideprofiles.go parallel/lane.go parallel/doubt.go parallel/window.go parallel/calibrate.go parallel/timer.go parallel/totals.go
var inside embed.FS

// prefix keeps our names apart from those of package testing, exported ones
// from its users.
const prefix = "syncwrite"

// addition is what goes behind the code of benchmark.go, and the packages it
// imports.
func addition() (text []byte, imports []string, err error) {
	var parts []*part
	ours := map[string]bool{}
	for _, from := range []struct {
		files fs.FS
		names []string
	}{
		{hist.Source(), glob(hist.Source(), "*.go")},
		{cause.Source(), glob(cause.Source(), "*.go")},
		{profiled.Source(), glob(profiled.Source(), "*.go")},
		{inside, append(glob(inside, "parallel/*.go"), glob(inside, "*.go")...)},
	} {
		for _, name := range from.names {
			p, err := parsePart(from.files, name)
			if err != nil {
				return nil, nil, fmt.Errorf("our own source: %w", err)
			}
			parts = append(parts, p)
			p.declares(ours)
		}
	}
	wanted := map[string]bool{"unsafe": true}
	text = []byte("\n// What follows is not Go's: it was added by syncwrite, for this run of go test.\n")
	for _, p := range parts {
		text = append(text, p.renamed(ours, wanted)...)
	}
	return text, slices.Sorted(maps.Keys(wanted)), nil
}

func glob(files fs.FS, pattern string) []string {
	names, _ := fs.Glob(files, pattern) // only a malformed pattern is an error
	return names
}

// A part is one of our files.
type part struct{ *editor }

func parsePart(files fs.FS, name string) (*part, error) {
	source, err := fs.ReadFile(files, name)
	if err != nil {
		return nil, err
	}
	e, err := newEditor(source)
	if err != nil {
		return nil, err
	}
	return &part{e}, nil
}

// methods of ours on types of package testing get the prefix, too, but for
// those that take the place of one that was there.
var replaced = []string{"RunParallel", "Next"}

// declares adds the names that the part adds to package testing.
func (p *part) declares(ours map[string]bool) {
	for _, d := range p.file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil || p.ofTesting(d) && !slices.Contains(replaced, d.Name.Name) {
				ours[d.Name.Name] = true
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					ours[spec.Name.Name] = true
				case *ast.ValueSpec:
					for _, n := range spec.Names {
						ours[n.Name] = n.Name != "_"
					}
				}
			}
		}
	}
	ours["goRunParallel"], ours["goNext"] = true, true // what the edit calls the old ones
}

func (p *part) ofTesting(f *ast.FuncDecl) bool {
	receiver := p.text(f.Recv.List[0].Type)
	return receiver == "*B" || receiver == "*PB"
}

// renamed is the part without its package clause and imports, our names
// prefixed. It adds the imports to wanted.
func (p *part) renamed(ours, wanted map[string]bool) []byte {
	packages := map[string]bool{}
	for _, i := range p.file.Imports {
		path, _ := strconv.Unquote(i.Path.Value)
		name := path[strings.LastIndexByte(path, '/')+1:]
		packages[name] = true
		if !strings.Contains(path, ".") { // not ours, which is a part itself
			wanted[path] = true
		}
	}
	for _, d := range p.file.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
			p.cut(g.Pos(), g.End())
			continue
		}
		ast.Inspect(d, func(n ast.Node) bool { return p.rename(n, ours, packages) })
	}
	p.linknames(ours)
	p.cut(token.Pos(1), p.file.Name.End()) // up to the package clause
	return append([]byte("\n"), p.apply()...)
}

// rename prefixes one name, and makes hist.X a name of the same package.
func (p *part) rename(n ast.Node, ours, packages map[string]bool) bool {
	switch n := n.(type) {
	case *ast.SelectorExpr:
		x, ok := n.X.(*ast.Ident)
		if !ok || !packages[x.Name] {
			return true
		}
		if x.Name == "hist" {
			p.cut(n.Pos(), n.Sel.Pos())
			p.prefix(n.Sel)
		}
		return false // sync.Mutex is not ours whatever it is called
	case *ast.Ident:
		if ours[n.Name] {
			p.prefix(n)
		}
	}
	return true
}

func (p *part) prefix(n *ast.Ident) {
	p.changes = append(p.changes, change{p.offset(n.Pos()), 1, prefix + strings.ToUpper(n.Name[:1])})
}

// linknames gives the names in go:linkname comments their prefix, too.
func (p *part) linknames(ours map[string]bool) {
	for _, group := range p.file.Comments {
		for _, c := range group.List {
			words := strings.Fields(c.Text)
			if len(words) == 3 && words[0] == "//go:linkname" && ours[words[1]] {
				p.changes = append(p.changes, change{p.offset(c.Pos()) + len(words[0]) + 1, 1, prefix + strings.ToUpper(words[1][:1])})
			}
		}
	}
}

func (p *part) cut(from, to token.Pos) {
	p.changes = append(p.changes, change{p.offset(from), p.offset(to) - p.offset(from), ""})
}
