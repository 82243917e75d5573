package gotest

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// ErrAnchor says that a benchmark.go lacks something the edit holds on to.
var ErrAnchor = errors.New("this Go's testing/benchmark.go is not as expected")

// Edit returns the source of a toolchain's testing/benchmark.go with its
// parallel benchmarks made honest. Every line keeps its number; what is added
// stands behind the last one. A file that lacks an anchor is an error that
// wraps ErrAnchor.
func Edit(source []byte) ([]byte, error) {
	e, err := newEditor(source)
	if err != nil {
		return nil, err
	}
	addition, imports, err := addition()
	if err != nil {
		return nil, err
	}
	e.imports(imports)
	e.fields("B", []string{"N", "timerOn", "parallelism"}, "syncwrite syncwriteWatch; ")
	e.fields("PB", []string{"cache"}, "syncwriteLane *syncwriteLane; ")
	e.fields("BenchmarkResult", []string{"N", "T", "Extra"}, "")
	e.rename("B", "RunParallel", "syncwriteGoRunParallel")
	e.rename("PB", "Next", "syncwriteGoNext")
	for _, timer := range []string{"StartTimer", "StopTimer", "ResetTimer"} {
		e.enter("B", timer, "b.syncwriteOn"+timer+"();")
	}
	e.results()
	e.labels()
	e.packagePath()
	if e.missing != nil {
		return nil, fmt.Errorf("%w: no %s", ErrAnchor, strings.Join(e.missing, ", no "))
	}
	return append(e.apply(), addition...), nil
}

// An editor collects insertions into a file at places its syntax tree names.
type editor struct {
	source  []byte
	set     *token.FileSet
	file    *ast.File
	changes []change
	missing []string // anchors that were not found
}

// A change replaces length bytes at an offset.
type change struct {
	at, length int
	text       string
}

func newEditor(source []byte) (*editor, error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "benchmark.go", source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrAnchor, err)
	}
	return &editor{source: source, set: set, file: file}, nil
}

func (e *editor) offset(p token.Pos) int { return e.set.Position(p).Offset }

func (e *editor) insert(at token.Pos, text string) {
	e.changes = append(e.changes, change{e.offset(at), 0, text})
}

// found notes an anchor that is not there, and reports whether it is.
func (e *editor) found(is bool, anchor string) bool {
	if !is {
		e.missing = append(e.missing, anchor)
	}
	return is
}

func (e *editor) apply() []byte {
	slices.SortStableFunc(e.changes, func(a, b change) int { return a.at - b.at })
	var out []byte
	last := 0
	for _, c := range e.changes {
		out = append(append(out, e.source[last:c.at]...), c.text...)
		last = c.at + c.length
	}
	return append(out, e.source[last:]...)
}

