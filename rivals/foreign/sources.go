package main

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
)

// sources are what the drivers are built from. They travel in this program, so
// that it can tell whether what is built is of today.
//
//go:embed Cargo.toml trial/Cargo.toml trial/src
//go:embed raft-engine/Cargo.toml raft-engine/src okaywal/Cargo.toml okaywal/src
//go:embed chronicle/pom.xml chronicle/src
var sources embed.FS

// fingerprint changes whenever a source does.
func fingerprint() (string, error) {
	sum := sha256.New()
	err := fs.WalkDir(sources, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := sources.ReadFile(path)
		sum.Write([]byte(path + "\x00"))
		sum.Write(text)
		return err
	})
	return hex.EncodeToString(sum.Sum(nil)), err
}
