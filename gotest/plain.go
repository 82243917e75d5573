package gotest

import (
	"bytes"
	"encoding/json"
	"io"
	"regexp"
	"strconv"
)

// opsWriter passes the output of go test on and adds ops/s to the result lines
// of benchmarks: all that can be computed from it.
type opsWriter struct {
	w    io.Writer
	rest []byte // of a line that has not ended
}

func newOpsWriter(w io.Writer) *opsWriter { return &opsWriter{w: w} }

// Write passes on whole lines, and what cannot become a result line at once.
func (o *opsWriter) Write(text []byte) (int, error) {
	o.rest = append(o.rest, text...)
	for {
		end := bytes.IndexByte(o.rest, '\n')
		if end < 0 {
			return len(text), nil
		}
		line := o.rest[:end+1]
		o.rest = o.rest[end+1:]
		if _, err := o.w.Write(withOps(line)); err != nil {
			return len(text), err
		}
	}
}

func (o *opsWriter) flush() error {
	_, err := o.w.Write(o.rest)
	o.rest = nil
	return err
}

// resultLine is a number of iterations and ns/op, with or without the name in
// front: in -json they are different events.
var resultLine = regexp.MustCompile(`^(?:Benchmark\S*)?\s+\d+\t\s*([0-9.]+) ns/op`)

// withOps adds ops/s behind ns/op of a line, as go test prints it or within an
// event of go test -json.
func withOps(line []byte) []byte {
	if line[0] != '{' {
		return []byte(addOps(string(line)))
	}
	var event struct{ Output string }
	if json.Unmarshal(line, &event) != nil {
		return line
	}
	changed := addOps(event.Output)
	if changed == event.Output {
		return line
	}
	before, err := json.Marshal(event.Output)
	after, errAfter := json.Marshal(changed)
	if err != nil || errAfter != nil {
		return line
	}
	return bytes.Replace(line, before, after, 1)
}

func addOps(line string) string {
	at := resultLine.FindStringSubmatchIndex(line)
	if at == nil {
		return line
	}
	ns, err := strconv.ParseFloat(line[at[2]:at[3]], 64)
	if err != nil || ns <= 0 {
		return line
	}
	return line[:at[1]] + "\t" + strconv.FormatFloat(1e9/ns, 'g', 4, 64) + " ops/s" + line[at[1]:]
}
