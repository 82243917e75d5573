package identityrpc_test

import (
	"context"
	"fmt"
	"net"
	"os"

	"github.com/syncwrite/syncwrite/subject/identity"
	"github.com/syncwrite/syncwrite/subject/identity/identitypb"
	"github.com/syncwrite/syncwrite/subject/identity/identityrpc"
)

func Example() {
	dir, err := os.MkdirTemp("", "ids")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	ids, err := identityrpc.Open(dir, identity.KeptOptions[*identitypb.Identities]{Replica: identity.Replica{Number: 2, Of: 3}})
	if err != nil {
		fmt.Println(err)
		return
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	served := make(chan error, 1)
	go func() { served <- identityrpc.Serve(ctx, listener, ids, identityrpc.ServeOptions{}) }()

	client, err := identityrpc.New([]string{listener.Addr().String()}, identityrpc.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(client.Next(ctx))
	some, err := client.NextN(ctx, 3)
	fmt.Println(some.At(0), some.At(1), some.Last(), err)
	fmt.Println(client.Update(ctx, 1000), client.Close())
	stop()
	fmt.Println(<-served, ids.Last(), ids.Close())
	// Output:
	// 2 <nil>
	// 5 8 11 <nil>
	// <nil> <nil>
	// <nil> 1000 <nil>
}
