// Command protoactor measures our actor beside that of
// github.com/asynkron/protoactor-go.
//
//	go run ./protoactor run
package main

import (
	"os"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/syncwrite/syncwrite/cmd"
	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/rivals/internal/actors"
)

func main() {
	os.Exit(cmd.Main([]harness.Experiment{actors.Experiment("protoactor", start)}, os.Args[1:]))
}

func start(handle func(*actors.Message)) (actors.Actor, error) {
	system := actor.NewActorSystem()
	pid := system.Root.Spawn(actor.PropsFromFunc(func(c actor.Context) {
		if m, ok := c.Message().(*actors.Message); ok {
			handle(m)
		}
	}))
	return actors.Actor{
		Send: func(m *actors.Message) error { system.Root.Send(pid, m); return nil },
		Stop: func() error {
			err := system.Root.PoisonFuture(pid).Wait()
			system.Shutdown()
			return err
		},
	}, nil
}
