package harness

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/syncwrite/syncwrite/results"
)

// ErrNotMeasuring says that a process started to measure does not call
// [Measure] first.
var ErrNotMeasuring = errors.New("the process does not measure")

const (
	// overdue is how much longer than a trial's deadline its process may be
	// silent before it is ended.
	overdue = 10 * time.Second
	// greeting is how long a process may take to say that it measures.
	greeting = 10 * time.Second
)

// RunApart is [Run] in processes of their own, one after another: command makes
// one that calls [Measure] with the same configuration and experiments. A trial
// that is stuck, or that ends its process, costs its variant and the process;
// the run goes on in the next. What the process writes to stderr goes to this
// one's. Where the first process does not measure, nothing was done:
// ErrNotMeasuring, and no run.
func RunApart(ctx context.Context, config Config, command func() (*exec.Cmd, error), experiments ...Experiment) (*results.Run, error) {
	a, err := newApart(ctx, &config, command, experiments)
	if err != nil {
		return nil, err
	}
	for again := true; again && err == nil; {
		again, err = a.process(ctx)
	}
	if len(a.run.Envs) == 0 && errors.Is(err, ErrNotMeasuring) {
		return nil, err
	}
	return a.run, first(err, a.end(err))
}

// newApart plans a run, and completes its configuration.
func newApart(ctx context.Context, config *Config, command func() (*exec.Cmd, error), experiments []Experiment) (*apart, error) {
	complete, _, allSeries, err := prepare(*config, experiments)
	if err == nil {
		err = ready(ctx, complete, experiments)
	}
	if err != nil {
		return nil, err
	}
	*config = complete
	return &apart{
		keeper: newKeeper(complete), dir: complete.Dir, trials: complete.Trials, budget: complete.Budget,
		command: command, state: newState(allSeries, complete.Seed),
	}, nil
}

// apart is a run whose trials are measured elsewhere.
type apart struct {
	*keeper
	dir     string
	trials  int
	budget  time.Duration
	command func() (*exec.Cmd, error)
	state   state  // as of the last message
	turns   string // names the two runs that take turns; empty: there is one
	wait    func() // before what is told next, for its turn; nil: there is one
	spare   func() // before the next process; nil: it measures all
}

// process starts one process and takes what it tells, until it ends. It reports
// whether another is to go on.
func (a *apart) process(ctx context.Context) (again bool, err error) {
	p, err := a.start()
	if err != nil {
		return false, err
	}
	defer p.end()
	for {
		m, err := p.next(ctx, a.patience(p))
		if ctx.Err() != nil {
			return false, first(ctx.Err(), a.last(p, m))
		}
		if err != nil {
			return a.died(p, err)
		}
		if err := a.take(p, m); err != nil {
			return false, err
		}
		switch {
		case m.Done && m.Err == context.Canceled.Error():
			return a.cancelled(ctx, p)
		case m.Done && m.Err == ErrOtherRun.Error():
			return false, ErrOtherRun
		case m.Done && m.Err != "":
			return false, errors.New(m.Err)
		case m.Done, m.Renew:
			p.answer() // it ends, whether it has heard this or not
			return m.Renew, nil
		case m.State != nil && a.wait != nil:
			a.wait()
		}
		if p.answer() != nil { // nobody reads it
			return a.died(p, io.EOF)
		}
	}
}

// last keeps what a process had measured when the run was cancelled.
func (a *apart) last(p *process, m message) error {
	err := a.take(p, m)
	p.in.Close()
	for m := range p.ending() {
		err = first(err, a.take(p, m))
	}
	return err
}

// cancelled waits for the cancellation that the process has heard of. If there is
// none, it was the process alone that was told to end.
func (a *apart) cancelled(ctx context.Context, p *process) (again bool, err error) {
	select {
	case <-ctx.Done():
		return false, ctx.Err()
	case <-time.After(grace):
		return a.died(p, errors.New("its process was told to end"))
	}
}

// patience is how long the next message may take.
func (a *apart) patience(p *process) time.Duration {
	if !p.greeted {
		return greeting
	}
	if p.told {
		return a.state.Deadline + overdue
	}
	return leastDeadline + overdue // what comes before the first trial
}

// take keeps what a message holds.
func (a *apart) take(p *process, m message) error {
	if m.Hello {
		p.greeted = true
	}
	if m.State != nil {
		if n := len(m.State.Series); n != len(a.state.Series) || m.State.At < 0 || m.State.At >= n {
			return errors.New("what the measuring process told is of another run")
		}
		for i, before := range a.state.Series { // an older program does not know of it
			m.State.Series[i].Enough = before.Enough
		}
		a.state, p.told = *m.State, true
		p.errors.reset()
		return a.tell(&a.state)
	}
	if m.Record == nil {
		return nil
	}
	record, err := results.Decode(m.Record)
	if err != nil {
		return fmt.Errorf("what the measuring process told: %w", err)
	}
	if o, is := record.(results.Outcome); is && o.Kind == results.OutcomeError && p.told {
		a.state.Series[a.state.At].lose()
	}
	if env, is := record.(results.Env); is {
		if env.Settings.Turns = a.turns; a.spare != nil {
			env.Settings.Least = LeastPairs
		}
		record = env
	}
	return a.keep(record)
}

