package main_test

import (
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// server sets URL to a server that runs until the script ends: /ok answers, /fails says
// 500 every tenth time, /hangs never answers.
func server(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 0 {
		ts.Fatalf("usage: server")
	}
	n := 0
	counted := make(chan int)
	end := make(chan struct{})
	go func() {
		for {
			select {
			case counted <- n:
				n++
			case <-end:
				return
			}
		}
	}()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/hangs":
			select {
			case <-time.After(30 * time.Second):
			case <-end:
			}
		case r.URL.Path == "/fails" && <-counted%10 == 0:
			w.WriteHeader(http.StatusInternalServerError)
		}
	}))
	ts.Setenv("URL", s.URL)
	ts.Defer(func() { close(end); s.CloseClientConnections(); s.Close() })
}
