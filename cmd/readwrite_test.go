package cmd

import (
	"errors"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
}

// No page takes the place of results, nor behind a link to them, whatever stands before their first record and
// whichever of its keys comes first.
func TestWriteFileKeepsResults(t *testing.T) {
	dir := t.TempDir()
	for _, results := range []string{"{\"record\":\"env\"}\n", "\xef\xbb\xbf{\"record\":\"env\"}\n", "noise\n{\"record\":\"trial\"}\n",
		"{\"arch\":\"amd64\",\"record\":\"env\"}\n", "{ \"record\" : \"env\"}\n", " {\"Record\":\"env\"}\n", "{\"arch\":\"amd64\",\"record\":\"en",
		"{\"other\":1}\n" + strings.Repeat("noise\n", firstBytes) + "{\"record\":\"env\"}\n"} {
		path, link := filepath.Join(dir, "page.html"), filepath.Join(dir, "link.html")
		os.Remove(link)
		if err := errors.Join(os.WriteFile(path, []byte(results), 0o600), os.Symlink("page.html", link)); err != nil {
			t.Skip(err)
		}
		for _, at := range []string{path, link} {
			if err := writeFile(at, text("new")); err == nil || !strings.Contains(err.Error(), "results are not overwritten") {
				t.Errorf("%.99q: %v", results, err)
			}
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != results {
			t.Errorf("%.99q became %.99q, %v", results, got, err)
		}
	}
}

// A link leads where it did, and what is no file stays what it is, when results are written there.
func TestWriteFileReplacesFilesAlone(t *testing.T) {
	dir := t.TempDir()
	target, link, dangling := filepath.Join(dir, "target"), filepath.Join(dir, "link"), filepath.Join(dir, "dangling")
	if err := errors.Join(os.WriteFile(target, []byte("old"), 0o600), os.Symlink("target", link), os.Symlink("made", dangling)); err != nil {
		t.Skip(err)
	}
	for path, of := range map[string]string{link: target, dangling: filepath.Join(dir, "made")} {
		if err := writeFile(path, text("new")); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(of); err != nil || string(got) != "new" {
			t.Errorf("%s: %q, %v", path, got, err)
		}
		if info, err := os.Lstat(path); err != nil || info.Mode()&fs.ModeSymlink == 0 {
			t.Errorf("%s is no link any more: %v, %v", path, info, err)
		}
	}
	socket := filepath.Join(dir, "s")
	listener, err := net.Listen("unix", socket)
	if err != nil {
		t.Skip(err)
	}
	defer listener.Close()
	if err := writeFile(socket, text("new")); err == nil { // no socket can be written to so
		t.Error("it wrote to a socket")
	}
	if info, err := os.Lstat(socket); err != nil || info.Mode().IsRegular() {
		t.Fatalf("a file stands in the socket's place: %v, %v", info, err)
	}
	if all, err := os.ReadDir(dir); err != nil || len(all) != 5 {
		t.Errorf("left: %v, %v", all, err)
	}
	if err := writeFile(filepath.Join(dir, "nowhere", "x.html"), text("new")); err == nil || !strings.Contains(err.Error(), filepath.Join("nowhere", "x.html")) || !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// What is no JSON Lines of results is replaced: pages, the benchmark format, other JSON.
func TestWriteFileReplacesOtherTexts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "page")
	for _, old := range []string{"", "<p>a record: {}\n", "BenchmarkA 1 2 ns/op\n", "{\"name\":\"record\"}\n", "the \"record\": {\n"} {
		if err := errors.Join(os.WriteFile(path, []byte(old), 0o600), writeFile(path, text("new"))); err != nil {
			t.Errorf("%q: %v", old, err)
		}
	}
}

// What goes to stdout takes the place of no file, also of one called - that is read.
func TestStdoutKeepsInputs(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("-", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := keepsInputs("-", []string{"./-"}); err != nil {
		t.Error(err)
	}
	if keepsInputs("./-", []string{"-"}) == nil {
		t.Error("a file that is read would be overwritten")
	}
}
