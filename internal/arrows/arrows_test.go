package arrows

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

func TestHouse(t *testing.T) {
	violations, files, err := Check(os.DirFS(moduleRoot(t)))
	if err != nil {
		t.Fatal(err)
	}
	if files < 3 {
		t.Fatalf("only %d files read: is this the module root?", files)
	}
	for _, v := range violations {
		t.Error(v)
	}
}

// moduleRoot is the nearest folder upward that holds a go.mod.
func moduleRoot(t *testing.T) string {
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod here or above")
		}
		dir = filepath.Dir(dir)
	}
}

// house is a module of one file that imports what is given.
func house(file, pkg string, imports ...string) fs.FS {
	src := "package " + pkg + "\n"
	for _, path := range imports {
		src += "import _ \"" + path + "\"\n"
	}
	return fstest.MapFS{
		"go.mod": {Data: []byte("module example.com/m\n\ngo 1.26\n")},
		file:     {Data: []byte(src)},
	}
}

func TestAllowed(t *testing.T) {
	for _, c := range []struct{ file, imports string }{
		{"hist/a.go", "math/bits"},
		{"hist/a.go", "example.com/mine/report"}, // another module with our name in front
		{"harness/a.go", "example.com/m/internal/cause"},
		{"harness/inner/a.go", "example.com/m/harness"},
		{"harness/a.go", "example.com/m/harness/inner"},
		{"subject/commitlog/leveldb/a.go", "example.com/m/subject/commitlog"},
		{"subject/set/a.go", "example.com/m/hist"},
		{"subject/commitlog/a.go", "golang.org/x/sys/unix"},
		{"subject/commitlog/a_test.go", "example.org/theirs"},
		{"subject/commitlog/leveldb/a.go", "example.org/theirs"},
		{"cmd/syncwrite/a.go", "example.com/m/gotest"},
		{"cmd/syncwrite/a.go", "example.com/m/internal/arrows"},
		{"examples/closure/a.go", "example.com/m/report"},
		{"harness/a_test.go", "example.com/m/subject/commitlog/logtest"},
		{"analysis/a_test.go", "example.com/m/hist"},
		{"experiments/a_test.go", "example.com/m/internal/cause"},
		{"hist/a_test.go", "example.com/m/internal/racing"},
		{"companions/ahead/a.go", "time"},
		{"rivals/a.go", "example.com/m/unheard"},
		{"tools/a.go", "example.com/m/unheard"},
		{"hist/testdata/a.go", "example.com/m/cmd"},
		{".git/a.go", "example.com/m/cmd"},
	} {
		violations, _, err := Check(house(c.file, "p", c.imports))
		if err != nil || len(violations) > 0 {
			t.Errorf("%s imports %s: %q, %v", c.file, c.imports, violations, err)
		}
	}
}

func TestRejected(t *testing.T) {
	const no = "may not import"
	for _, c := range []struct{ file, imports, want string }{
		{"hist/a.go", "example.com/m/stats", no},
		{"stats/a.go", "example.com/m/hist", no},
		{"scaling/a.go", "example.com/m/hist", no},
		{"results/a.go", "example.com/m/stats", no},
		{"internal/cause/a.go", "example.com/m/harness", no},
		{"harness/a.go", "example.com/m/report", no},
		{"harness/a.go", "example.com/m/subject/set", no},
		{"harness/deep/er/a.go", "example.com/m/report", no},
		{"analysis/a.go", "example.com/m/hist", no},
		{"report/a.go", "example.com/m/analysis", no},
		{"gotest/a.go", "example.com/m/harness", no},
		{"subject/commitlog/a.go", "example.com/m/results", no},
		{"subject/commitlog/a_test.go", "example.com/m/harness", no},
		{"subject/commitlog/a.go", "example.org/theirs", "no more than the standard library"},
		{"subject/commitlog/a.go", "golang.org/x/system", "no more than the standard library"},
		{"subject/commitlog/internal/disk/a.go", "golang.org/x/net", "no more than the standard library"},
		{"experiments/a.go", "example.com/m/internal/cause", no},
		{"experiments/a.go", "example.com/m/report", no},
		{"experiments/inner/a.go", "example.com/m/analysis", no},
		{"internal/ext4/a.go", "example.com/m/hist", no},
		{"hist/a.go", "example.com/m/internal/racing", no},
		{"internal/x/a.go", "fmt", "room internal/x is not in the house"},
		{"harness/a.go", "example.com/m/subject/commitlog/logtest", no},
		{"hist/a_test.go", "example.com/m/stats", no},
		{"hist/a_test.go", "example.com/m/harness/harnesstest", no},
		{"hist/a_windows.go", "example.com/m/stats", no},
		{"cmd/syncwrite/a.go", "example.com/m/rivals/x", no},
		{"examples/x/a.go", "example.com/m/rivals", no},
		{"cmd/syncwrite/a.go", "example.com/m/unheard", no},
		{"cmd/syncwrite/a.go", "example.com/m/companions/ahead", no},
		{"examples/x/a_test.go", "example.com/m/companions/ahead", no},
		{"companions/ahead/a.go", "example.com/m/hist", no},
		{"companions/ahead/a.go", "example.com/m/companions/other", no},
		{"companions/other/a.go", "fmt", "room companions/other is not in the house"},
		{"cmd/syncwrite/a.go", "example.com/m", no},
		{"attic/a.go", "fmt", "room attic is not in the house"},
		{"attic/a_test.go", "fmt", "room attic is not in the house"},
		{"a.go", "fmt", "room . is not in the house"},
		{"harness/tools/a.go", "example.com/m/report", no},
		{"harness/utils/a.go", "fmt", "a package named utils"},
		{"cmd/lib/inner/a.go", "fmt", "a package named lib"},
	} {
		violations, _, err := Check(house(c.file, "p", c.imports))
		if err != nil {
			t.Errorf("%s: %v", c.file, err)
		}
		if len(violations) != 1 || !strings.HasPrefix(violations[0], c.file+": ") || !strings.Contains(violations[0], c.want) {
			t.Errorf("%s imports %s: %q, want one with %q", c.file, c.imports, violations, c.want)
		}
	}
}

func TestRejectsBannedPackageNames(t *testing.T) {
	for _, pkg := range []string{"utils", "common", "core", "types", "lib", "common_test"} {
		violations, _, err := Check(house("hist/inner/a_test.go", pkg))
		if err != nil || len(violations) != 1 {
			t.Errorf("package %s: %q, %v", pkg, violations, err)
		}
	}
}

func TestUnreadableIsAnError(t *testing.T) {
	if _, _, err := Check(fstest.MapFS{}); err == nil {
		t.Error("no error without a go.mod")
	}
	if _, _, err := Check(fstest.MapFS{"go.mod": {Data: []byte("go 1.26\n")}}); err == nil {
		t.Error("no error without a module line")
	}
	if _, _, err := Check(house("hist/a.go", "1 is no name")); err == nil {
		t.Error("no error for a file that does not parse")
	}
}

// Every word of the table is a room of the table: a misspelt one would forbid
// what it should allow.
func TestTableNamesItsOwnRooms(t *testing.T) {
	for room := range arrows() {
		rooms, _ := allowed(room)
		for _, r := range rooms {
			if _, ok := arrows()[r]; !ok {
				t.Errorf("%s → %s: no such room", room, r)
			}
		}
	}
}
