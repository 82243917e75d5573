package logs

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"
)

const (
	writers = 8
	each    = 40 // appends of a writer
)

// TestMain is also the process that is killed: see TestAcknowledgedSurvivesKill.
func TestMain(m *testing.M) {
	if name := os.Getenv("RIVALS_TEST_DIE"); name != "" {
		appendAndDie(name, os.Getenv("RIVALS_TEST_DIR"))
	}
	os.Exit(m.Run())
}

// fill appends from all writers at once. Each value names its writer and its
// place among that writer's values.
func fill(log Appender) error {
	errs := make([]error, writers)
	var done sync.WaitGroup
	for g := range writers {
		done.Go(func() {
			for i := range each {
				value := binary.BigEndian.AppendUint32(nil, uint32(g))
				errs[g] = errors.Join(errs[g], log.Append(binary.BigEndian.AppendUint32(value, uint32(i))))
			}
		})
	}
	done.Wait()
	return errors.Join(errs...)
}

// filled reads the log back: every value once, and each writer's in the order
// it appended them.
func filled(r Rival, dir string) error {
	var next [writers]int
	total := 0
	err := r.Scan(dir, func(value []byte) error {
		if len(value) != 8 {
			return fmt.Errorf("entry %d holds %q", total, value)
		}
		g, i := binary.BigEndian.Uint32(value), int(binary.BigEndian.Uint32(value[4:]))
		if g >= writers || i != next[g] {
			return fmt.Errorf("entry %d is number %d of writer %d", total, i, g)
		}
		next[g]++
		total++
		return nil
	})
	if err == nil && total != writers*each {
		err = fmt.Errorf("%d entries read, %d were acknowledged", total, writers*each)
	}
	return err
}

func TestReadsBackWhatEightAppended(t *testing.T) {
	for _, r := range Rivals() {
		t.Run(r.Name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			log, err := r.Open(dir, writers)
			if err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(fill(log), log.Close()); err != nil {
				t.Fatal(err)
			}
			if err := filled(r, dir); err != nil {
				t.Error(err)
			}
		})
	}
}

// Whatever is promised to survive more than nothing is there after kill -9.
// What is lost of the one that promises nothing is logged.
func TestAcknowledgedSurvivesKill(t *testing.T) {
	for _, r := range Rivals() {
		t.Run(r.Name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			child := exec.CommandContext(t.Context(), os.Args[0])
			child.Env = append(os.Environ(), "RIVALS_TEST_DIE="+r.Name, "RIVALS_TEST_DIR="+dir)
			out, err := child.CombinedOutput()
			if !bytes.Equal(out, []byte("acknowledged")) {
				t.Fatalf("%v: %s", err, out)
			}
			err = filled(r, dir)
			if r.Promise.Survives == Nothing {
				t.Log("as promised: ", err)
			} else if err != nil {
				t.Error(err)
			}
		})
	}
}

func appendAndDie(name, dir string) {
	for _, r := range Rivals() {
		if r.Name != name {
			continue
		}
		log, err := r.Open(dir, writers)
		if err == nil {
			err = fill(log)
		}
		if err != nil {
			fmt.Print(err)
			os.Exit(1)
		}
		fmt.Print("acknowledged")
		self, err := os.FindProcess(os.Getpid())
		if err == nil {
			err = self.Kill() // kill -9
		}
		if err != nil {
			panic(err)
		}
		time.Sleep(time.Minute) // it takes a moment
	}
}

// The check of a variant finds a lost append and a wrong value.
func TestCheckFindsLoss(t *testing.T) {
	for _, r := range Rivals() {
		dir := t.TempDir()
		log, err := r.Open(dir, 1)
		if err != nil {
			t.Fatal(r.Name, err)
		}
		if err := errors.Join(log.Append([]byte("foo")), log.Append([]byte("bar")), log.Close()); err != nil {
			t.Fatal(r.Name, err)
		}
		if r.Holds(dir, 2, []byte("foo")) == nil {
			t.Errorf("%s: a wrong value was not seen", r.Name)
		}
	}
	r := Ours()[0]
	dir := t.TempDir()
	log, err := r.Open(dir, 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(log.Append([]byte("foo")), log.Close()); err != nil {
		t.Fatal(err)
	}
	if r.Holds(dir, 2, []byte("foo")) == nil || r.Holds(dir, 1, []byte("foo")) != nil {
		t.Error("entries are not counted")
	}
}
