package arrows

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Check reads every .go file below the module root fsys, whatever its build
// constraints, and returns a line for each one that breaks a rule of the house.
// files is how many it read. The error is that of a file that cannot be read or
// parsed.
//
// Left out are the modules within the module (rivals, tools) and what the go
// command ignores too: testdata and names that begin with "." or "_".
func Check(fsys fs.FS) (violations []string, files int, err error) {
	module, err := modulePath(fsys)
	if err != nil {
		return nil, 0, err
	}
	err = fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return skip(name)
		}
		if path.Ext(name) != ".go" || ignored(path.Base(name)) {
			return nil
		}
		files++
		found, err := checkFile(fsys, module, name)
		violations = append(violations, found...)
		return err
	})
	return violations, files, err
}

func skip(dir string) error {
	if dir != "." && (ignored(path.Base(dir)) || slices.Contains(outside(), dir)) {
		return fs.SkipDir
	}
	return nil
}

func ignored(base string) bool {
	return base == "testdata" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_")
}

func modulePath(fsys fs.FS) (string, error) {
	text, err := fs.ReadFile(fsys, "go.mod")
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(text)) {
		if words := strings.Fields(line); len(words) == 2 && words[0] == "module" {
			return words[1], nil
		}
	}
	return "", errors.New("go.mod: no module line")
}

func checkFile(fsys fs.FS, module, name string) ([]string, error) {
	src, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil, err
	}
	file, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	found := checkNames(name, file)
	room := roomOf(path.Dir(name))
	if _, ok := allowed(room); !ok {
		return append(found, fmt.Sprintf("%s: room %s is not in the house", name, room)), nil
	}
	for _, target := range imports(file, module) {
		if !mayImport(name, target) {
			found = append(found, fmt.Sprintf("%s: room %s may not import %s", name, room, target))
		}
	}
	return append(found, checkModules(name, module, file)...), nil
}

// checkModules reports what a folder that is sparing with other people's modules
// takes beyond them.
func checkModules(name, module string, file *ast.File) []string {
	few, ok := sparing()[path.Dir(name)]
	if !ok || strings.HasSuffix(name, "_test.go") {
		return nil
	}
	var found []string
	for _, target := range imported(file) {
		host, _, _ := strings.Cut(target, "/")
		theirs := strings.Contains(host, ".") && !isIn(target, module)
		if theirs && !slices.ContainsFunc(strings.Fields(few), func(m string) bool { return isIn(target, m) }) {
			found = append(found, fmt.Sprintf("%s: %s is to take no more than the standard library and %s, not %s", name, path.Dir(name), few, target))
		}
	}
	return found
}

// isIn reports whether a package is of a module.
func isIn(target, module string) bool {
	return target == module || strings.HasPrefix(target, module+"/")
}

// checkNames reports a banned name of the package or of a folder it lies in.
func checkNames(name string, file *ast.File) []string {
	names := append(strings.Split(path.Dir(name), "/"), strings.TrimSuffix(file.Name.Name, "_test"))
	var found []string
	for _, bad := range banned() {
		if slices.Contains(names, bad) {
			found = append(found, fmt.Sprintf("%s: a package named %s says nothing about what is in it", name, bad))
		}
	}
	return found
}

// imports returns the folders of our module that file imports.
func imports(file *ast.File, module string) []string {
	var ours []string
	for _, target := range imported(file) {
		if target == module {
			ours = append(ours, ".")
		} else if dir, ok := strings.CutPrefix(target, module+"/"); ok {
			ours = append(ours, dir)
		}
	}
	return ours
}

// imported returns the paths of all packages that file imports.
func imported(file *ast.File) []string {
	var paths []string
	for _, spec := range file.Imports {
		target, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue // the parser has rejected such a file already
		}
		paths = append(paths, target)
	}
	return paths
}

// mayImport tells whether the file may import our folder target. A test may
// reach every room to its right, the conformance kits, and whether it is watched.
func mayImport(file, target string) bool {
	room := roomOf(path.Dir(file))
	rooms, _ := allowed(room)
	if strings.HasSuffix(file, "_test.go") {
		if isKit(target) || target == "internal/racing" {
			return true
		}
		rooms = reachable(room)
	}
	return slices.Contains(rooms, roomOf(target))
}

// isKit recognises subject/commitlog/logtest and its like.
func isKit(dir string) bool {
	return roomOf(dir) == "subject" && strings.HasSuffix(dir, "test")
}

func roomOf(dir string) string {
	room, inner, _ := strings.Cut(dir, "/")
	if (room == "internal" || room == "companions") && inner != "" {
		inner, _, _ = strings.Cut(inner, "/")
		return room + "/" + inner
	}
	return room
}
