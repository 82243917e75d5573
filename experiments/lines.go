package experiments

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/syncwrite/syncwrite/harness"
)

// lines are what the goroutines of one trial write: each one a letter of its
// own, again and again, so that a line that is torn or mixed shows.
type lines struct {
	size  int
	lines [letters][]byte
	done  []*lineCount
}

// letters are shared by goroutines whose numbers differ by so many.
const letters = 26

// A lineCount is how many lines a goroutine wrote.
type lineCount struct {
	letter int
	lines  int
	_      [112]byte // no two goroutines' counters on one cache line
}

func newLines(size int) *lines {
	l := &lines{size: size}
	for i := range l.lines {
		l.lines[i] = append(bytes.Repeat([]byte{'a' + byte(i)}, size-1), '\n')
	}
	return l
}

func (l *lines) operation(g int, write func([]byte) error) harness.Operation {
	own := &lineCount{letter: g % letters}
	l.done = append(l.done, own)
	line := l.lines[own.letter]
	return func() error {
		own.lines++
		return write(line)
	}
}

// check reads the file: as many lines of every letter as were written, each
// of them whole, and nothing else.
func (l *lines) check(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	found, err := l.count(bufio.NewReaderSize(file, 1<<20))
	if err != nil {
		return err
	}
	var want [letters]int
	for _, c := range l.done {
		want[c.letter] += c.lines
	}
	for i := range want {
		if found[i] != want[i] {
			return fmt.Errorf("%d lines of %q are in the file, %d were written", found[i], 'a'+rune(i), want[i])
		}
	}
	return nil
}

func (l *lines) count(r io.Reader) (found [letters]int, err error) {
	line := make([]byte, l.size)
	for n := 1; ; n++ {
		switch _, err := io.ReadFull(r, line); {
		case errors.Is(err, io.EOF):
			return found, nil
		case err != nil:
			return found, fmt.Errorf("line %d: %w", n, err)
		}
		i := int(line[0]) - 'a'
		if i < 0 || i >= letters || !bytes.Equal(line, l.lines[i]) {
			return found, fmt.Errorf("line %d is not one that was written", n)
		}
		found[i]++
	}
}
