// Command hollywood measures our actor beside that of github.com/anthdm/hollywood.
//
//	go run ./hollywood run
package main

import (
	"os"

	"github.com/anthdm/hollywood/actor"

	"github.com/syncwrite/syncwrite/cmd"
	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/rivals/internal/actors"
)

func main() {
	os.Exit(cmd.Main([]harness.Experiment{actors.Experiment("hollywood", start)}, os.Args[1:]))
}

func start(handle func(*actors.Message)) (actors.Actor, error) {
	engine, err := actor.NewEngine(actor.NewEngineConfig())
	if err != nil {
		return actors.Actor{}, err
	}
	pid := engine.SpawnFunc(func(c *actor.Context) {
		if m, ok := c.Message().(*actors.Message); ok {
			handle(m)
		}
	}, "receiver")
	return actors.Actor{
		Send: func(m *actors.Message) error { engine.Send(pid, m); return nil },
		Stop: func() error { <-engine.Poison(pid).Done(); return nil },
	}, nil
}
