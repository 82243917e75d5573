package actor

import (
	"context"
	"slices"
)

// Keys under which contexts hold actors: that of a handler, and those that wait for its
// goroutine when they end.
type (
	handlerKey struct{}
	withinKey  struct{}
)

// within is a context of an actor's handler: of one that those in ctx wait for as well.
// Without an actor nobody waits.
func within(ctx context.Context, actor any) context.Context {
	if actor == nil {
		return context.WithValue(ctx, withinKey{}, []any(nil))
	}
	waiting, _ := ctx.Value(withinKey{}).([]any)
	return context.WithValue(context.WithValue(ctx, withinKey{}, append(slices.Clone(waiting), actor)), handlerKey{}, actor)
}

// isHandlers reports whether a context is that of an actor's handler.
func isHandlers(ctx context.Context, actor any) bool {
	return actor != nil && ctx.Value(handlerKey{}) == actor
}

// isWithin reports whether a context belongs to what an actor waits for when it ends:
// its handler, what it has started, and theirs.
func isWithin(ctx context.Context, actor any) bool {
	waiting, _ := ctx.Value(withinKey{}).([]any)
	return slices.Contains(waiting, actor)
}
