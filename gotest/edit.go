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
	e.fields("B", []string{"N", "timerOn", "parallelism", "bytes", "netAllocs", "netBytes", "extra", "benchTime"}, "syncwrite syncwriteWatch; ")
	e.fields("durationOrCountFlag", []string{"d", "n"}, "")
	e.fields("PB", []string{"cache"}, "syncwriteLane *syncwriteLane; ")
	e.fields("BenchmarkResult", []string{"N", "T", "Bytes", "MemAllocs", "MemBytes", "Extra"}, "")
	e.rename("B", "RunParallel", "syncwriteGoRunParallel")
	e.rename("PB", "Next", "syncwriteGoNext")
	e.enter("B", "runN", "b.syncwriteBeforeRun();")
	e.exit("B", "runN", "b.syncwriteAfterRun()")
	e.before("B", "StartTimer", "b.start", "b.syncwriteOnStart();") // what it takes is in no figure
	e.behind("B", "StopTimer", "b.duration", "b.syncwriteOnStop()")
	e.enter("B", "ResetTimer", "b.syncwriteBeforeReset();")
	e.exit("B", "ResetTimer", "b.syncwriteOnReset()")
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

// exit puts a statement last in a method that is left in no other way.
func (e *editor) exit(receiver, method, statement string) {
	f := e.method(receiver, method)
	if f == nil {
		return
	}
	ast.Inspect(f.Body, func(n ast.Node) bool {
		_, returns := n.(*ast.ReturnStmt)
		e.found(!returns, receiver+"."+method+" without return")
		return true
	})
	e.insert(f.Body.Rbrace, statement+" ")
}

// before puts a statement before the one that assigns to what, and behind one behind it.
func (e *editor) before(receiver, method, what, statement string) {
	if a := e.assignment(receiver, method, what); a != nil {
		e.insert(a.Pos(), statement+" ")
	}
}

func (e *editor) behind(receiver, method, what, statement string) {
	if a := e.assignment(receiver, method, what); a != nil {
		e.insert(a.End(), "; "+statement)
	}
}

// assignment finds the only one in a method to what.
func (e *editor) assignment(receiver, method, what string) *ast.AssignStmt {
	f := e.method(receiver, method)
	if f == nil {
		return nil
	}
	var all []*ast.AssignStmt
	ast.Inspect(f.Body, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && len(a.Lhs) == 1 && e.text(a.Lhs[0]) == what {
			all = append(all, a)
		}
		return true
	})
	if !e.found(len(all) == 1, what+" in "+receiver+"."+method) {
		return nil
	}
	return all[0]
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
// and GOMAXPROCS are at hand. Before that it sees to it that the result is of this GOMAXPROCS.
func (e *editor) results() {
	var named, done bool
	visit := func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
			return true
		}
		left, right := e.text(a.Lhs[0]), e.text(a.Rhs[0])
		named = named || left == "benchName" && right == "benchmarkName(b.name, procs)"
		if left == "r" && right == "b.doBench()" && named {
			e.insert(a.Pos(), "b.syncwriteAtProcs(procs); ")
			e.insert(a.End(), "; b.syncwriteReport(benchName, procs, &r)")
			done = true
		}
		return true
	}
	if f := e.function("processBench"); f != nil {
		ast.Inspect(f, visit)
	}
	e.found(done, "r := b.doBench() in processBench")
}

// labels prints what ns/op is: before the first result, and under -v with goos
// and the like, which come before the first name.
func (e *editor) labels() {
	done := false
	for _, d := range e.file.Decls {
		ast.Inspect(d, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) != 1 || e.text(call.Fun) != "labelsOnce.Do" {
				return true
			}
			if f, ok := call.Args[0].(*ast.FuncLit); ok && strings.Contains(e.text(f), `fmt.Printf("goos`) {
				e.insert(f.Body.Rbrace, "syncwriteLabel(os.Stdout) ")
				done = true
			}
			return true
		})
	}
	e.found(done, "labelsOnce.Do")
	f := e.function("processBench")
	if e.found(f != nil && takes(f, "b"), "processBench(b *B)") {
		e.insert(f.Body.Lbrace+1, " syncwriteLabel(b.w);")
	}
}

// packagePath keeps the import path that runBenchmarks is given.
func (e *editor) packagePath() {
	f := e.function("runBenchmarks")
	if e.found(f != nil && takes(f, "importPath"), "runBenchmarks(importPath, …)") {
		e.insert(f.Body.Lbrace+1, " syncwriteImportPath = importPath; defer syncwriteTellEnd();")
	}
}

// function finds a function or method by its name, whatever its receiver.
func (e *editor) function(name string) *ast.FuncDecl {
	for _, d := range e.file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == name && f.Body != nil {
			return f
		}
	}
	return nil
}

// takes reports whether the first parameter has that name.
func takes(f *ast.FuncDecl, first string) bool {
	fields := f.Type.Params.List
	return len(fields) > 0 && len(fields[0].Names) > 0 && fields[0].Names[0].Name == first
}

func (e *editor) text(n ast.Node) string {
	return string(e.source[e.offset(n.Pos()):e.offset(n.End())])
}
