package load_test

import (
	"cmp"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/load"
)

func ExampleReadScenario() {
	s, err := load.ReadScenario(strings.NewReader(`{"url": "http://127.0.0.1:8080/albums", "wait": "1s-2s", "requests": [
		{"weight": 3}, {"method": "post", "body": {"id": "{{run}}-{{n}}"}}, {"path": "/albums/7?full"}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s.Wait.From, s.Wait.To)
	for _, w := range s.Mix {
		fmt.Printf("%d %s %q %s\n", w.Weight, w.Method, w.Path, cmp.Or(w.Body, "-"))
	}
	// Output:
	// 1s 2s
	// 3 GET "" -
	// 1 POST "" {"id":"{{run}}-{{n}}"}
	// 1 GET "/albums/7?full" -
}

// What a file asks is what arrives, each request at its path, with its body and headers;
// each is a kind of its own.
func TestScenarioOfAFile(t *testing.T) {
	clients(t, func(t *testing.T, base load.Scenario) {
		var mu sync.Mutex
		seen := map[string]int{}
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			mu.Lock()
			defer mu.Unlock()
			seen[fmt.Sprint(r.Method, " ", r.RequestURI, " ", string(body), " ", r.Header.Get("X-Key"))]++
		}))
		defer server.Close()
		s, err := load.ReadScenario(strings.NewReader(`{"url": "` + server.URL + `/here?a=%20b", "header": {"X-Key": "k"}, "requests": [
			{}, {"path": "/users/{{user}}?n={{n}}", "weight": 2}, {"method": "PUT", "path": "/x", "body": "plain {{user}}"}, {"method": "DELETE", "path": "/x"}]}`))
		if err != nil {
			t.Fatal(err)
		}
		s.NetHTTP = base.NetHTTP
		trial, failure := ask(t, s, 2, harness.Config{Window: 100 * time.Millisecond})
		if failure != "" {
			t.Fatal(failure)
		}
		for i, want := range []string{"GET /here", "GET /users/{{user}}?n={{n}}", "PUT /x", "DELETE /x"} {
			if k := trial.Kinds[i]; k.Name != want || k.Ops == 0 || k.Failed() > 0 {
				t.Errorf("%+v, want %s", k, want)
			}
		}
		known := regexp.MustCompile(`^(GET /here\?a=%20b  k|GET /users/[01]\?n=\d+  k|PUT /x plain [01] k|DELETE /x  k)$`)
		mu.Lock()
		defer mu.Unlock()
		for text, times := range seen {
			if !known.MatchString(text) {
				t.Errorf("%d times %q", times, text)
			}
			if strings.HasPrefix(text, "GET /users") && times > 1 {
				t.Errorf("%q %d times", text, times)
			}
		}
	})
}

// Requests that differ in their query alone are two kinds, also where one is the URL's.
func TestKindsThatDifferInTheirQuery(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer server.Close()
	s, err := load.ReadScenario(strings.NewReader(`{"url": "` + server.URL + `/a?b=1", "requests": [{}, {"path": "/a"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	trial, failure := ask(t, s, 2, harness.Config{Window: 100 * time.Millisecond})
	if failure != "" || trial.Kinds[0].Name != "GET /a?b=1" || trial.Kinds[1].Name != "GET /a" {
		t.Errorf("%s: %+v", failure, trial.Kinds)
	}
}

func TestBadScenarioFiles(t *testing.T) {
	for text, want := range map[string]string{
		``:                                       "no scenario in JSON",
		`[]`:                                     "no scenario in JSON",
		`{"url": "http://a/"} {}`:                "stands behind it",
		`{"url": "http://a/", "users": 5}`:       `unknown field "users"`,
		`{"requests": []}`:                       "scheme",
		`{"url": "http://a/", "wait": "no"}`:     "wait: ",
		`{"url": "http://a/", "timeout": "-1s"}`: "timeout",
		`{"url": "http://a/", "header": {"a b": "c"}}`:                              `header "a b": no name of a header`,
		`{"url": "http://a/", "header": {"a:b": "c"}}`:                              `header "a:b": no name of a header`,
		`{"url": "http://a/", "header": {" a": "c"}}`:                               `header " a": no name of a header`,
		`{"url": "http://a/", "header": {"a": "c\nd"}}`:                             `header "A": a value that no header can have`,
		`{"url": "http://a/", "header": {"Host": ""}}`:                              `header "Host": a value that is no host`,
		`{"url": "http://a/", "header": {"content-length": "5"}}`:                   `header "Content-Length": the client makes it`,
		`{"url": "http://a/", "timeout": "2100000h"}`:                               "timeout 2100000h0m0s: at most 24h",
		`{"url": "http://a/", "requests": [{"path": "x"}]}`:                         `path "x": it begins with /`,
		`{"url": "http://a/", "requests": [{"path": "/a b"}]}`:                      "write it as %20",
		`{"url": "http://a/", "requests": [{"path": "/a#b"}]}`:                      "write it as %20",
		`{"url": "http://a/", "requests": [{}, {"method": "get"}]}`:                 "request 2: GET / stands twice",
		`{"url": "http://a/ok", "requests": [{"weight": 3}, {"path": "/ok"}]}`:      "request 2: GET /ok stands twice",
		`{"url": "http://a", "requests": [{"path": "/"}, {}]}`:                      "request 2: GET / stands twice",
		`{"url": "http://a/", "requests": [{"weight": 0}]}`:                         "request 1: weight 0",
		`{"url": "http://a/", "requests": [{"method": "FETCH"}]}`:                   "no method",
		`{"url": "http://a/", "requests": [{"method": "DELETE", "body": "hello"}]}`: "a DELETE has no body",
	} {
		if _, err := load.ReadScenario(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
