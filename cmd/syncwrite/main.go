// Command syncwrite finds out what synchronization costs, and why.
package main

import (
	"os"
	"slices"

	"github.com/syncwrite/syncwrite/cmd"
	"github.com/syncwrite/syncwrite/experiments"
	"github.com/syncwrite/syncwrite/load"
)

func main() { os.Exit(cmd.Main(slices.Concat(experiments.Catalogue(), load.Catalogue()), os.Args[1:])) }
