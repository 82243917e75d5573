//go:build !linux

package disk

// largePage is what memory begins with where large pages cannot be asked for.
const largePage = 4096

func adviseLarge([]byte) {}
