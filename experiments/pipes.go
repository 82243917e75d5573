package experiments

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"runtime"

	"github.com/syncwrite/syncwrite/harness"
)

// A pipe leads one way. Both ends block their thread in the kernel, so that a
// turn goes from thread to thread and not through the runtime's poller.
type pipe struct{ r, w *os.File }

func newPipe() (pipe, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return pipe{}, err
	}
	r.Fd() // asking for the descriptor makes it block
	w.Fd()
	return pipe{r, w}, nil
}

func (p pipe) close() {
	p.r.Close()
	p.w.Close()
}

// newPipes makes one pipe there and one back.
func newPipes() (there, back pipe, err error) {
	if there, err = newPipe(); err != nil {
		return there, back, err
	}
	if back, err = newPipe(); err != nil {
		there.close()
	}
	return there, back, err
}

var errWrongTurn = errors.New("another turn came back than was handed over")

// ping hands a numbered turn over and takes it back.
func ping(w io.Writer, r io.Reader) harness.Operation {
	locked := false
	number, got := []byte{0}, []byte{0}
	return func() error {
		if !locked {
			runtime.LockOSThread() // until the goroutine ends, and its thread with it
			locked = true
		}
		number[0]++
		if _, err := w.Write(number); err != nil {
			return err
		}
		if _, err := r.Read(got); err != nil {
			return err
		}
		if got[0] != number[0] {
			return errWrongTurn
		}
		return nil
	}
}

// echoWork is what the partner does, until its input ends.
func echoWork(r io.Reader, w io.Writer) error {
	turn := make([]byte, 1)
	for {
		if _, err := r.Read(turn); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if _, err := w.Write(turn); err != nil {
			return err
		}
	}
}

// openThreads pairs goroutines that are locked to threads of their own.
func openThreads(s harness.Setup) (harness.Instance, error) {
	t := new(turns)
	operations := make([]harness.Operation, s.Goroutines)
	for g := range operations {
		there, back, err := newPipes()
		if err != nil {
			t.Close()
			return harness.Instance{}, fmt.Errorf("pipe: %w", err)
		}
		t.start(func() { there.w.Close() }, func(p *pair) {
			runtime.LockOSThread()
			defer there.r.Close()
			defer back.close()
			echoWork(counting{there.r, p}, back.w) // its end is that of the pipe
		})
		operations[g] = ping(there.w, back.r)
	}
	return t.instance(func(g int) harness.Operation { return operations[g] }), nil
}

// counting counts the turns that are read.
type counting struct {
	r io.Reader
	p *pair
}

func (c counting) Read(turn []byte) (int, error) {
	n, err := c.r.Read(turn)
	c.p.got += n
	return n, err
}

// A partnerProcess is a child that echoes.
type partnerProcess struct {
	command     *exec.Cmd
	there, back pipe
}

// openProcesses pairs every goroutine with a child process.
func openProcesses(s harness.Setup) (harness.Instance, error) {
	var partners []*partnerProcess
	end := func() error {
		var failure error
		for _, p := range partners {
			if err := p.end(); err != nil && failure == nil {
				failure = err
			}
		}
		return failure
	}
	for range s.Goroutines {
		p, err := startPartner(s)
		if err != nil {
			end()
			return harness.Instance{}, err
		}
		partners = append(partners, p)
	}
	return harness.Instance{Close: end, Worker: func(g int) harness.Operation {
		return ping(partners[g].there.w, partners[g].back.r)
	}}, nil
}

func startPartner(s harness.Setup) (*partnerProcess, error) {
	command, err := childCommand(s.Context, childOrder{Work: "echo"})
	if err != nil {
		return nil, err
	}
	there, back, err := newPipes()
	if err != nil {
		return nil, fmt.Errorf("pipe: %w", err)
	}
	command.Stdin, command.Stdout, command.Stderr = there.r, back.w, os.Stderr
	if err := command.Start(); err != nil {
		there.close()
		back.close()
		return nil, err
	}
	there.r.Close()
	back.w.Close()
	p := &partnerProcess{command, there, back}
	if err := greet(back.r); err != nil {
		command.Process.Kill()
		p.end()
		return nil, err
	}
	return p, nil
}

// end closes the child's input, which ends it, and waits for it.
func (p *partnerProcess) end() error {
	p.there.w.Close()
	err := p.command.Wait()
	p.back.r.Close()
	return err
}

// openTurnsTCP pairs every goroutine with a connection to an echoing server.
func openTurnsTCP(s harness.Setup) (harness.Instance, error) {
	e, err := newEcho(s.Goroutines)
	if err != nil {
		return harness.Instance{}, err
	}
	return harness.Instance{Close: e.Close, Worker: func(g int) harness.Operation {
		return pingTCP(e.clients[g])
	}}, nil
}

func pingTCP(c net.Conn) harness.Operation {
	var turn uint64
	number, got := make([]byte, 8), make([]byte, 8)
	return func() error {
		turn++
		binary.LittleEndian.PutUint64(number, turn)
		if _, err := c.Write(number); err != nil {
			return err
		}
		if _, err := io.ReadFull(c, got); err != nil {
			return err
		}
		if binary.LittleEndian.Uint64(got) != turn {
			return errWrongTurn
		}
		return nil
	}
}
