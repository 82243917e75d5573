package actor_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/syncwrite/syncwrite/subject/actor"
)

// Puts through lanes that stay, beside a receiver that goes round them all.
func BenchmarkRingsLanes(b *testing.B) {
	for _, lanes := range []int{1, 8, 64, 1000} {
		b.Run(fmt.Sprintf("lanes=%d", lanes), func(b *testing.B) {
			box := actor.NewRings(actor.Options[int]{})
			var receiving, putting sync.WaitGroup
			receiving.Go(func() { box.Receive(context.Background(), func([]int) error { return nil }) })
			for range lanes {
				producer, _ := box.NewProducer()
				putting.Go(func() {
					for i := range b.N / lanes {
						producer.Put(context.Background(), i)
					}
				})
			}
			putting.Wait()
			box.Close()
			receiving.Wait()
		})
	}
}

// Producers that put one message each and are released, some beside others that stay.
func BenchmarkRingsShortLived(b *testing.B) {
	for _, stay := range []int{0, 1000} {
		b.Run(fmt.Sprintf("stay=%d", stay), func(b *testing.B) {
			box := actor.NewRings(actor.Options[int]{Capacity: 1})
			for range stay {
				box.NewProducer()
			}
			var receiving sync.WaitGroup
			receiving.Go(func() { box.Receive(context.Background(), func([]int) error { return nil }) })
			b.ReportAllocs()
			for i := range b.N {
				producer, release := box.NewProducer()
				producer.Put(context.Background(), i)
				release()
			}
			box.Close()
			receiving.Wait()
		})
	}
}
