package cmd

import (
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"

	"github.com/syncwrite/syncwrite/cmd/internal/exit"
	"github.com/syncwrite/syncwrite/load"
)

// scenario reads what users are to ask.
func (f loadFlags) scenario(url string) (s load.Scenario, err error) {
	if url == "albums" {
		return f.albums()
	}
	if f.engine == "locust" {
		return s, exit.Usage(fmt.Errorf("load %s: --engine locust asks albums alone", url), "")
	}
	wrong := func(flag, value string, err error) (load.Scenario, error) {
		return s, exit.Usage(fmt.Errorf("%s %s: %w", flag, value, err), "")
	}
	s = load.Scenario{URL: url, Timeout: f.request, Insecure: f.insecure, NetHTTP: f.client == "net-http", Header: http.Header{}}
	if s.Mix, err = load.ParseMix(f.mix); err != nil {
		return wrong("--mix", f.mix, err)
	}
	if s.Wait, err = load.ParseWait(f.wait); err != nil {
		return wrong("--wait", f.wait, err)
	}
	for _, text := range f.headers {
		name, value, err := load.ParseHeader(text)
		if err != nil {
			return wrong("--header", "", err)
		}
		s.Header.Add(name, value)
	}
	if name, is := strings.CutPrefix(f.body, "@"); is {
		text, err := os.ReadFile(name)
		if err != nil {
			return wrong("--body", f.body, err)
		}
		f.body = string(text)
	}
	s.Body = f.body
	switch {
	case !slices.Contains(clientNames(), f.client):
		return s, exit.Unknown("client", f.client, clientNames())
	case f.request <= 0:
		return wrong("--timeout", f.request.String(), fmt.Errorf("more than 0"))
	}
	if err := s.Check(); err != nil {
		return s, exit.Usage(fmt.Errorf("load %s: %w", url, err), "for example syncwrite load http://127.0.0.1:8080/albums")
	}
	return s, nil
}

// albums is the scenario of that name, which says by itself what is asked.
func (f loadFlags) albums() (s load.Scenario, err error) {
	program, err := program()
	if err != nil {
		return s, err
	}
	for _, flag := range []string{"mix", "header", "body", "insecure"} {
		if f.named(flag) {
			return s, exit.Usage(fmt.Errorf("--%s: not with albums, which says what is asked", flag), "")
		}
	}
	s = load.Albums(program)
	s.NetHTTP, s.Timeout = f.client == "net-http", f.request
	if s.Wait, err = load.ParseWait(f.wait); err != nil {
		return s, exit.Usage(fmt.Errorf("--wait %s: %w", f.wait, err), "")
	}
	if !slices.Contains(clientNames(), f.client) {
		return s, exit.Unknown("client", f.client, clientNames())
	}
	return s, nil
}
