package cmd

import (
	"context"
	"io"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/cmd/internal/exit"
	"github.com/syncwrite/syncwrite/subject/identity"
	"github.com/syncwrite/syncwrite/subject/identity/identitypb"
	"github.com/syncwrite/syncwrite/subject/identity/identityrpc"
)

func localListener(t *testing.T) net.Listener {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return listener
}

// peerAt serves replica 2/2, above 1000, until the test ends.
func peerAt(t *testing.T, listener net.Listener) {
	ids, err := identityrpc.Open(t.TempDir(), identity.KeptOptions[*identitypb.Identities]{
		Options: identity.Options[*identitypb.Identities]{Floor: 1000}, Replica: identity.Replica{Number: 2, Of: 2}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	var serving sync.WaitGroup
	serving.Go(func() {
		if err := identityrpc.Serve(ctx, listener, ids, identityrpc.ServeOptions{}); err != nil {
			t.Error(err)
		}
		ids.Close()
	})
	t.Cleanup(func() { stop(); serving.Wait() })
}

// Nobody takes what the server says: it serves, follows its peer and ends all the same.
func TestServeIdentityIsNotHeard(t *testing.T) {
	own, peer := localListener(t), localListener(t)
	peerAt(t, peer)
	own.Close() // and so its port is free
	unread, stderr := io.Pipe()
	defer unread.Close()
	f := identityFlags{data: t.TempDir(), replica: "1/2", listen: own.Addr().String(), peers: []string{peer.Addr().String()}, interval: 100 * time.Millisecond, most: identityrpc.DefaultMost}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- f.serve(ctx, stderr) }()
	client, err := identityrpc.New([]string{f.listen}, identityrpc.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	for id, late := uint64(0), time.Now().Add(10*time.Second); id <= 1000; time.Sleep(20 * time.Millisecond) {
		if id, err = client.Next(t.Context()); time.Now().After(late) {
			t.Fatalf("it does not follow: %d, %v", id, err)
		}
	}
	stop()
	select {
	case err = <-ended:
		if code := exit.Code(io.Discard, err); code != 0 {
			t.Errorf("it ends with %d", code)
		}
	case <-time.After(10 * time.Second):
		t.Error("it does not end")
	}
}
