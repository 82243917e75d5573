package remote_test

import (
	"context"
	"fmt"
	"net"
	"strings"

	"github.com/syncwrite/syncwrite/subject/remote"
)

func Example() {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	served := make(chan error, 1)
	go func() {
		served <- remote.Serve(ctx, listener, func(_ context.Context, from string, m remote.Message) ([]byte, error) {
			return []byte(strings.ToUpper(string(m.Payload)) + " for " + from), nil
		}, remote.ServiceOptions{})
	}()

	peer, err := remote.Dial(ctx, listener.Addr().String(), remote.Options{Self: "example"})
	if err != nil {
		fmt.Println(err)
		return
	}
	answer, err := peer.Request(ctx, remote.Message{Type: 1, Payload: []byte("ping")})
	fmt.Println(string(answer), err)

	for _, word := range []string{"one", "two", "three"} {
		if err := peer.Send(ctx, remote.Message{Type: 2, Payload: []byte(word)}); err != nil {
			fmt.Println(err)
		}
	}
	fmt.Println(peer.Close(ctx)) // when all are answered; their events stay
	peer.Events(ctx, func(events []remote.Event) error {
		for _, e := range events {
			fmt.Println(string(e.Message.Payload), e.Outcome, string(e.Answer))
		}
		return nil
	})
	stop()
	<-served
	// Output:
	// PING for example <nil>
	// <nil>
	// one answered ONE for example
	// two answered TWO for example
	// three answered THREE for example
}
