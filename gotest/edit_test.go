package gotest

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestTmp(t *testing.T) {
	root := os.Getenv("X_ROOT")
	if root == "" {
		root = runtime.GOROOT()
	}
	src, _ := os.ReadFile(filepath.Join(root, "src/testing/benchmark.go"))
	out, err := Edit(src)
	if err != nil {
		t.Fatal(err)
	}
	os.WriteFile("/tmp/ov/benchmark.go", out, 0o666)
	os.WriteFile("/tmp/ov/overlay.json", []byte(`{"Replace":{"`+root+`/src/testing/benchmark.go":"/tmp/ov/benchmark.go"}}`), 0o666)
}
