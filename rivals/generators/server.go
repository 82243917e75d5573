package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"time"

	"github.com/valyala/fasthttp"
)

// The server stalls for so long at the beginning of each period.
const (
	stallPeriod = 2 * time.Second
	stallLength = 500 * time.Millisecond
)

// counts are what the server saw since it was last asked.
type counts struct {
	Requests    int64
	First, Last int64 // ns
}

// serve answers / at once, /stall not while it stalls, and /counts with what there was.
func serve() error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Printf("http://%s\n", listener.Addr())
	var requests, first, last atomic.Int64
	began := time.Now()
	handler := func(c *fasthttp.RequestCtx) {
		if path := string(c.Path()); path == "/counts" {
			json.NewEncoder(c).Encode(counts{requests.Swap(0), first.Swap(0), last.Load()})
			return
		} else if path == "/stall" {
			if at := time.Since(began) % stallPeriod; at < stallLength {
				time.Sleep(stallLength - at)
			}
		}
		now := int64(time.Since(began))
		if requests.Add(1) == 1 {
			first.Store(now)
		}
		last.Store(now)
		c.SetBodyString("hello\n")
	}
	go func() { // ends with who started it
		bufio.NewReader(os.Stdin).ReadByte()
		os.Exit(0)
	}()
	return fasthttp.Serve(listener, handler)
}

// A server is one in a process of its own, on the last processor.
type server struct {
	url     string
	command *exec.Cmd
	in      interface{ Close() error }
}

func startServer(ctx context.Context) (*server, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	c := exec.CommandContext(ctx, "taskset", "-c", "1", self, "-serve")
	in, err := c.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := c.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := c.Start(); err != nil {
		return nil, err
	}
	url, err := bufio.NewReader(out).ReadString('\n')
	return &server{strings.TrimSpace(url), c, in}, err
}

func (s *server) stop() {
	s.in.Close()
	s.command.Wait()
}

func (s *server) counts() (c counts, err error) {
	response, err := http.Get(s.url + "/counts")
	if err != nil {
		return c, err
	}
	defer response.Body.Close()
	return c, json.NewDecoder(response.Body).Decode(&c)
}

// measured is how a tool did: requests a second between the first and the last, and seconds
// of its processors' time a request.
type measured struct{ rate, cpu float64 }

// measure runs a tool on the first processor.
func (s *server) measure(ctx context.Context, t tool, j job) (measured, error) {
	if _, err := s.counts(); err != nil {
		return measured{}, err
	}
	c, out, err := j.run(ctx, t)
	if err != nil {
		return measured{}, fmt.Errorf("%s: %w: %s", t.name, err, out)
	}
	seen, err := s.counts()
	if err != nil {
		return measured{}, err
	}
	if seen.Requests < 2 {
		return measured{}, fmt.Errorf("%s: the server saw %d requests: %s", t.name, seen.Requests, out)
	}
	state := c.ProcessState
	return measured{float64(seen.Requests-1) / float64(seen.Last-seen.First) * 1e9, (state.UserTime() + state.SystemTime()).Seconds() / float64(seen.Requests)}, nil
}

// stall asks a tool what it says of the server that stalls.
func (s *server) stall(ctx context.Context, t tool, j job) ([]float64, error) {
	_, out, err := j.run(ctx, t)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", t.name, err, out)
	}
	q, err := t.quantiles(j, out)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", t.name, err, out)
	}
	return q, nil
}

// run runs a tool to its end. Those that end by other codes than 0 where requests failed
// are wrong here: none fails.
func (j job) run(ctx context.Context, t tool) (*exec.Cmd, []byte, error) {
	words := append([]string{"-c", "0"}, t.command(j)...)
	c := exec.CommandContext(ctx, "taskset", words...)
	var out bytes.Buffer
	c.Stdout, c.Stderr, c.Dir = &out, &out, j.dir
	c.Env = append(os.Environ(), "GOMAXPROCS=1")
	err := c.Run()
	return c, out.Bytes(), err
}

var errNoQuantiles = errors.New("no percentiles in what it wrote")
