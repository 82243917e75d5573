package cmd

import (
	"bytes"
	"context"
	"io"
	"net"
	"strings"
	"sync"
	"testing"

	"github.com/syncwrite/syncwrite/cmd/internal/exit"
	"github.com/syncwrite/syncwrite/subject/identity/identityrpc"
)

// saidOfID is what id says where it gets nothing, and its exit code.
func saidOfID(t *testing.T, ctx context.Context, address string) (text string, code int) {
	client, err := identityrpc.New([]string{address}, identityrpc.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	var said bytes.Buffer
	code = exit.Code(&said, printIDs(ctx, io.Discard, client, 1))
	return said.String(), code
}

// hangsUp is the address of a server that is there, and closes each connection.
func hangsUp(t *testing.T) string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var serving sync.WaitGroup
	serving.Go(func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			c.Close()
		}
	})
	t.Cleanup(func() { listener.Close(); serving.Wait() })
	return listener.Addr().String()
}

// A server is to be started only where there is none.
func TestIDHints(t *testing.T) {
	if text, code := saidOfID(t, t.Context(), hangsUp(t)); code != exit.Error || strings.Contains(text, "starts one") {
		t.Errorf("where a server is: %d, %q", code, text)
	}
	if text, code := saidOfID(t, t.Context(), "127.0.0.1:1"); code != exit.Error || !strings.Contains(text, "starts one") {
		t.Errorf("where none is: %d, %q", code, text)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if text, code := saidOfID(t, ended, "127.0.0.1:1"); code != exit.Interrupted || text != "syncwrite: interrupted; what was printed was handed out\n" {
		t.Errorf("interrupted: %d, %q", code, text)
	}
}
