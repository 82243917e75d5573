// Command typecheck checks that a Go module compiles on other systems, its tests
// included: it parses and type-checks all of its packages, and what they import, from their
// sources. To compile and vet the same takes nearly twenty times the processor time.
//
//	go run ./typecheck DIR GOOS...
package main

import (
	"fmt"
	"os"

	"golang.org/x/tools/go/packages"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: typecheck DIR GOOS...")
		os.Exit(2)
	}
	for _, system := range os.Args[2:] {
		n, err := check(os.Args[1], system)
		if err != nil {
			fmt.Fprintf(os.Stderr, "typecheck: %s: %v\n", system, err)
			os.Exit(1)
		}
		fmt.Printf("typecheck: %s: %d packages\n", system, n)
	}
}

// check type-checks the module in a directory for a system, and returns how many
// packages it has. What is wrong is printed.
func check(dir, system string) (n int, err error) {
	all, err := packages.Load(&packages.Config{
		Mode: packages.LoadAllSyntax, Dir: dir, Tests: true,
		Env: append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0"),
	}, "./...")
	if err != nil {
		return 0, err
	}
	if wrong := packages.PrintErrors(all); wrong > 0 {
		return 0, fmt.Errorf("%d errors", wrong)
	}
	return len(all), nil
}
