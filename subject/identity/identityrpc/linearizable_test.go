package identityrpc

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/syncwrite/syncwrite/subject/identity"
)

// Ways to ask, as callers of one client.
var ways = map[string]struct {
	open         func(c *Client) func(context.Context) (uint64, error)
	linearizable bool
}{
	"shared":  {func(c *Client) func(context.Context) (uint64, error) { return c.Next }, true},
	"alone":   {func(c *Client) func(context.Context) (uint64, error) { return (&one{c}).next }, true},
	"a lease": {func(c *Client) func(context.Context) (uint64, error) { return c.Lease(16).Next }, false},
}

type one struct{ *Client }

func (o *one) next(ctx context.Context) (uint64, error) {
	r, err := o.NextN(ctx, 1)
	return r.First, err
}

// Identities are handed out in one order that all callers see, but for leases, which the
// same check rejects.
func TestLinearizable(t *testing.T) {
	for name, way := range ways {
		t.Run(name, func(t *testing.T) {
			n := newNetwork()
			r := n.start(t, t.TempDir(), "one:1", identity.Replica{})
			c := n.client(t, "one:1")
			if got := porcupine.CheckOperations(ascending(), history(t, c, way.open)); got != way.linearizable {
				t.Errorf("linearizable: %v", got)
			}
			closeClient(t, c)
			r.end(t)
		})
	}
}

func history(t *testing.T, c *Client, open func(*Client) func(context.Context) (uint64, error)) []porcupine.Operation {
	const callers, times = 8, 60
	began := time.Now()
	histories := make([][]porcupine.Operation, callers)
	var all sync.WaitGroup
	for g := range callers {
		all.Go(func() {
			next := open(c)
			for range times {
				at := time.Since(began)
				id, err := next(t.Context())
				if err != nil {
					t.Error(err)
					return
				}
				histories[g] = append(histories[g], porcupine.Operation{ClientId: g, Output: id, Call: int64(at), Return: int64(time.Since(began))})
			}
		})
	}
	all.Wait()
	return slices.Concat(histories...)
}

// ascending is the sequential server: its state is the last identity, above which the next
// one lies.
func ascending() porcupine.Model {
	return porcupine.Model{
		Init: func() any { return uint64(0) },
		Step: func(state, _, out any) (bool, any) { return out.(uint64) > state.(uint64), out },
	}
}
