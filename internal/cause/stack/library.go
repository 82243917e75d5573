package stack

import "strings"

// roots are what the paths of the standard library's packages begin with.
var roots = func() map[string]bool {
	all := map[string]bool{}
	for _, name := range strings.Fields(`archive bufio bytes cmp compress container context crypto database debug embed encoding
		errors expvar flag fmt go hash html image index internal io iter log maps math mime net os path plugin reflect regexp runtime
		simd slices sort strconv strings structs sync syscall testing text time unicode unique unsafe vendor weak`) {
		all[name] = true
	}
	return all
}()

// cgoFile is what cgo makes of calls to C.
const cgoFile = "_cgo_gotypes.go"

// standard reports whether a frame is of the standard library, or of its system calls' other
// home. The stack may be of another program, built by another toolchain, or with paths trimmed:
// so the frame alone tells, by its function's package and its file's place. The file can be in
// another package of the library (go:linkname).
func standard(f Frame) bool {
	if strings.HasSuffix(f.File, "_test.go") { // of the library's own benchmarks
		return false
	}
	if strings.HasPrefix(f.Func, "golang.org/x/sys/") || strings.HasSuffix(f.File, cgoFile) {
		return true
	}
	pkg, _, _ := strings.Cut(f.Func, ".")
	return ofLibrary(pkg) && ofLibrary(inSource(f.File))
}

// ofLibrary reports whether a path of a package, or of its file, begins as the library's do.
func ofLibrary(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return roots[first]
}

// inSource is where a file of the library would be in its source.
func inSource(file string) string {
	const source = "/src/"
	if i := strings.LastIndex(file, source); i >= 0 {
		return file[i+len(source):]
	}
	return file // of a build that trims paths; of any other it begins as no package of the library does
}
