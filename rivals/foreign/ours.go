package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/syncwrite/syncwrite/subject/commitlog"
)

// oursCommand is the driver of our log: the first word is its durability, the
// others are the protocol's.
func oursCommand(words []string) error {
	if len(words) == 0 {
		return wrongWords("ours needs a durability")
	}
	durability, ok := map[string]commitlog.Durability{"none": commitlog.None, "always": commitlog.Always}[words[0]]
	if !ok {
		return wrongWords("durability %q", words[0])
	}
	words = words[1:]
	if len(words) == 2 && words[1] == "verify" {
		return oursVerify(words[0])
	}
	if len(words) < 4 || len(words) > 5 {
		return wrongWords("ours: DIR N PAYLOAD OPS [WARMUP], DIR N PAYLOAD kill or DIR verify")
	}
	o := oursTrial{dir: words[0], options: commitlog.FileOptions{Durability: durability}}
	if words[3] == "kill" {
		words[3] = "0"
		o.forever = true
	}
	for i, number := range []*int{&o.threads, &o.payload, &o.ops, &o.warmup}[:len(words)-1] {
		n, err := strconv.Atoi(words[1+i])
		if err != nil || n < 0 {
			return wrongWords("ours: %q is not a number", words[1+i])
		}
		*number = n
	}
	if o.forever {
		return o.appendForever()
	}
	return o.timed()
}

// oursTrial is what the words ask for.
type oursTrial struct {
	dir                           string
	options                       commitlog.FileOptions
	threads, payload, ops, warmup int
	forever                       bool
}

func (o oursTrial) open() (*commitlog.File, error) {
	return commitlog.OpenFile(oursIn(o.dir), o.options)
}

func oursIn(dir string) string { return filepath.Join(dir, "log") }

// oursScan opens the log anew and hands over every value in it.
func oursScan(dir string, each func([]byte) error) error {
	log, err := commitlog.OpenFile(oursIn(dir), commitlog.FileOptions{})
	if err != nil {
		return err
	}
	for entry, err := range log.Entries(0) {
		if err == nil {
			err = each(entry.Value)
		}
		if err != nil {
			return errors.Join(err, log.Close())
		}
	}
	return log.Close()
}

// appendForever appends until the process is killed, and says each
// acknowledgement in a write of its own.
func (o oursTrial) appendForever() error {
	log, err := o.open()
	if err != nil {
		return err
	}
	failed := make(chan error)
	for thread := range o.threads {
		go func() {
			for seq := uint64(0); ; seq++ {
				if _, err := log.Append(anAppend{thread, seq}.encode(o.payload)); err != nil {
					failed <- err
					return
				}
				if _, err := fmt.Fprintf(os.Stdout, "%s%d %d\n", ackPrefix, thread, seq); err != nil {
					failed <- err
					return
				}
			}
		}()
	}
	return <-failed
}

// oursVerify says which values the log holds.
func oursVerify(dir string) error {
	out := bufio.NewWriter(os.Stdout)
	err := oursScan(dir, func(value []byte) error {
		a, err := decode(value)
		fmt.Fprintf(out, "%d %d\n", a.thread, a.seq)
		return err
	})
	return errors.Join(err, out.Flush())
}

func (o oursTrial) value() []byte { return bytes.Repeat([]byte("foo"), o.payload/3+1)[:o.payload] }
