package actor_test

import (
	"context"
	"testing"

	"github.com/syncwrite/syncwrite/subject/actor"
)

// BenchmarkDispatch is one message from Dispatch to its handler, of one producer.
func BenchmarkDispatch(b *testing.B) {
	ctx, handled := b.Context(), 0
	a := actor.Start(context.Background(), func(_ *actor.Self[*int], n *int) error { *n++; return nil }, actor.Settings[*int]{})
	for b.Loop() {
		if err := a.Dispatch(ctx, &handled); err != nil {
			b.Fatal(err)
		}
	}
	if err := a.Stop(context.Background()); err != nil {
		b.Fatal(err)
	}
}
