package load

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"time"
)

// Albums is the scenario of the course: three reads of the list to one append, of a
// service that each trial starts anew, with an empty list, in a process of its own.
// program is a syncwrite that can serve it.
func Albums(program string) Scenario {
	return Scenario{
		URL:  "http://albums/albums",
		Mix:  []Weighted{{http.MethodGet, 3}, {http.MethodPost, 1}},
		Body: `{"id": "` + runPlace + "-" + userPlace + "-" + nPlace + `", "title": "Blue Train", "artist": "John Coltrane", "price": 56.99}`,
		Serve: func(ctx context.Context) (string, func() error, error) {
			s, err := startAlbums(ctx, program)
			if err != nil {
				return "", nil, fmt.Errorf("start the service: %w", err)
			}
			return s.url + "/albums", s.stop, nil
		},
	}
}

// A service is a server in a process of its own.
type service struct {
	url     string
	command *exec.Cmd
	rest    chan struct{} // closed when it says nothing more
}

var serving = regexp.MustCompile(`albums on (http://\S+);`)

// startAlbums starts the service and waits until it listens.
func startAlbums(ctx context.Context, program string) (*service, error) {
	c := exec.CommandContext(ctx, program, "serve", "albums", "--listen", "127.0.0.1:0", "--guard", "mutex", "--max-albums", "100000000")
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	c.WaitDelay = stopping
	out, err := c.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := c.Start(); err != nil {
		return nil, err
	}
	s := &service{command: c, rest: make(chan struct{})}
	lines := bufio.NewReader(out)
	line, err := lines.ReadString('\n')
	go func() { io.Copy(io.Discard, lines); close(s.rest) }()
	if m := serving.FindStringSubmatch(line); m != nil {
		s.url = m[1]
		return s, nil
	}
	return nil, errors.Join(errors.New("it does not say where it listens: "+line), err, s.stop())
}

// stopping is how long the service has to stop in order.
const stopping = 15 * time.Second

// stop ends the service and waits for it.
func (s *service) stop() error {
	s.command.Process.Signal(os.Interrupt)
	<-s.rest
	return s.command.Wait()
}
