package identity_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
)

// A call is of NextN, or of Update where n is 0.
type call struct{ n, id uint64 }

// Histories of many callers can be put into one order that a number that only grows
// would have answered alike.
func TestLinearizable(t *testing.T) {
	each(t, func(t *testing.T, open func(uint64) server) {
		if !linearizable(t, open(0)) {
			t.Error("no sequential server would have answered so")
		}
	})
}

// The check sees a server that is not: one that hands out what it has kept, although
// the floor was raised meanwhile.
func TestCheckSeesWhatIsNot(t *testing.T) {
	each(t, func(t *testing.T, open func(uint64) server) {
		for range mostHistories {
			if !linearizable(t, &keeping{server: open(0)}) {
				return
			}
		}
		t.Errorf("identities that were taken before an update are not seen in %d histories", mostHistories)
	})
}

// mostHistories is how many are looked through: in one of them callers need not have met
// so that it shows.
const mostHistories = 200

// keeping takes two at a time and keeps the second one for whoever comes next.
type keeping struct {
	server
	mu   sync.Mutex
	kept []span
}

func (k *keeping) NextN(ctx context.Context, n uint64) (span, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.kept) > 0 {
		got := k.kept[0]
		k.kept = k.kept[1:]
		return got, nil
	}
	got, err := k.server.NextN(ctx, n+1)
	k.kept = append(k.kept, span{got.first + 1, n})
	return span{got.first, n}, err
}

func linearizable(t *testing.T, s server) bool {
	const callers, times = 8, 100
	histories := make([][]porcupine.Operation, callers)
	began := time.Now()
	var all sync.WaitGroup
	for c := range callers {
		all.Go(func() {
			random := rand.New(rand.NewPCG(1, uint64(c)))
			top := uint64(0)
			for range times {
				in, out, err := call{n: 1}, span{}, error(nil)
				if random.IntN(4) == 0 {
					in = call{id: top + random.Uint64N(6)}
				}
				at := time.Since(began)
				if in.n > 0 {
					out, err = s.NextN(t.Context(), in.n)
				} else {
					err = s.Update(t.Context(), in.id)
				}
				if err != nil {
					t.Error(err)
					return
				}
				top = max(top, out.first, in.id)
				histories[c] = append(histories[c], porcupine.Operation{
					ClientId: c, Input: in, Output: out.first, Call: int64(at), Return: int64(time.Since(began)),
				})
			}
		})
	}
	all.Wait()
	return porcupine.CheckOperations(growing(), slices.Concat(histories...))
}

// growing is the sequential server: its state is the last identity.
func growing() porcupine.Model {
	return porcupine.Model{
		Init: func() any { return uint64(0) },
		Step: func(state, in, out any) (bool, any) {
			last, c := state.(uint64), in.(call)
			if c.n == 0 {
				return true, max(last, c.id)
			}
			return out.(uint64) == last+1, last + c.n
		},
	}
}
