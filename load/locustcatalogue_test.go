package load

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/syncwrite/syncwrite/experiments"
	"github.com/syncwrite/syncwrite/load/locust"
	"github.com/syncwrite/syncwrite/results"
)

// Any experiment can be done by fewer users than there could be, and keeps its promise.
func TestEveryVariantHasUsers(t *testing.T) {
	const most, users, each = 8, 3, 20
	for _, e := range experiments.Catalogue() {
		for _, one := range e.Variants {
			if one.Open == nil || one.Promise.Result == results.Lossy { // which races on purpose
				continue
			}
			t.Run(e.Name+"/"+one.Name, func(t *testing.T) {
				v, err := VariantUsers(Variant{Experiment: e, Name: one.Name, Most: most, Dir: t.TempDir()})
				if err != nil {
					t.Fatal(err)
				}
				run, err := v.Open(t.Context(), locust.Options{})
				if err != nil {
					t.Fatal(err)
				}
				var group sync.WaitGroup
				var done atomic.Int64
				for g := range users {
					u, err := run.User(g)
					if err != nil {
						t.Fatal(err)
					}
					group.Go(func() { done.Add(int64(does(t, u, each))) })
				}
				group.Wait()
				if _, err := run.Close(int(done.Load())); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// does so many operations of a user's, and returns how many succeeded.
func does(t *testing.T, u locust.User, each int) (done int) {
	if u.Begin != nil {
		u.Begin()
	}
	for range each {
		if u.Request != nil {
			if a := u.Request(); a.Failure != "" {
				t.Error(a.Failure)
				continue
			}
		} else if err := u.Operation(); err != nil {
			t.Error(err)
			continue
		}
		done++
	}
	return done
}
