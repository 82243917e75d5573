package cmd

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/cmd/internal/exit"
	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/results"
)

// got is an answer.
type got struct {
	status  int
	refresh string
	body    string
	err     error
}

func ask(url, host string) got {
	request, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		return got{err: err}
	}
	if host != "" {
		request.Host = host
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return got{err: err}
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	return got{answer.StatusCode, answer.Header.Get("Refresh"), string(body), err}
}

// watched is a run that goes on and is served.
func watched(t *testing.T) (*live, *harness.Config) {
	t.Helper()
	l, err := listenLive("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	config := &harness.Config{Record: func(any) error { return nil }, Progress: func(harness.Progress) {}}
	l.watch(config, io.Discard)
	return l, config
}

// Who asks while a trial is measured waits until it is done; the next one has not
// begun before the page is out.
func TestLivePageWaitsForTheTrial(t *testing.T) {
	l, config := watched(t)
	config.Record(results.Env{Format: results.Format})
	config.Record(results.Trial{Experiment: "log", Variant: "file", Goroutines: 1, Block: 1, Ops: 1000, WallNS: 1e9})
	answer := make(chan got, 1)
	go func() { answer <- ask(l.url(), "") }()
	select {
	case a := <-answer:
		t.Fatalf("answered in a window: %+v", a)
	case <-time.After(100 * time.Millisecond):
	}
	for a := (got{}); a.status == 0; {
		config.Progress(harness.Progress{Done: 1, Total: 12, Left: 9 * time.Second})
		select {
		case a = <-answer:
			if a.status != http.StatusOK || a.refresh == "" || !strings.Contains(a.body, "1 of 12 trials, 9s left") || !strings.Contains(a.body, "file, 1.00k operations/s") {
				t.Fatalf("%+v", a)
			}
		default:
		}
	}
	go func() { answer <- ask(l.url(), "") }()
	l.end(t.Context())
	if a := <-answer; a.status != http.StatusOK || a.refresh != "" || strings.Contains(a.body, "goes on") {
		t.Errorf("the last page: %+v", a)
	}
	if a := ask(l.url(), ""); a.err == nil {
		t.Error("served after the end")
	}
}

// Ctrl-C ends the run at once, although somebody watches.
func TestInterruptedRunWaitsForNoWatcher(t *testing.T) {
	l, _ := watched(t)
	l.asked.Store(time.Now().UnixNano())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	done := make(chan struct{})
	go func() {
		l.end(ctx)
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(refresh): // a watched run that was not interrupted waits for twice as long
		t.Error("it waits")
	}
}

func TestLivePageIsForThisMachine(t *testing.T) {
	l, _ := watched(t)
	defer l.end(t.Context())
	for _, host := range []string{"example.com", "example.com:80", "127.0.0.1.example.com:8377", "10.0.0.1:8377"} {
		if a := ask(l.url(), host); a.status != http.StatusForbidden {
			t.Errorf("host %s: %+v", host, a)
		}
	}
	if a := ask(l.url()+"other", ""); a.status != http.StatusNotFound {
		t.Errorf("another path: %+v", a)
	}
}

func TestLiveAddresses(t *testing.T) {
	l, err := listenLive("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.close()
	for address, want := range map[string]int{"": exit.WrongUsage, "8377": exit.WrongUsage, "0.0.0.0:0": exit.WrongUsage, "example.com:80": exit.WrongUsage, ":0": exit.WrongUsage, l.listener.Addr().String(): exit.Error} {
		var f *exit.Failure
		if other, err := listenLive(address); !errors.As(err, &f) || f.Code != want {
			t.Errorf("%q: %v", address, err)
			other.close()
		}
	}
}
