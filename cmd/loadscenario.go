package cmd

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"slices"
	"strings"

	"github.com/syncwrite/syncwrite/cmd/internal/exit"
	"github.com/syncwrite/syncwrite/load"
)

// scenario reads what users are to ask, and how.
func (f loadFlags) scenario(what string) (s load.Scenario, err error) {
	switch {
	case what == "albums":
		s, err = f.albums()
	case f.engine == "locust" && f.inGo == 0:
		err = exit.Usage(fmt.Errorf("load %s: --engine locust asks albums alone", load.ShowURL(what)), "with --go-workers it asks whatever load can ask")
	case isFile(what):
		s, err = f.file(what)
	default:
		s, err = f.requests(what)
	}
	if err != nil {
		return s, err
	}
	s.NetHTTP = f.client == "net-http"
	if s.Timeout == 0 || f.named("timeout") {
		s.Timeout = f.request
	}
	if s.Wait == (load.Wait{}) || f.named("wait") {
		s.Wait, err = load.ParseWait(f.wait)
	}
	switch {
	case f.rate != "" && s.Wait.To > 0:
		return s, exit.Usage(errors.New("--rate and --wait: one or the other"), "")
	case err != nil:
		return s, exit.Usage(fmt.Errorf("--wait %s: %w", f.wait, err), "")
	case !slices.Contains(clientNames(), f.client):
		return s, exit.Unknown("client", f.client, clientNames())
	case f.request <= 0:
		return s, exit.Usage(fmt.Errorf("--timeout %v: more than 0", f.request), "")
	}
	if err := s.Check(); err != nil {
		return s, exit.Usage(fmt.Errorf("load %s: %w", load.ShowURL(what), err), "for example syncwrite load http://127.0.0.1:8080/albums")
	}
	return s, nil
}

// sayNoPlaces warns of words that look like places: all users would send the same.
func sayNoPlaces(stderr io.Writer, verb string, s load.Scenario) {
	if none := s.NoPlaces(); len(none) > 0 {
		exit.Say(stderr, fmt.Sprintf("%s: %s is sent as it stands: places are {{user}}, {{n}} and {{run}}", verb, strings.Join(none, ", ")))
	}
}

// albums is the scenario of that name, which says by itself what is asked.
func (f loadFlags) albums() (s load.Scenario, err error) {
	program, err := program()
	if err != nil {
		return s, err
	}
	if err := f.settled("albums"); err != nil {
		return s, err
	}
	return load.Albums(load.AlbumsService{Program: program}), nil
}

// settled refuses the flags that a scenario settles by itself.
func (f loadFlags) settled(what string) error {
	for _, flag := range []string{"mix", "header", "body", "insecure"} {
		if f.named(flag) {
			return exit.Usage(fmt.Errorf("--%s: not with %s, which says what is asked", flag, what), "")
		}
	}
	return nil
}

// isFile reports whether what is to be asked is named by a file.
func isFile(what string) bool {
	return !strings.Contains(what, "://") && strings.HasSuffix(what, ".json")
}

// file is the scenario that a file has.
func (f loadFlags) file(name string) (s load.Scenario, err error) {
	if err := f.settled(load.ShowURL(name)); err != nil {
		return s, err
	}
	file, err := os.Open(name)
	var of *fs.PathError
	if errors.As(err, &of) { // as every error of it is: it shows the name, which can be a URL without its scheme
		return s, exit.Usage(fmt.Errorf("load: open %s: %w", load.ShowURL(name), of.Err), "")
	}
	defer file.Close()
	if s, err = load.ReadScenario(file); err != nil {
		return s, exit.Usage(fmt.Errorf("load %s: %w", load.ShowURL(name), err), "docs/method.md shows one")
	}
	return s, nil
}

// requests are those that the flags describe.
func (f loadFlags) requests(url string) (s load.Scenario, err error) {
	s = load.Scenario{URL: url, Insecure: f.insecure, Header: http.Header{}}
	if s.Mix, err = load.ParseMix(f.mix); err != nil {
		return s, exit.Usage(fmt.Errorf("--mix %s: %w", f.mix, err), "")
	}
	for _, text := range f.headers {
		name, value, err := load.ParseHeader(text)
		if err != nil {
			return s, exit.Usage(fmt.Errorf("--header: %w", err), "")
		}
		s.Header.Add(name, value)
	}
	if f.body != "" && !slices.ContainsFunc(s.Mix, func(w load.Weighted) bool { return load.HasBody(w.Method) }) {
		return s, exit.Usage(fmt.Errorf("--body: no request of --mix %s has one", f.mix), "post, put and patch have")
	}
	s.Body = f.body
	if name, is := strings.CutPrefix(f.body, "@"); is {
		text, err := os.ReadFile(name)
		if err != nil {
			return s, exit.Usage(fmt.Errorf("--body %s: %w", f.body, err), "")
		}
		s.Body = string(text)
	}
	return s, nil
}
