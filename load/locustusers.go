package load

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/load/locust"
)

// ScenarioUsers are users of a Locust master's that ask as a scenario says, most of them at
// once. Locust's host takes the place of the URL's scheme and host, its options wait and timeout those
// of the scenario.
func ScenarioUsers(s Scenario, most int) (locust.Users, error) {
	s = s.withDefaults()
	return scenarioUsers{s, most}, s.Check()
}

type scenarioUsers struct {
	scenario Scenario
	most     int
}

func (u scenarioUsers) Open(ctx context.Context, o locust.Options) (locust.Run, error) {
	s, err := u.scenario.with(o)
	if err != nil {
		return nil, err
	}
	crowd, err := newCrowd(s, harness.Setup{Context: ctx, Goroutines: u.most, Seed: rand.Uint64()})
	if err != nil {
		return nil, err
	}
	crowd.clients = make([]client, u.most)
	return scenarioRun{crowd}, nil
}

// with is the scenario as Locust's page has it.
func (s Scenario) with(o locust.Options) (Scenario, error) {
	if o.Host != "" {
		host, err := url.Parse(o.Host)
		if err != nil || host.Host == "" || strings.Trim(host.Path, "/") != "" || host.RawQuery != "" || host.Fragment != "" {
			return s, fmt.Errorf("host %.100q: a scheme and a host, such as http://127.0.0.1:8080; the scenario says the path", ShowURL(o.Host))
		}
		if host.User != nil {
			return s, fmt.Errorf("host %.100q: %w", ShowURL(o.Host), errCredentials)
		}
		s.URL = host.Scheme + "://" + host.Host + s.written()
	}
	var err error
	if wait := o.Values["wait"]; wait != "" {
		if s.Wait, err = ParseWait(wait); err != nil {
			return s, fmt.Errorf("option wait: %w", err)
		}
	}
	if timeout := o.Values["timeout"]; timeout != "" {
		if s.Timeout, err = time.ParseDuration(timeout); err != nil || s.Timeout <= 0 {
			return s, fmt.Errorf("option timeout: %.40q is no length of time above 0", timeout)
		}
	}
	return s, s.Check()
}

type scenarioRun struct{ *crowd }

func (r scenarioRun) Kinds() []locust.Kind         { return kindsOf(r.scenario.kinds()) }
func (r scenarioRun) Most() int                    { return len(r.clients) }
func (r scenarioRun) Close(int) (doubt, err error) { return nil, r.close() }

// User opens its connection in its own goroutine, beside the others'.
func (r scenarioRun) User(g int) (locust.User, error) {
	var ask harness.Request
	u := locust.User{Request: func() harness.Answer { return ask() }, Begin: func() {
		client, err := r.client()
		if err != nil {
			ask = func() harness.Answer { return harness.Answer{Failure: reason(err)} }
			return
		}
		r.clients[g] = client
		ask = r.user(g)
	}}
	if r.scenario.Wait.To > 0 {
		u.Pause = r.pause(g)
	}
	return u, nil
}

// kindsOf splits names of kinds of requests, which begin with their method.
func kindsOf(names []string) (kinds []locust.Kind) {
	for _, name := range names {
		method, rest, _ := strings.Cut(name, " ")
		if rest == "" {
			method, rest = "", name
		}
		kinds = append(kinds, locust.Kind{Method: method, Name: rest})
	}
	return kinds
}

// Variant is a variant of an experiment that users of a Locust master's do.
type Variant struct {
	Experiment harness.Experiment
	Name       string            // of the variant
	Factors    map[string]string // those that are not at their defaults
	Most       int               // users at once
	Dir        string            // where each run gets a directory of its own
}

// VariantUsers are users that do a variant's operation, all of them on one instance. Locust's option
// factors, FACTOR=LEVEL with spaces between, takes the place of the variant's own.
func VariantUsers(v Variant) (locust.Users, error) {
	if _, err := v.factors(""); err != nil {
		return nil, err
	}
	if one := v.variant(); one.Open == nil {
		return nil, fmt.Errorf("%s/%s: another program does its work, or it has no rate", v.Experiment.Name, v.Name)
	}
	return v, nil
}

