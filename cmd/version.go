package cmd

import (
	"cmp"
	"fmt"
	"os"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// released and commit are set by the linker in a release (.ci/release): such a
// binary is built without the version control's stamp, so that it is the same from
// every clone.
var released, commit string

// version is that of the module, its commit and that of Go.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	of := map[string]string{}
	for _, s := range info.Settings {
		of[s.Key] = s.Value
	}
	revision := of["vcs.revision"]
	if revision = revision[:min(12, len(revision))]; revision != "" && of["vcs.modified"] == "true" {
		revision += ", changed"
	}
	text := cmp.Or(released, info.Main.Version, "(devel)")
	if at := cmp.Or(commit, revision); at != "" {
		text += " (" + at + ")"
	}
	return fmt.Sprintf("%s %s", text, info.GoVersion)
}

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version, its commit and that of Go",
		Args:  func(c *cobra.Command, args []string) error { return noArgs("version", args) },
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(os.Stdout, "syncwrite "+version())
			return err
		},
	}
}