// died ends the variant whose trial the process was at.
func (a *apart) died(p *process, cause error) (again bool, err error) {
	text := p.kill(cause)
	switch {
	case !p.greeted:
		return false, fmt.Errorf("%w: %s", ErrNotMeasuring, text)
	case !p.told:
		return false, errors.New(text)
	}
	if a.state.Progress.Tracing { // no trial is lost
		a.state.Why++
		b := results.NoBreakdown(results.SourceTrace, a.state.Cell, a.state.Factors)
		b.Reason = results.OneLine(text)
		return true, a.keep(b)
	}
	g := &a.state.Series[a.state.At]
	if g.lost() { // its outcome is kept already
		return true, nil
	}
	g.lose()
	o := results.Outcome{
		Experiment: a.state.Cell.Experiment, Variant: a.state.Cell.Variant, Factors: a.state.Factors,
		Goroutines: a.state.Cell.Goroutines, Kind: results.OutcomeError, Text: text, Dump: lines(p.errors.String()),
	}
	if o.Block = a.state.Block; a.state.Progress.Calibrating {
		o.Block = a.state.due(a.trials)
	}
	return true, a.keep(o)
}

// A process measures for this one.
type process struct {
	command  *exec.Cmd
	in       io.WriteCloser
	messages chan message
	greeted  bool // it is one that measures
	told     bool // what it is about to do
	errors   words
}

// start starts a process and gives it its order.
func (a *apart) start() (*process, error) {
	if a.spare != nil {
		a.spare()
	}
	command, err := a.command()
	if err == nil && command == nil {
		err = errors.New("no command")
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotMeasuring, err)
	}
	p := &process{command: command, messages: make(chan message)}
	if p.in, err = command.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	command.Stderr = &p.errors
	command.WaitDelay = grace // for what it started and left behind
	if err := command.Start(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotMeasuring, err)
	}
	go p.listen(out)
	line, err := json.Marshal(order{a.dir, a.trials, a.budget, a.state})
	if err == nil {
		_, err = p.in.Write(append(line, '\n'))
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %s", ErrNotMeasuring, p.kill(err))
	}
	return p, nil
}

// listen passes messages on until there are no more, or one that is none. What a
// program prints before it measures is skipped.
func (p *process) listen(out io.Reader) {
	lines := bufio.NewReader(out)
	for greeted := false; ; {
		line, err := lines.ReadBytes('\n')
		var m message
		if at := bytes.Index(line, hello()); !greeted && at > 0 {
			line = line[at:] // behind what the program printed without ending the line
		}
		if err == nil {
			err = json.Unmarshal(line, &m)
		}
		greeted = greeted || err == nil && m.Hello
		if greeted && err != nil || errors.Is(err, io.EOF) || errors.Is(err, os.ErrClosed) {
			close(p.messages)
			io.Copy(io.Discard, lines)
			return
		}
		if greeted {
			p.messages <- m
		}
	}
}

// errSilent is that of a process that says nothing for too long.
var errSilent = errors.New("the measuring process did not answer")

func (p *process) next(ctx context.Context, patience time.Duration) (message, error) {
	silent, stop := patient(patience)
	defer stop()
	select {
	case m, ok := <-p.messages:
		if !ok {
			return m, io.EOF
		}
		return m, nil
	case <-ctx.Done():
		return message{}, ctx.Err()
	case <-silent:
		return message{}, errSilent
	}
}

func (p *process) answer() error {
	_, err := p.in.Write([]byte("\n"))
	return err
}

// kill ends the process at once and says why it had to be, or how it had ended. One that
// is silent is asked first what its goroutines do: on Unix a Go program writes that to its stderr.
func (p *process) kill(cause error) string {
	if errors.Is(cause, errSilent) && p.command.Process.Signal(syscall.SIGQUIT) == nil {
		for range p.ending() {
		}
	}
	if !errors.Is(cause, io.EOF) {
		p.command.Process.Kill()
		p.end()
		return cause.Error()
	}
	p.end()
	text := "its process ended, by this operation or by what an earlier one left behind"
	if state := p.command.ProcessState; state != nil {
		text += ": " + state.String()
	}
	if line := p.errors.reason(); line != "" {
		text += ": " + line
	}
	return text
}

// ending passes on what the process still says, and kills it if that takes long: it
// may have left its end of the pipe to others.
func (p *process) ending() iter.Seq[message] {
	return func(yield func(message) bool) {
		late := time.After(2 * grace)
		for {
			select {
			case m, ok := <-p.messages:
				if !ok || !yield(m) {
					return
				}
			case <-late:
				p.command.Process.Kill()
				return
			}
		}
	}
}

// end ends the process, in order if it can, and waits for it.
func (p *process) end() {
	p.in.Close()
	for range p.ending() { // nobody wants them any more
	}
	p.command.Wait()
}
