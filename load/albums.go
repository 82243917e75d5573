package load

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strconv"
	"time"

	"github.com/syncwrite/syncwrite/internal/cause"
	"github.com/syncwrite/syncwrite/internal/processors"
	"github.com/syncwrite/syncwrite/results"
)

// A Server is a process that answers for one trial.
type Server struct {
	URL        string
	PID        int
	Processors []int // that it is held to; empty: any
	Stop       func() error
}

// AlbumsService starts the list of albums, empty, in a process of its own.
type AlbumsService struct {
	Program    string // a syncwrite; empty: this program, if that is one
	Keep       int    // how long the list is and stays; 0: it grows
	Processors []int  // that the process is held to; empty: any
}

// Albums is the scenario of the course: three reads of the list to one append, of a
// service that each trial starts anew.
func Albums(s AlbumsService) Scenario {
	return Scenario{
		URL:   "http://albums/albums",
		Mix:   []Weighted{{Method: http.MethodGet, Weight: 3}, {Method: http.MethodPost, Weight: 1}},
		Body:  `{"id": "` + runPlace + "-" + userPlace + "-" + nPlace + `", "title": "Blue Train", "artist": "John Coltrane", "price": 56.99}`,
		Serve: s.Start,
	}
}

var serving = regexp.MustCompile(`albums on (http://\S+);`)

// Start starts the service and waits until it listens.
func (s AlbumsService) Start(ctx context.Context) (server Server, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("start the service: %w", err)
		}
	}()
	if s.Program == "" {
		if s.Program, err = os.Executable(); err != nil {
			return server, err
		}
	}
	c := exec.CommandContext(ctx, s.Program, "serve", "albums", "--listen", "127.0.0.1:0", "--guard", "mutex", "--max-albums", "100000000", "--keep", strconv.Itoa(s.Keep), "--with-stdin")
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	c.WaitDelay = stopping
	if _, err := c.StdinPipe(); err != nil { // it ends with this process, however that ends
		return server, err
	}
	out, err := c.StderrPipe()
	if err != nil {
		return server, err
	}
	if err := processors.Start(s.Processors, c); err != nil {
		return server, err
	}
	lines, silent := bufio.NewReader(out), make(chan struct{})
	line, err := lines.ReadString('\n')
	go func() { io.Copy(io.Discard, lines); close(silent) }()
	server = Server{PID: c.Process.Pid, Processors: s.Processors, Stop: func() error {
		c.Process.Signal(os.Interrupt)
		late := time.AfterFunc(stopping, func() { c.Process.Kill() })
		<-silent
		late.Stop()
		return c.Wait()
	}}
	if m := serving.FindStringSubmatch(line); m != nil {
		server.URL = m[1] + "/albums"
		return server, nil
	}
	return server, errors.Join(errors.New("it does not say where it listens: "+line), err, server.Stop())
}

// used is how much processor time the server has used so far.
func (s Server) used() results.Process {
	return results.Process{Name: results.Server, CPUNS: cause.OfProcess(s.PID), Most: cmp.Or(len(s.Processors), runtime.GOMAXPROCS(0)), Processors: s.Processors}
}

// stopping is how long the service has to stop in order.
const stopping = 15 * time.Second
