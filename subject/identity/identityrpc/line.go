package identityrpc

import (
	"context"
	"errors"
	"fmt"
	"time"

	"google.golang.org/grpc"

	"github.com/syncwrite/syncwrite/subject/identity/identitypb"
)

// A line is a stream to the server that answered last, for one request at a time: without
// what a call of its own takes, an answer is there in half the time. One goroutine uses it.
type line struct {
	client *Client
	stream grpc.BidiStreamingClient[identitypb.NextRequest, identitypb.Identities] // nil if there is none
	to     int64                                                                   // the server
	cancel context.CancelFunc
	late   *time.Timer // cancels
}

var (
	errNoLine = errors.New("there is no stream to the server")
	errLate   = errors.New("no answer within")
)

// ask asks over the stream. Before the first identity there is none; after an error the next
// request opens another one.
func (l *line) ask(ctx context.Context, n uint64) (Range, error) {
	if l.stream != nil && l.to != l.client.current.Load() {
		l.hangUp()
	}
	if l.stream == nil && !l.open(ctx) {
		return Range{}, errNoLine
	}
	l.late.Reset(l.client.options.Patience)
	r, err := l.exchange(n)
	if inTime := l.late.Stop(); !inTime { // the next one is asked
		l.client.current.CompareAndSwap(l.to, (l.to+1)%int64(len(l.client.servers)))
		err = fmt.Errorf("next %d: %s: %w %v", n, l.client.servers[l.to].address, errLate, l.client.options.Patience)
	}
	if err != nil {
		l.hangUp()
		return r, err
	}
	l.client.raise(r.Last())
	return r, nil
}

func (l *line) exchange(n uint64) (Range, error) {
	request := l.client.request(n)
	if err := l.stream.Send(request); err != nil {
		return Range{}, err
	}
	reply, err := l.stream.Recv()
	if err != nil {
		return Range{}, err
	}
	return rangeOf(reply, request)
}

// open opens a stream to the server that answered last; before any has, there is none.
func (l *line) open(ctx context.Context) bool {
	if l.client.highest.Load() == 0 {
		return false
	}
	ctx, l.cancel = context.WithCancel(ctx)
	l.to = l.client.current.Load()
	l.late = time.AfterFunc(l.client.options.Patience, l.cancel)
	var err error
	l.stream, err = l.client.servers[l.to].rpc.Stream(ctx)
	l.late.Stop()
	if err != nil {
		l.hangUp()
	}
	return err == nil
}

func (l *line) hangUp() {
	if l.cancel != nil {
		l.late.Stop()
		l.cancel()
	}
	l.stream, l.cancel = nil, nil
}
