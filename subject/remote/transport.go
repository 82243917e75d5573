package remote

import (
	"context"
	"math"
	"net"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"
)

const (
	// streamWindow is how many bytes of one stream may be on their way unread.
	streamWindow = 1 << 20
	// packetMargin is what a packet may have besides its messages.
	packetMargin = 64 << 10
	// A connection that is silent for so long is asked whether it lives, and has as long
	// to say so.
	silence = 20 * time.Second
)

// mostPacket is the largest packet that is received, where messages have so many bytes.
func mostPacket(largest int) int {
	return int(min(int64(largest)+packetSize+packetMargin, math.MaxInt32))
}

// dialing is how a connection is made. Each stream has its own, and the pauses between
// them are the peer's.
func (o Options) dialing() []grpc.DialOption {
	secured := insecure.NewCredentials()
	if o.TLS != nil {
		secured = credentials.NewTLS(o.TLS)
	}
	dialer := o.Dialer
	if dialer == nil {
		dialer = func(ctx context.Context, endpoint string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "tcp", endpoint)
		}
	}
	return []grpc.DialOption{
		grpc.WithTransportCredentials(secured),
		grpc.WithContextDialer(dialer),
		grpc.WithIdleTimeout(0),
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: silence, Timeout: silence}),
		grpc.WithInitialWindowSize(streamWindow),
		grpc.WithInitialConnWindowSize(streamWindow),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(mostPacket(o.Largest)), grpc.MaxCallSendMsgSize(math.MaxInt32)),
	}
}
