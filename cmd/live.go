package cmd

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/syncwrite/syncwrite/analysis"
	"github.com/syncwrite/syncwrite/cmd/internal/exit"
	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/report"
	"github.com/syncwrite/syncwrite/results"
)

// usualLive is where --live serves unless it is told.
const usualLive = "127.0.0.1:8377"

const (
	refresh   = 3 * time.Second // how often a browser asks again
	mostWrite = time.Second     // a reader that takes longer is left behind: trials wait for it
)

// live serves the page of a run while it goes on. Whoever asks while a trial is
// measured waits until it is done, and the next trial waits until all who asked
// have their page: nothing of this happens in a window.
type live struct {
	listener net.Listener
	server   http.Server
	served   chan struct{} // closed when the server is done
	quiet    sync.RWMutex  // held for writing while anything is measured
	run      results.Run
	state    string       // what is to come; empty once the run is over
	asked    atomic.Int64 // when somebody last did, in Unix nanoseconds
	last     chan struct{}
	once     sync.Once
}

// listenLive opens the port; nothing is answered before watch.
func listenLive(address string) (*live, error) {
	if err := checkListen(address); err != nil {
		return nil, exit.Usage(fmt.Errorf("--live %s: %w", address, err), "for example --live="+usualLive)
	}
	if host, _, _ := net.SplitHostPort(address); !loopback(host) {
		return nil, exit.Usage(fmt.Errorf("--live %s: not an address of this machine alone", address), "for example --live="+usualLive)
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, exit.With(exit.Error, fmt.Errorf("--live: %w", err), "--live=127.0.0.1:0 takes a free port")
	}
	l := &live{listener: listener, served: make(chan struct{}), last: make(chan struct{})}
	l.server = http.Server{Handler: l, ReadHeaderTimeout: mostWrite}
	return l, nil
}

// url is where the page is.
func (l *live) url() string { return "http://" + l.listener.Addr().String() + "/" }

// watch has the run tell what it records and when a trial begins, and answers from
// now on.
func (l *live) watch(c *harness.Config, stderr io.Writer) {
	if l == nil {
		return
	}
	record, progress := c.Record, c.Progress
	c.Record = func(r any) error {
		l.run.Add(r)
		return record(r)
	}
	c.Progress = func(p harness.Progress) {
		progress(p)
		l.between(p)
	}
	exit.Say(stderr, "live: "+l.url())
	l.quiet.Lock()
	l.state = "begins"
	go func() {
		defer close(l.served)
		l.server.Serve(l.listener) // which end ends
	}()
}

// between lets those in who wait, and waits for them. It is called before every
// trial.
func (l *live) between(p harness.Progress) {
	l.state = fmt.Sprintf("%d of %d trials, %v left", p.Done, p.Total, p.Left.Round(time.Second))
	if p.Calibrating {
		l.state = fmt.Sprintf("calibrating %d of %d", p.Done+1, p.Total)
	}
	if p.Tracing {
		l.state = fmt.Sprintf("tracing %d of %d", p.Done+1, p.Total)
	}
	l.quiet.Unlock()
	l.quiet.Lock()
}

// end shows the whole run to whoever has been watching, unless it was interrupted,
// and closes the server.
func (l *live) end(run context.Context) {
	if l == nil {
		return
	}
	l.state = ""
	watched := time.Since(time.Unix(0, l.asked.Load())) < 3*refresh
	l.quiet.Unlock()
	if watched {
		select {
		case <-l.last:
		case <-run.Done():
		case <-time.After(2 * refresh):
		}
	}
	wait, cancel := context.WithTimeout(run, mostWrite)
	defer cancel()
	l.server.Shutdown(wait)
	l.server.Close()
	<-l.served
}

// close gives the port back where nothing was begun.
func (l *live) close() {
	if l != nil {
		l.listener.Close()
	}
}

// ServeHTTP answers with the page as it is between two trials. A Host that is not
// this machine's own name is refused: a page of the net whose name was made to lead
// here is not to read it.
func (l *live) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if host, _, err := net.SplitHostPort(r.Host); err != nil || host != "localhost" && !net.ParseIP(host).IsLoopback() {
		http.Error(w, "this is served to this machine alone", http.StatusForbidden)
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead || r.URL.Path != "/" {
		http.NotFound(w, r)
		return
	}
	l.asked.Store(time.Now().UnixNano())
	l.quiet.RLock()
	defer l.quiet.RUnlock()
	page := analysis.Analyze(&l.run)
	if page.Live = l.state; l.state != "" { // it has no end yet
		page.Warnings = slices.DeleteFunc(page.Warnings, func(w results.Warning) bool { return w.Code == results.WarnUnfinished })
	}
	var text bytes.Buffer
	if err := report.HTML(&text, page); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	head := w.Header()
	head.Set("Content-Type", "text/html; charset=utf-8")
	head.Set("Cache-Control", "no-store")
	head.Set("X-Content-Type-Options", "nosniff")
	if l.state != "" {
		head.Set("Refresh", fmt.Sprint(int(refresh.Seconds())))
	}
	http.NewResponseController(w).SetWriteDeadline(time.Now().Add(mostWrite))
	w.Write(text.Bytes())
	if l.state == "" {
		l.once.Do(func() { close(l.last) })
	}
}
