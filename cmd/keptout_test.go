package cmd

import (
	"slices"
	"testing"
)

// What headers and bodies hold is in no command line that results keep; their names, and all
// else, are.
func TestSecretsAreKeptOutOfCommands(t *testing.T) {
	for _, c := range []struct{ given, kept []string }{
		{[]string{"load", "http://h/", "--header", "Authorization: Bearer S", "--users", "5"}, []string{"load", "http://h/", "--header", "Authorization: (kept out)", "--users", "5"}},
		{[]string{"load", "--header=A:S", "--header=B: S:S=S", "http://h/?a=b"}, []string{"load", "--header=A: (kept out)", "--header=B: (kept out)", "http://h/?a=b"}},
		{[]string{"load", "--body", "S", "--body=S"}, []string{"load", "--body", "(kept out)", "--body=(kept out)"}},
		{[]string{"load", "--body", "@file", "--body=@file"}, []string{"load", "--body", "@file", "--body=@file"}},
		{[]string{"load", "--header", "S", "--header"}, []string{"load", "--header", "(kept out)", "--header"}},
		{[]string{"load", "-o", "--header", "A: S"}, []string{"load", "-o", "--header", "A: (kept out)"}},
	} {
		if kept := loadWords(c.given); !slices.Equal(kept, append([]string{"syncwrite"}, c.kept...)) {
			t.Errorf("%q: %q", c.given, kept)
		}
	}
}
