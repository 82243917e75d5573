// Command rivals measures our append-only log against other people's, at equal
// durability, payload and number of goroutines, and holds it to what the
// project promises of it. Our set and our aggregating receiver are held to
// theirs in the same way.
//
//	go run . run rival-log -p payload=3,1024
//	go run . table
package main

import (
	"os"

	"github.com/syncwrite/syncwrite/cmd"
	"github.com/syncwrite/syncwrite/rivals/internal/trials"
)

func main() { os.Exit(command(os.Args[1:])) }

func command(args []string) int {
	if len(args) > 0 && args[0] == "table" {
		return tableCommand(args[1:])
	}
	return cmd.Main(trials.Catalogue(), args)
}
