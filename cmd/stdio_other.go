//go:build !linux

package cmd

import "os"

// takeStdio returns this process's stdin and stdout; what an operation prints by
// os.Stdout goes to stderr.
func takeStdio() (in, out *os.File, err error) {
	in, out = os.Stdin, os.Stdout
	os.Stdout = os.Stderr
	return in, out, nil
}

// program is the file of this program.
func program() (string, error) { return os.Executable() }
