package crashtest

import (
	"os"
	"strings"
	"testing"
)

// The table in docs/method.md is the one that `make crash` wrote.
func TestTableInDocs(t *testing.T) {
	measured, err := os.ReadFile("../../../../published/durability.md")
	if err != nil {
		t.Fatal(err)
	}
	docs, err := os.ReadFile("../../../../docs/method.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(docs), string(measured)) {
		t.Error("docs/method.md does not hold published/durability.md between its two comments: .ci/crash puts it there")
	}
}