// imports adds those of paths that the file does not have.
func (e *editor) imports(paths []string) {
	for _, d := range e.file.Decls {
		block, ok := d.(*ast.GenDecl)
		if !ok || block.Tok != token.IMPORT || !block.Lparen.IsValid() {
			continue
		}
		for _, path := range paths {
			if !slices.ContainsFunc(e.file.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"`+path+`"` }) {
				e.insert(block.Lparen+1, importLine(path))
			}
		}
		return
	}
	e.found(false, "import block")
}

func importLine(path string) string {
	if path == "unsafe" {
		return `_ "unsafe"; `
	}
	return `"` + path + `"; `
}

// fields adds to a struct that has the named fields.
func (e *editor) fields(name string, have []string, text string) {
	s := e.structOf(name)
	if !e.found(s != nil, "struct "+name) {
		return
	}
	for _, field := range have {
		e.found(slices.ContainsFunc(s.Fields.List, func(f *ast.Field) bool {
			return slices.ContainsFunc(f.Names, func(n *ast.Ident) bool { return n.Name == field })
		}), name+"."+field)
	}
	e.insert(s.Fields.Opening+1, text)
}

func (e *editor) structOf(name string) *ast.StructType {
	for _, d := range e.file.Decls {
		block, ok := d.(*ast.GenDecl)
		if !ok || block.Tok != token.TYPE {
			continue
		}
		for _, spec := range block.Specs {
			if t := spec.(*ast.TypeSpec); t.Name.Name == name {
				s, _ := t.Type.(*ast.StructType)
				return s
			}
		}
	}
	return nil
}

// rename gives a method another name.
func (e *editor) rename(receiver, method, to string) {
	if f := e.method(receiver, method); f != nil {
		e.changes = append(e.changes, change{e.offset(f.Name.Pos()), len(method), to})
	}
}

// enter puts a statement first in a method whose receiver is called b.
func (e *editor) enter(receiver, method, statement string) {
	if f := e.method(receiver, method); f != nil {
		e.insert(f.Body.Lbrace+1, " "+statement)
	}
}

// method finds func (b *B) Name; its receiver has the type's name in lower case.
func (e *editor) method(receiver, name string) *ast.FuncDecl {
	for _, d := range e.file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Name.Name != name || f.Recv == nil || f.Body == nil {
			continue
		}
		star, ok := f.Recv.List[0].Type.(*ast.StarExpr)
		if !ok || len(f.Recv.List[0].Names) != 1 || f.Recv.List[0].Names[0].Name != strings.ToLower(receiver) {
			continue
		}
		if t, ok := star.X.(*ast.Ident); ok && t.Name == receiver {
			return f
		}
	}
	e.found(false, receiver+"."+name)
	return nil
}

// results lets our report look at the result of a benchmark before it is
// printed: behind r := b.doBench() in processBench, where the benchmark's name
// and GOMAXPROCS are at hand.
func (e *editor) results() {
	var names, done bool
	e.within("processBench", func(n ast.Node) {
		a, ok := n.(*ast.AssignStmt)
		if !ok || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
			return
		}
		left, right := e.text(a.Lhs[0]), e.text(a.Rhs[0])
		names = names || left == "benchName" && right == "benchmarkName(b.name, procs)"
		if left == "r" && right == "b.doBench()" && names {
			e.insert(a.End(), "; b.syncwriteReport(benchName, procs, &r)")
			done = true
		}
	})
	e.found(done, "r := b.doBench() in processBench")
}

// labels prints what ns/op is, wherever goos and the like are printed.
func (e *editor) labels() {
	done := false
	for _, d := range e.file.Decls {
		ast.Inspect(d, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) != 1 || e.text(call.Fun) != "labelsOnce.Do" {
				return true
			}
			f, ok := call.Args[0].(*ast.FuncLit)
			if print := e.printer(f); ok && print != "" {
				e.insert(f.Body.Rbrace, print+`"ns-op: goroutine-time\n") `)
				done = true
			}
			return true
		})
	}
	e.found(done, "labelsOnce.Do")
}

// printer is the first call in f up to its format: fmt.Fprintf(b.w, or the like.
func (e *editor) printer(f *ast.FuncLit) string {
	if f == nil || len(f.Body.List) == 0 {
		return ""
	}
	s, ok := f.Body.List[0].(*ast.ExprStmt)
	if !ok {
		return ""
	}
	call, ok := s.X.(*ast.CallExpr)
	if !ok {
		return ""
	}
	for _, arg := range call.Args {
		if literal, ok := arg.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			return string(e.source[e.offset(call.Pos()):e.offset(literal.Pos())])
		}
	}
	return ""
}

// packagePath keeps the import path that runBenchmarks is given.
func (e *editor) packagePath() {
	for _, d := range e.file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if ok && f.Name.Name == "runBenchmarks" && f.Recv == nil && f.Body != nil &&
			len(f.Type.Params.List) > 0 && len(f.Type.Params.List[0].Names) == 1 && f.Type.Params.List[0].Names[0].Name == "importPath" {
			e.insert(f.Body.Lbrace+1, " syncwriteImportPath = importPath;")
			return
		}
	}
	e.found(false, "runBenchmarks(importPath, …)")
}

// within visits the nodes of a function or method, whatever its receiver.
func (e *editor) within(name string, visit func(ast.Node)) {
	for _, d := range e.file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == name && f.Body != nil {
			ast.Inspect(f.Body, func(n ast.Node) bool {
				visit(n)
				return true
			})
		}
	}
}

func (e *editor) text(n ast.Node) string {
	return string(e.source[e.offset(n.Pos()):e.offset(n.End())])
}
