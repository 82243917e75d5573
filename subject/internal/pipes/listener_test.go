package pipes

import (
	"errors"
	"io"
	"net"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// Under the race detector of Go 1.26 this crashes with connections of bufconn, in most runs.
func TestManyDialInABubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := Listen()
		ended := make(chan error, 1)
		go func() { ended <- echo(l) }()
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				for range 1000 {
					asks(t, l)
				}
			})
		}
		wg.Wait()
		l.Close()
		if err := <-ended; !errors.Is(err, net.ErrClosed) {
			t.Error(err)
		}
		if _, err := l.Dial(t.Context()); !errors.Is(err, net.ErrClosed) {
			t.Errorf("dialled after Close: %v", err)
		}
	})
}

func echo(l *Listener) error {
	var wg sync.WaitGroup
	defer wg.Wait()
	for {
		c, err := l.Accept()
		if err != nil {
			return err
		}
		wg.Go(func() { io.Copy(c, c); c.Close() })
	}
}

func asks(t *testing.T, l *Listener) {
	c, err := l.Dial(t.Context())
	if err != nil {
		t.Error(err)
		return
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(time.Second))
	got := make([]byte, 1)
	if _, err := c.Write([]byte{7}); err != nil {
		t.Error(err)
	}
	if _, err := io.ReadFull(c, got); err != nil || got[0] != 7 {
		t.Errorf("read %v, %v", got, err)
	}
}
