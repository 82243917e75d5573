package cmd

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/syncwrite/syncwrite/cmd/internal/exit"
	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/load"
)

// loadFlags are the words of the load verb.
type loadFlags struct {
	runFlags
	users    int
	mix      string
	wait     string
	duration time.Duration
	headers  []string
	body     string
	request  time.Duration // how long one may take
	insecure bool
	client   string
	engine   string
	workers  int
	inGo     int // workers
	user     string
	named    func(flag string) bool // whether a flag was
}

func loadCommand(again bool) *cobra.Command {
	f := loadFlags{runFlags: runFlags{again: again}}
	c := &cobra.Command{
		Use:   "load URL | SCENARIO.json | albums",
		Short: "Ask an HTTP server from many users, and say how it answers",
		Long: `load asks a server from many users at once, each over a connection of its own, and
says how many requests a second were answered and how long one took, by kind of
request; what failed is counted by reason and is in no latency. A part of the time is
a trial: figures carry intervals, and progress is told between trials only.

With --rate requests are due at a rate, whatever became of those before, and latency
counts from when one was due; --users is then how many can be under way.

A file SCENARIO.json says what is asked, of several paths too (docs/method.md has one).
albums is a scenario: three reads of a list to one append, of a service that each trial
starts anew in a process of its own (syncwrite serve albums --guard mutex). It can be
asked by Locust, too, --engine locust: a master and --workers. With --go-workers the
master's workers are processes of this program, and ask whatever load can ask; on other
machines, start syncwrite worker there.

Exit codes are those of run: 3 if a threshold certainly fails, 4 if it cannot be told.
A request that was due and never sent may have taken no longer than it waited, or for
ever: a threshold that fails, or holds, in both cases is certain. A share of failures is
counted, of the requests of this run and no others: few are enough to hold failures<1%.`,
		Example: `  syncwrite load http://127.0.0.1:8080/albums --users 50 --duration 20s
  syncwrite load http://127.0.0.1:8080/albums --mix get=3,post=1 --body '{"id": "{{run}}-{{user}}-{{n}}", "title": "Blue Train", "artist": "John Coltrane", "price": 56.99}'
  syncwrite load shop.json --users 20
  syncwrite load albums --engine locust --users 50 --workers 4 --user fast
  syncwrite load http://127.0.0.1:8080/albums --engine locust --go-workers 4 --users 200
  syncwrite load https://127.0.0.1:8443/ --rate 2000/s --threshold 'p99<50ms' --threshold 'failures<1%'`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error { return f.run(c.Context(), args) },
	}
	flags := c.Flags()
	flags.IntVar(&f.users, "users", 50, "how many ask at once, each over a connection of its own")
	flags.StringVar(&f.rate, "rate", "", "open loop: requests are due at RATE,..., such as 2000/s, 1k-10k/s (a ramp), poisson:2k/s")
	flags.DurationVar(&f.duration, "duration", 20*time.Second, "how long it all takes")
	flags.IntVar(&f.trials, "trials", defaultTrials, "parts that the time is cut into, each with connections of its own; fewer than 6 carry no interval")
	f.asking(c)
	flags.StringVar(&f.engine, "engine", "go", "what generates the load: "+strings.Join(engineNames(), ", "))
	flags.IntVar(&f.workers, "workers", 1, "processes of Locust's that ask")
	flags.IntVar(&f.inGo, "go-workers", 0, "processes of this program that ask under a Locust master, in place of Locust's own")
	flags.StringVar(&f.user, "user", "http", "which of Locust's users: "+strings.Join(userNames(), ", "))
	f.telling(c)
	completes(c, "engine", completeWords(engineNames()))
	completes(c, "user", completeWords(userNames()))
	return c
}

