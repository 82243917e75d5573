package experiments

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
)

// childVariable tells a process that it is a child, and what to do. What it
// holds is a childOrder in JSON.
const childVariable = "SYNCWRITE_CHILD"

// childHello is the first line of a child. A program that does not call Child
// does not say it.
const childHello = "syncwrite child\n"

// A childOrder is what a child process is to do.
type childOrder struct {
	Work       string            `json:"work"` // map, echo or identity
	Goroutines int               `json:"goroutines,omitempty"`
	Ops        int               `json:"ops,omitempty"`
	Seed       uint64            `json:"seed,omitempty"`
	Factors    map[string]string `json:"factors,omitempty"`
	// Of identity alone: how to ask, whom, and for how long.
	Variant  string `json:"variant,omitempty"`
	Address  string `json:"address,omitempty"`
	WindowNS int64  `json:"window_ns,omitempty"`
}

// Child does the work of a child process, if this process was started as one,
// and returns its exit code. Some variants need a process of their own: one
// that the runtime ends, one to hand a turn to. They start the program they
// are part of once more. So a program that runs the catalogue calls Child
// before anything else, and so does a TestMain; cmd.Main does it by itself.
func Child() (code int, is bool) {
	text := os.Getenv(childVariable)
	if text == "" {
		return 0, false
	}
	if err := childWork(text); err != nil {
		fmt.Fprintln(os.Stderr, "syncwrite child:", err)
		return 1, true
	}
	return 0, true
}

func childWork(text string) error {
	var order childOrder
	if err := json.Unmarshal([]byte(text), &order); err != nil {
		return err
	}
	if _, err := io.WriteString(os.Stdout, childHello); err != nil {
		return err
	}
	switch order.Work {
	case "map":
		return plainMapWork(order)
	case "echo":
		return echoWork(os.Stdin, os.Stdout)
	case "identity":
		return askWork(order, os.Stdin, os.Stdout)
	}
	return fmt.Errorf("unknown work %q", order.Work)
}

// childCommand prepares this program to be started as a child.
func childCommand(ctx context.Context, order childOrder) (*exec.Cmd, error) {
	if os.Getenv(childVariable) != "" {
		return nil, errors.New("this process is itself a child: its program does not call experiments.Child first")
	}
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(order)
	if err != nil {
		return nil, err
	}
	command := exec.CommandContext(ctx, program)
	if flag.Lookup("test.run") != nil {
		command.Args = append(command.Args, "-test.run=^$") // should its TestMain not call Child
	}
	command.Env = append(os.Environ(), childVariable+"="+string(text))
	return command, nil
}

// greet waits for a child's first line.
func greet(r io.Reader) error {
	line, err := bufio.NewReaderSize(onlyHello{r}, len(childHello)).ReadString('\n')
	if line == childHello {
		return nil
	}
	if err != nil && err != io.EOF {
		return err
	}
	return errors.New("no child: the program does not call experiments.Child first")
}

// onlyHello reads byte by byte, so that nothing behind the first line is taken.
type onlyHello struct{ r io.Reader }

func (h onlyHello) Read(p []byte) (int, error) { return h.r.Read(p[:1]) }
