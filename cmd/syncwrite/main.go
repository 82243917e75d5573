// Command syncwrite finds out what synchronization costs, and why.
package main

import (
	"os"

	"github.com/syncwrite/syncwrite/cmd"
	"github.com/syncwrite/syncwrite/experiments"
)

func main() { os.Exit(cmd.Main(experiments.Catalogue(), os.Args[1:])) }