// asking are the flags of what is asked, for load and worker.
func (f *loadFlags) asking(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.mix, "mix", "get=1", "kinds of requests by method, and how often each is beside the others")
	flags.StringVar(&f.wait, "wait", "0s", "how long a user rests before the next request: 1s, or drawn from 1s-2s")
	flags.StringArrayVar(&f.headers, "header", nil, "'NAME: VALUE' of every request; results keep no value")
	flags.StringVar(&f.body, "body", "", "of post, put and patch; @FILE reads it; {{user}}, {{n}} and {{run}} stand for the user's number, its request's, and the trial")
	flags.DurationVar(&f.request, "timeout", load.DefaultTimeout, "how long one request may take")
	flags.BoolVar(&f.insecure, "insecure", false, "do not look at certificates")
	flags.StringVar(&f.client, "client", "fasthttp", "what asks: "+strings.Join(clientNames(), ", "))
	f.named = func(flag string) bool { return c.Flags().Changed(flag) }
	completes(c, "client", completeWords(clientNames()))
}

func askingFlags() []string {
	return []string{"mix", "wait", "header", "body", "timeout", "insecure", "client"}
}

func clientNames() []string { return []string{"fasthttp", "net-http"} }

func (f loadFlags) run(ctx context.Context, args []string) error {
	if len(args) != 1 {
		return exit.Usage(fmt.Errorf("load: %d arguments, not the one URL or scenario to ask", len(args)), "see syncwrite load --help")
	}
	scenario, err := f.scenario(args[0])
	if err != nil {
		return err
	}
	if !measuresForOther() { // which has said it
		sayNoPlaces(f.stderr(), "load", scenario)
	}
	config, err := f.planLoad()
	if err != nil {
		return err
	}
	experiment, err := f.experiment(scenario)
	if err == nil {
		err = f.reach(ctx, scenario)
	}
	if err != nil {
		return err
	}
	return f.carryOut(ctx, "load", []harness.Experiment{experiment}, config)
}

// experiment is the scenario with what generates the load.
func (f loadFlags) experiment(s load.Scenario) (harness.Experiment, error) {
	switch {
	case f.engine != "locust":
		return load.Experiment(s, f.users)
	case f.inGo == 0:
		return load.LocustExperiment(load.Locust{Workers: f.workers, Fast: f.user == "fast", Wait: s.Wait, Timeout: s.Timeout, Serve: s.Serve}, f.users), nil
	}
	program, err := program()
	if err != nil {
		return harness.Experiment{}, err
	}
	return load.LocustGoExperiment(load.LocustGo{Scenario: s, Workers: f.inGo, Program: program}, f.users)
}

// reach asks for one connection before a server of others is measured.
func (f loadFlags) reach(ctx context.Context, s load.Scenario) error {
	if measuresForOther() || s.Serve != nil {
		return nil
	}
	return load.Reach(ctx, s)
}

// planLoad turns flags into what the harness is asked to do.
func (f loadFlags) planLoad() (c harness.Config, err error) {
	wrong := func(format string, args ...any) (harness.Config, error) {
		return c, exit.Usage(fmt.Errorf(format, args...), "")
	}
	switch {
	case f.users < 1:
		return wrong("--users %d: at least 1", f.users)
	case f.trials < 1:
		return wrong("--trials %d: at least 1", f.trials)
	case f.duration <= 0:
		return wrong("--duration %v: more than 0", f.duration)
	}
	rates := 1
	if f.rate != "" {
		rates = strings.Count(f.rate, ",") + 1
	}
	window := f.duration / time.Duration(f.trials) / time.Duration(rates)
	if window < leastLoad {
		return wrong("--duration %v: each of %d trials would take less than %v", f.duration, f.trials*rates, leastLoad)
	}
	if err := load.EnoughFiles(f.users); err != nil {
		return wrong("--users %d: %w", f.users, err)
	}
	if err := checkFormat(f.format); err != nil {
		return c, err
	}
	c = harness.Config{Trials: f.trials, Seed: f.seed, Window: window,
		Command: loadWords(os.Args[1:]), Goroutines: []int{f.users}}
	if f.rate != "" {
		c.Rates = strings.Split(f.rate, ",")
	}
	if err := c.Check(); err != nil {
		return c, exit.Usage(err, "")
	}
	return c, f.checkEngine()
}

// leastLoad is the shortest trial: in less a server answers too few.
const leastLoad = 50 * time.Millisecond
