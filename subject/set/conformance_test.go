package set_test

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/syncwrite/syncwrite/subject/set"
	"github.com/syncwrite/syncwrite/subject/set/settest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestPromise(t *testing.T) {
	t.Run("Set", func(t *testing.T) {
		settest.Run(t, settest.Kind{ThreadSafe: true, Make: func(elements ...int) set.Interface[int] {
			return set.New(elements...)
		}})
	})
	t.Run("SetNonTS", func(t *testing.T) {
		settest.Run(t, settest.Kind{Make: func(elements ...int) set.Interface[int] {
			return set.NewNonTS(elements...)
		}})
	})
}
