package load

import (
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"
)

// Scenarios that ask otherwise are told apart by what results keep of them, and those that
// ask alike are not; no header and no body is kept.
func TestWhatWasAskedIsKept(t *testing.T) {
	of := func(change func(*Scenario)) map[string]string {
		s := Scenario{URL: "http://127.0.0.1/a", Body: "hush", Header: http.Header{"Authorization": {"secret"}, "X-A": {"1", "2"}},
			Mix: []Weighted{{Method: "GET", Weight: 3}, {Method: "POST", Weight: 1, Path: "/b"}}}
		change(&s)
		e, err := Experiment(s, 2)
		if err != nil {
			t.Fatal(err)
		}
		return e.Asked
	}
	base := of(func(*Scenario) {})
	if text := fmt.Sprint(base); strings.Contains(text, "hush") || strings.Contains(text, "secret") {
		t.Error(text)
	}
	if base["requests"] != "GET /a ×3, POST /b ×1" || base["wait"] != "0s" || base["timeout"] != "10s" {
		t.Errorf("%q", base)
	}
	if again := of(func(s *Scenario) { s.Timeout = DefaultTimeout }); !maps.Equal(base, again) {
		t.Errorf("%q, then %q", base, again)
	}
	for name, change := range map[string]func(*Scenario){
		"URL":         func(s *Scenario) { s.URL += "?b" },
		"mix":         func(s *Scenario) { s.Mix[0].Weight = 2 },
		"path":        func(s *Scenario) { s.Mix[1].Path = "/c" },
		"body":        func(s *Scenario) { s.Body = "hist" },
		"a body":      func(s *Scenario) { s.Mix[1].Body = "hist" },
		"header":      func(s *Scenario) { s.Header.Set("Authorization", "other") },
		"more header": func(s *Scenario) { s.Header.Set("X-A", "1, 2") },
		"wait":        func(s *Scenario) { s.Wait = Wait{time.Second, 2 * time.Second} },
		"timeout":     func(s *Scenario) { s.Timeout = time.Second },
		"client":      func(s *Scenario) { s.NetHTTP = true },
		"insecure":    func(s *Scenario) { s.Insecure = true },
	} {
		if maps.Equal(base, of(change)) {
			t.Errorf("another %s: %q", name, base)
		}
	}
}