func (v Variant) variant() harness.Variant {
	at := slices.IndexFunc(v.Experiment.Variants, func(o harness.Variant) bool { return o.Name == v.Name })
	if at < 0 {
		return harness.Variant{}
	}
	return v.Experiment.Variants[at]
}

// factors are all of the experiment, each with its level.
func (v Variant) factors(option string) (map[string]string, error) {
	named := maps.Clone(v.Factors)
	if named == nil {
		named = map[string]string{}
	}
	for _, part := range strings.Fields(option) {
		name, level, is := strings.Cut(part, "=")
		if !is {
			return nil, fmt.Errorf("option factors: %.40q is not FACTOR=LEVEL", part)
		}
		named[name] = level
	}
	levels := map[string]string{}
	for _, f := range v.Experiment.Factors {
		level, is := named[f.Name]
		if !is {
			level = f.Default
		}
		delete(named, f.Name)
		if f.Check != nil {
			if err := f.Check(level); err != nil {
				return nil, fmt.Errorf("factor %s: %w", f.Name, err)
			}
		}
		levels[f.Name] = level
	}
	for _, name := range slices.Sorted(maps.Keys(named)) {
		return nil, fmt.Errorf("factor %.40q: %s has none of that name", name, v.Experiment.Name)
	}
	return levels, nil
}

// Open opens an instance for as many goroutines as there can be users.
func (v Variant) Open(ctx context.Context, o locust.Options) (locust.Run, error) {
	factors, err := v.factors(o.Values["factors"])
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(v.Dir, ".syncwrite-worker-")
	if err != nil {
		return nil, err
	}
	instance, err := v.variant().Open(harness.Setup{Context: ctx, Dir: dir, Factors: factors, Goroutines: v.Most, Seed: rand.Uint64()})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open %s/%s: %w", v.Experiment.Name, v.Name, err), os.RemoveAll(dir))
	}
	return variantRun{v, instance, dir}, nil
}

type variantRun struct {
	Variant
	instance harness.Instance
	dir      string
}

func (r variantRun) Most() int { return r.Variant.Most }

func (r variantRun) Kinds() []locust.Kind {
	if r.instance.Request != nil {
		return kindsOf(r.instance.Kinds)
	}
	return []locust.Kind{{Method: r.Experiment.Describe().Unit, Name: r.Experiment.Name + "/" + r.Name}}
}

func (r variantRun) User(g int) (u locust.User, err error) {
	if r.instance.Request != nil {
		u.Request = r.instance.Request(g)
	} else {
		u.Operation = r.instance.Worker(g)
	}
	if r.instance.Pause != nil {
		u.Pause = r.instance.Pause(g)
	}
	return u, nil
}

// Close holds the variant to what it promises.
func (r variantRun) Close(done int) (doubt, err error) {
	var finish, check, closed error
	if r.instance.Finish != nil {
		finish = r.instance.Finish()
	}
	if r.instance.Check != nil && finish == nil {
		check = r.instance.Check(done)
	}
	if r.instance.Lost != nil && finish == nil && check == nil {
		doubt, check = r.lost(done)
	}
	if r.instance.Close != nil {
		closed = r.instance.Close()
	}
	if err := errors.Join(finish, check, closed); err != nil {
		return doubt, errors.Join(fmt.Errorf("end %s/%s: %w", r.Experiment.Name, r.Name, err), os.RemoveAll(r.dir))
	}
	return doubt, os.RemoveAll(r.dir)
}

// lost is how many operations of a variant that promises no better were without effect.
func (r variantRun) lost(done int) (doubt, err error) {
	n, err := r.instance.Lost(done)
	if n == 0 || err != nil {
		return nil, err
	}
	return fmt.Errorf("%s/%s: %d of %d operations are lost: the variant is a lossy one", r.Experiment.Name, r.Name, n, done), nil
}
