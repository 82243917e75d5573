package cmd

import (
	"fmt"
	"slices"
	"time"

	"github.com/syncwrite/syncwrite/cmd/internal/exit"
)

func engineNames() []string { return []string{"go", "locust"} }
func userNames() []string   { return []string{"http", "fast"} }

// checkEngine refuses what an engine does not do.
func (f loadFlags) checkEngine() error {
	wrong := func(format string, args ...any) error { return exit.Usage(fmt.Errorf(format, args...), "") }
	switch {
	case !slices.Contains(engineNames(), f.engine):
		return exit.Unknown("engine", f.engine, engineNames())
	case !slices.Contains(userNames(), f.user):
		return exit.Unknown("user", f.user, userNames())
	case f.workers < 1:
		return wrong("--workers %d: at least 1", f.workers)
	case f.named("go-workers") && f.inGo < 1:
		return wrong("--go-workers %d: at least 1", f.inGo)
	}
	engine, not := "--engine "+f.engine, map[string][]string{"go": {"workers", "user", "go-workers"}, "locust": {"rate", "mix", "header", "body", "insecure", "client"}}[f.engine]
	if f.engine == "locust" && f.inGo > 0 {
		engine, not = "--go-workers", []string{"rate", "workers", "user"}
	}
	for _, flag := range not {
		if f.named(flag) {
			return wrong("--%s: not with %s", flag, engine)
		}
	}
	if seconds := f.duration / time.Duration(f.trials); f.engine == "locust" && seconds < leastLocust {
		return wrong("--duration %v: each of %d trials would take less than %v, and Locust needs that to start", f.duration, f.trials, leastLocust)
	}
	return nil
}

// leastLocust is the shortest trial of Locust's.
const leastLocust = 2 * time.Second
