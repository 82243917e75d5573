package cmd

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/syncwrite/syncwrite/cmd/internal/exit"
	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/load"
	"github.com/syncwrite/syncwrite/load/locust"
)

// workerFlags are the words of the worker verb.
type workerFlags struct {
	loadFlags
	master     string
	most       int
	locustfile bool
	withStdin  bool
	runTime    time.Duration
	firstUser  int
}

func workerCommand(catalogue []harness.Experiment) *cobra.Command {
	var f workerFlags
	c := &cobra.Command{
		Use:   "worker EXPERIMENT/VARIANT | URL | SCENARIO.json",
		Short: "Be users of a Locust master: of a server, or of any experiment",
		Long: `worker waits for the orders of a Locust master, on this machine or another one: its
page says how many users there are, and goroutines of this program are those users. They ask
an HTTP server, as those of syncwrite load do, or do the operation of an experiment, all of
them on one instance; syncwrite list names those. The numbers appear in Locust's page and files.

The master is started with a locustfile of ours: syncwrite worker --locustfile prints it. Its
host takes the place of the URL's scheme and host. The master's port is no place for strangers:
Locust does not ask who joins. What a variant that promises no better has lost is said when a
run ends, here and on the page. That is no error here; but it is an exception to the master,
which with --headless exits 1 for one unless it has --exit-code-on-error 0.

Exit codes: 0 the master has quit, or Ctrl-C; 1 no master within ten seconds, one that cannot be
talked to or is silent for a minute, users that could not begin or did not end, operations that did
not have their effect, or that a master was not told of; 2 wrong usage.`,
		Example: `  syncwrite worker --locustfile > locustfile.py
  locust -f locustfile.py --master
  syncwrite worker --master 127.0.0.1:5557 http://127.0.0.1:8080/albums
  syncwrite worker --master 127.0.0.1:5557 log/file -p payload=1024`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error { return f.run(c.Context(), catalogue, args) },
	}
	flags := c.Flags()
	flags.StringVar(&f.master, "master", "127.0.0.1:5557", "HOST:PORT at which the master waits for workers")
	flags.IntVar(&f.most, "max-users", 1000, "how many users there can be here at once")
	flags.BoolVar(&f.locustfile, "locustfile", false, "print the locustfile that a master needs, and end")
	flags.BoolVar(&f.withStdin, "with-stdin", false, "stop when stdin ends, too: with the process that has started it")
	flags.IntVar(&f.firstUser, "first-user", 0, "number of the first user here, which {{user}} stands for: that of users of all workers before this one, so that none has another's")
	flags.DurationVar(&f.runTime, "run-time", 0, "how long a run lasts, where that is known: answers that come later are told apart")
	flags.StringArrayVarP(&f.factors, "factor", "p", nil, "level of the experiment's factor: FACTOR=LEVEL")
	flags.StringVar(&f.dir, "dir", "", "directory on the disk that an experiment writes to (default: the working directory)")
	f.asking(c)
	c.ValidArgsFunction = completeNames(catalogue)
	completes(c, "factor", completeFactors(catalogue))
	return c
}

func (f workerFlags) run(ctx context.Context, catalogue []harness.Experiment, args []string) error {
	if f.locustfile {
		if err := noArgs("worker --locustfile", args); err != nil {
			return err
		}
		_, err := os.Stdout.WriteString(locust.Locustfile)
		return err
	}
	if len(args) != 1 {
		return exit.Usage(fmt.Errorf("worker: %d arguments, not the one EXPERIMENT/VARIANT, URL or scenario", len(args)), "see syncwrite worker --help")
	}
	if err := f.check(); err != nil {
		return err
	}
	users, err := f.users(catalogue, args[0])
	if err != nil {
		return err
	}
	outliveReaders()
	if f.withStdin {
		ctx = untilStdinEnds(ctx)
	}
	say := func(text string) { exit.Say(os.Stderr, text) }
	return locust.Work(ctx, locust.Config{Master: f.master, Users: users, RunTime: f.runTime, Say: say})
}

func (f workerFlags) check() error {
	host, port, err := net.SplitHostPort(f.master)
	switch {
	case err != nil || host == "" || port == "":
		return exit.Usage(fmt.Errorf("--master %q: not HOST:PORT", f.master), "for example --master 127.0.0.1:5557")
	case f.firstUser < 0:
		return exit.Usage(fmt.Errorf("--first-user %d: below 0", f.firstUser), "")
	case f.runTime < 0:
		return exit.Usage(fmt.Errorf("--run-time %v: below 0", f.runTime), "")
	case f.most < 1 || f.most > harness.MaxGoroutines:
		return exit.Usage(fmt.Errorf("--max-users %d: from 1 to %d", f.most, harness.MaxGoroutines), "")
	}
	return nil
}

// users are what the master's users do here.
func (f workerFlags) users(catalogue []harness.Experiment, what string) (locust.Users, error) {
	if !strings.Contains(what, "://") && !isFile(what) && load.ShowURL(what) == what { // no experiment has an @
		return f.variant(catalogue, what)
	}
	if len(f.factors) > 0 || f.dir != "" {
		return nil, exit.Usage(errors.New("--factor and --dir: an experiment has them, a server does not"), "")
	}
	scenario, err := f.scenario(what)
	if err != nil {
		return nil, err
	}
	if err := load.EnoughFiles(f.most); err != nil {
		return nil, exit.Usage(fmt.Errorf("--max-users %d: %w", f.most, err), "")
	}
	sayNoPlaces(os.Stderr, "worker", scenario)
	scenario.FirstUser = f.firstUser
	return load.ScenarioUsers(scenario, f.most)
}

func (f workerFlags) variant(catalogue []harness.Experiment, what string) (locust.Users, error) {
	name, variant, _ := strings.Cut(what, "/")
	e, err := find(catalogue, name)
	if err != nil {
		return nil, err
	}
	chosen, err := choose(catalogue, []string{what})
	switch {
	case err != nil:
		return nil, err
	case variant == "":
		return nil, exit.Usage(fmt.Errorf("worker %s: users do one variant", what), "one of: "+strings.Join(qualified(e), ", "))
	}
	for _, flag := range askingFlags() {
		if f.named(flag) {
			return nil, exit.Usage(fmt.Errorf("--%s: a server is asked so, an experiment is not", flag), "")
		}
	}
	levels, err := parseFactors(f.factors, chosen[:1])
	if err != nil {
		return nil, err
	}
	v := load.Variant{Experiment: chosen[0], Name: variant, Factors: map[string]string{}, Most: f.most, Dir: f.dir}
	for name, all := range levels {
		if len(all) != 1 {
			return nil, exit.Usage(fmt.Errorf("-p %s: users do one level at a time", name), "")
		}
		v.Factors[name] = all[0]
	}
	if v.Dir == "" {
		v.Dir = "."
	}
	users, err := load.VariantUsers(v)
	if err != nil {
		return nil, exit.Usage(fmt.Errorf("worker %s: %w", what, err), "")
	}
	return users, nil
}
