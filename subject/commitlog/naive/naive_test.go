package naive

import (
	"os"
	"path/filepath"
	"testing"
)

func TestFileLogIsLinesOfJSON(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	for range 2 {
		var log Log = new(FileLog)
		if err := log.Open(path); err != nil {
			t.Fatal(err)
		}
		if err := log.Append([]byte("foo")); err != nil {
			t.Fatal(err)
		}
		if entry, err := log.Get(0); err != nil || string(entry.Value) != "foo" {
			t.Errorf("get returned %v, %v", entry, err)
		}
		if err := log.Close(); err != nil {
			t.Fatal(err)
		}
	}
	want := "{\"index\":0,\"value\":\"Zm9v\"}\n{\"index\":1,\"value\":\"Zm9v\"}\n"
	if data, err := os.ReadFile(path); err != nil || string(data) != want {
		t.Errorf("file holds %q, %v", data, err)
	}
}

func TestFileLogRefusesATornLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(path, []byte("{\"index\":0,\"val"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := new(FileLog).Open(path); err == nil {
		t.Error("a torn line was accepted")
	}
}

func TestInMemoryLogKeepsOrder(t *testing.T) {
	var log Log = new(InMemoryLog)
	if err := log.Open(""); err != nil {
		t.Fatal(err)
	}
	for _, value := range []string{"foo", "bar"} {
		if err := log.Append([]byte(value)); err != nil {
			t.Fatal(err)
		}
	}
	if entry, err := log.Get(1); err != nil || entry.Index != 1 || string(entry.Value) != "bar" {
		t.Errorf("get returned %v, %v", entry, err)
	}
	for _, index := range []int{-1, 2} {
		if _, err := log.Get(index); err == nil {
			t.Errorf("get of %d found an entry", index)
		}
	}
}
