package remote

import (
	"context"
	"fmt"
	"sync"
	"testing"
)

// Five thousand messages, each of a goroutine of its own, until all are answered.
func BenchmarkMany(b *testing.B) {
	const many = 5000
	for _, mailbox := range []int{1, 64, 4096} {
		b.Run(fmt.Sprint("mailbox=", mailbox), func(b *testing.B) {
			endpoint := listen(b, echo, ServiceOptions{})
			for range b.N {
				p := dial(b, endpoint, Options{InFlight: 16, Mailbox: mailbox})
				var reader, senders sync.WaitGroup
				reader.Go(func() { p.Events(context.Background(), func([]Event) error { return nil }) })
				for range many {
					senders.Go(func() {
						if err := p.Send(context.Background(), ping()); err != nil {
							b.Error(err)
						}
					})
				}
				senders.Wait()
				if err := p.Close(context.Background()); err != nil {
					b.Error(err)
				}
				reader.Wait()
			}
			b.ReportMetric(float64(b.N)*many/b.Elapsed().Seconds(), "messages/s")
		})
	}
}
