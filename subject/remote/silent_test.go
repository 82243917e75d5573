package remote

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/syncwrite/syncwrite/subject/internal/pipes"
)

// A connection that has never said anything does not hold up the end, for which gRPC would
// wait ten seconds.
func TestServeEndsBesideSilence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		listener := pipes.Listen()
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- Serve(ctx, listener, echo, ServiceOptions{}) }()
		silent, err := listener.Dial(ctx)
		if err != nil {
			t.Fatal(err)
		}
		defer silent.Close()
		synctest.Wait()
		began := time.Now()
		cancel()
		<-ended
		if took := time.Since(began); took > stopping {
			t.Errorf("it took %v", took)
		}
	})
}
