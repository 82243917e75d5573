package identityrpc

import (
	"context"
	"fmt"
	"net"
	"sync"
	"testing"

	"google.golang.org/grpc"

	"github.com/syncwrite/syncwrite/subject/identity"
	"github.com/syncwrite/syncwrite/subject/identity/identitypb"
)

// Callers that share requests, over loopback.
func BenchmarkNext(b *testing.B) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	server := grpc.NewServer()
	identitypb.RegisterIdentityServer(server, NewService(identity.NewAtomic(identity.Options[*identitypb.Identities]{Reply: Replies(1)}), 0))
	go server.Serve(listener)
	defer server.Stop()
	for _, callers := range []int{1, 8, 64} {
		b.Run(fmt.Sprintf("callers=%d", callers), func(b *testing.B) {
			client, err := New([]string{listener.Addr().String()}, Options{})
			if err != nil {
				b.Fatal(err)
			}
			defer client.Close()
			var group sync.WaitGroup
			for range callers {
				group.Go(func() {
					for range b.N/callers + 1 {
						if _, err := client.Next(context.Background()); err != nil {
							b.Error(err)
							return
						}
					}
				})
			}
			group.Wait()
			b.ReportMetric(float64(b.N)/float64(client.Calls()), "ids/request")
		})
	}
}
