package crashtest

import (
	"fmt"
	"os"

	"github.com/syncwrite/syncwrite/subject/commitlog"
)

// What a child is told through its environment.
const (
	envBackend = "SYNCWRITE_CRASHTEST_BACKEND"
	envLog     = "SYNCWRITE_CRASHTEST_LOG"
	envSlots   = "SYNCWRITE_CRASHTEST_SLOTS"
)

// Divert makes this process append to a log until it is killed, if a rig has
// started it for that; otherwise it returns at once. A program that uses a
// rig calls it first of all, a test from TestMain, and names the backends of
// its own that it gives to the rigs.
func Divert(own ...Backend) {
	name, diverted := os.LookupEnv(envBackend)
	if !diverted {
		return
	}
	for _, b := range append(Backends(), own...) {
		if b.Name == name {
			fmt.Fprintln(os.Stderr, appendForEver(b, os.Getenv(envLog), os.Getenv(envSlots)))
			os.Exit(3)
		}
	}
	fmt.Fprintf(os.Stderr, "no backend %s here: Divert was not told\n", name)
	os.Exit(2)
}

// appendForEver returns the first error.
func appendForEver(b Backend, path, slotsPath string) error {
	slots, err := mapSlots(slotsPath)
	if err != nil {
		return err
	}
	log, err := b.Open(path)
	if err != nil {
		return err
	}
	failed := make(chan error)
	for g := range writers {
		go func() { failed <- appendSequence(log, g, &slots.slot[g]) }()
	}
	return <-failed
}

func appendSequence(log commitlog.Log, g int, slot *slot) error {
	var value []byte
	for seq := slot.start.Load(); ; seq++ {
		value = appendValue(value[:0], g, seq)
		index, err := log.Append(value)
		if err != nil {
			return err
		}
		slot.publish(seq, index)
	}
}
