package load_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"time"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/load"
)

// Three users ask a server that refuses every post.
func ExampleExperiment() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			w.WriteHeader(http.StatusInsufficientStorage)
		}
	}))
	defer server.Close()
	mix, _ := load.ParseMix("get=3,post=1")
	e, err := load.Experiment(load.Scenario{URL: server.URL + "/albums", Mix: mix}, 3)
	if err != nil {
		fmt.Println(err)
		return
	}
	dir, _ := os.MkdirTemp("", "load")
	defer os.RemoveAll(dir)
	run, err := harness.Run(context.Background(), harness.Config{Trials: 1, Window: 100 * time.Millisecond, Dir: dir}, e)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, k := range run.Trials[0].Kinds {
		fmt.Println(k.Name, k.Ops > 0, k.Reasons())
	}
	// Output:
	// GET /albums true []
	// POST /albums false [status 507 Insufficient Storage]
}
