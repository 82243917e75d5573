package load_test

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/syncwrite/syncwrite/experiments"
	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/load"
	"github.com/syncwrite/syncwrite/results"
)

func TestMain(m *testing.M) {
	if code, is := experiments.Child(); is { // some variants start this binary once more
		os.Exit(code)
	}
	goleak.VerifyTestMain(m)
}

// ask measures one trial and returns it, or the outcome in its place.
func ask(t *testing.T, s load.Scenario, users int, config harness.Config) (results.Trial, string) {
	t.Helper()
	e, err := load.Experiment(s, users)
	if err != nil {
		t.Fatal(err)
	}
	config.Trials, config.Dir, config.Goroutines = 1, t.TempDir(), []int{users}
	if config.Window == 0 {
		config.Window = 200 * time.Millisecond
	}
	run, err := harness.Run(t.Context(), config, e)
	if err != nil {
		t.Fatal(err)
	}
	if len(run.Outcomes) > 0 {
		return results.Trial{}, run.Outcomes[0].Text
	}
	return run.Trials[0], ""
}

// clients are the scenarios with which each client asks.
func clients(t *testing.T, test func(t *testing.T, base load.Scenario)) {
	for _, nethttp := range []bool{false, true} {
		t.Run(fmt.Sprintf("net-http=%v", nethttp), func(t *testing.T) { test(t, load.Scenario{NetHTTP: nethttp}) })
	}
}

// What was asked, counted by the server, is what is told, request by request.
func TestEveryRequestIsCounted(t *testing.T) {
	clients(t, func(t *testing.T, s load.Scenario) {
		var gets, posts, refused atomic.Int64
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("X-Asked") != "yes" {
				t.Error("a header is missing")
			}
			if r.Method == http.MethodGet {
				gets.Add(1)
				io.WriteString(w, "0123456789")
				return
			}
			if n := posts.Add(1); n%3 == 0 {
				refused.Add(1)
				w.WriteHeader(http.StatusTeapot)
			}
		}))
		defer server.Close()
		s.URL, s.Mix = server.URL+"/albums", []load.Weighted{{Method: "GET", Weight: 3}, {Method: "POST", Weight: 1}}
		s.Header = http.Header{"X-Asked": {"yes"}}
		trial, failure := ask(t, s, 4, harness.Config{})
		if failure != "" {
			t.Fatal(failure)
		}
		get, post := trial.Kinds[0], trial.Kinds[1]
		if get.Name != "GET /albums" || get.Ops != int(gets.Load()) || get.Bytes != 10*gets.Load() || len(get.Failures) > 0 {
			t.Errorf("%d gets answered, told %+v", gets.Load(), get)
		}
		if post.Ops+post.Failed() != int(posts.Load()) || post.Failures["status 418 I'm a teapot"] != int(refused.Load()) {
			t.Errorf("%d posts, %d refused, told %+v", posts.Load(), refused.Load(), post)
		}
		if trial.Ops != get.Ops+post.Ops || trial.Failed != post.Failed() || int(trial.Latency.Hist.Count()) != trial.Ops {
			t.Errorf("in all %d and %d failed, %d latencies", trial.Ops, trial.Failed, trial.Latency.Hist.Count())
		}
		all := float64(get.Ops) + float64(posts.Load())
		if off := float64(posts.Load()) - all/4; math.Abs(off) > 5*math.Sqrt(all*3/16) { // five standard deviations
			t.Errorf("%d gets and %d posts, not 3 to 1", get.Ops, posts.Load())
		}
		ops := 0
		for _, m := range trial.Moments {
			ops += m.Ops
		}
		if ops != trial.Ops {
			t.Errorf("moments have %d of %d", ops, trial.Ops)
		}
	})
}

// Every body is another one where it has places for what differs.
func TestBodiesDiffer(t *testing.T) {
	clients(t, func(t *testing.T, s load.Scenario) {
		var seen sync.Map
		var twice, asked atomic.Int64
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			asked.Add(1)
			if _, there := seen.LoadOrStore(string(body), true); there || !strings.HasPrefix(string(body), `{"id": "`) {
				twice.Add(1)
			}
		}))
		defer server.Close()
		s.URL, s.Mix, s.Body = server.URL, []load.Weighted{{Method: "POST", Weight: 1}}, `{"id": "{{run}}-{{user}}-{{n}}"}`
		ask(t, s, 3, harness.Config{})
		ask(t, s, 3, harness.Config{})
		if twice.Load() > 0 || asked.Load() == 0 {
			t.Errorf("%d of %d bodies came twice", twice.Load(), asked.Load())
		}
	})
}

// What failed is counted by its reason and is in no latency.
func TestReasons(t *testing.T) {
	hang := make(chan struct{})
	var plain, secure *httptest.Server
	n := atomic.Int64{}
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if n.Add(1)%2 == 0 {
			return
		}
		switch r.URL.Path {
		case "/hangs":
			select {
			case <-hang:
			case <-r.Context().Done():
			}
		case "/closes":
			panic(http.ErrAbortHandler)
		case "/fails":
			w.WriteHeader(http.StatusInternalServerError)
		}
	})
	plain, secure = httptest.NewServer(handler), httptest.NewTLSServer(handler)
	defer plain.Close()
	defer secure.Close()
	defer close(hang)
	clients(t, func(t *testing.T, s load.Scenario) {
		for path, reason := range map[string]string{
			"/hangs": "timeout", "/closes": "the server closed the connection", "/fails": "status 500 Internal Server Error",
		} {
			s.URL, s.Timeout = plain.URL+path, time.Minute // a busy machine is no timeout
			if path == "/hangs" {
				s.Timeout = 30 * time.Millisecond
			}
			s.Mix = []load.Weighted{{Method: "POST", Weight: 1}} // is never asked again
			trial, failure := ask(t, s, 2, harness.Config{})
			if failure != "" {
				t.Errorf("%s: %s", path, failure)
				continue
			}
			k := trial.Kinds[0]
			if k.Failures[reason] == 0 || k.Failures[reason] != k.Failed() || int(k.Latency.Hist.Count()) != k.Ops {
				t.Errorf("%s: %+v", path, k)
			}
		}
		s.Mix = nil
		for url, reason := range map[string]string{
			secure.URL: "the certificate is not trusted",
			strings.Replace(plain.URL, "http", "https", 1): "the server does not speak TLS",
			"http://127.0.0.1:1":                           "connection refused",
		} {
			s.URL, s.Timeout = url, 5*time.Second
			if _, failure := ask(t, s, 1, harness.Config{}); failure != "no request succeeded: "+reason {
				t.Errorf("%s: %q", url, failure)
			}
		}
		s.URL, s.Insecure = secure.URL, true
		if _, failure := ask(t, s, 2, harness.Config{}); failure != "" {
			t.Error(failure)
		}
	})
}

// A connection that the server has closed while nothing was asked is opened again.
func TestIdleConnectionsCloseUnseen(t *testing.T) {
	clients(t, func(t *testing.T, s load.Scenario) {
		server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
		server.Config.IdleTimeout = 10 * time.Millisecond
		server.Start()
		defer server.Close()
		s.URL, s.Wait = server.URL, load.Wait{From: 400 * time.Millisecond, To: 500 * time.Millisecond} // long after the server has closed
		trial, failure := ask(t, s, 2, harness.Config{Window: time.Second})
		if failure != "" || trial.Failed > 0 || trial.Ops < 4 {
			t.Errorf("%s: %d answered, %d failed: %v", failure, trial.Ops, trial.Failed, trial.Kinds)
		}
	})
}

// Users rest between requests, and no latency holds it: with W of rest and R of answer a
// user asks 1/(R+W) times a second (Little's law).
func TestUsersRest(t *testing.T) {
	const answer, rest, users = 20 * time.Millisecond, 80 * time.Millisecond, 5
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { time.Sleep(answer) }))
	defer server.Close()
	trial, failure := ask(t, load.Scenario{URL: server.URL, Wait: load.Wait{From: rest, To: rest}}, users, harness.Config{Window: time.Second})
	if failure != "" {
		t.Fatal(failure)
	}
	if most := users * 10; trial.Ops > most || trial.Ops < users {
		t.Errorf("%d requests, not %d or less", trial.Ops, most)
	}
	if all := float64(trial.Latency.MeanNS) * float64(trial.Ops); all+float64(trial.PausedNS) > users*float64(trial.WallNS+2*int64(rest)) || all < float64(trial.Ops)*float64(answer) {
		t.Errorf("answers took %v of the users' time, and rests %v of it", time.Duration(all), time.Duration(trial.PausedNS))
	}
	if trial.PausedNS < int64(trial.Ops-users)*int64(rest) {
		t.Errorf("%d rests took %v", trial.Ops, time.Duration(trial.PausedNS))
	}
}

// In the open loop latency counts from when a request was due, also by kind: a stall is
// in all that came while it lasted.
func TestStallIsInEveryKind(t *testing.T) {
	var mu sync.Mutex
	began := time.Now()
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if since := time.Since(began) % time.Second; since > 800*time.Millisecond {
			time.Sleep(time.Second - since)
		}
	}))
	defer server.Close()
	trial, failure := ask(t, load.Scenario{URL: server.URL, Mix: []load.Weighted{{Method: "GET", Weight: 1}, {Method: "DELETE", Weight: 1}}}, 4,
		harness.Config{Rates: []string{"500/s"}, Window: 2 * time.Second})
	if failure != "" || trial.Open == nil || trial.Open.Unsent > 0 || trial.Ops != trial.Open.Due {
		t.Fatalf("%s: %+v", failure, trial)
	}
	for _, k := range trial.Kinds { // a fifth of all came in the stall, half of them 100 ms before its end
		if k.Latency.P90NS < 50e6 {
			t.Errorf("%s: p90 is %v: the stall is not seen", k.Name, k.Latency.P90NS)
		}
	}
}

// HTTP/2 is spoken where the server does and net/http asks.
func TestHTTP2(t *testing.T) {
	var other atomic.Int64
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.ProtoMajor != 2 {
			other.Add(1)
		}
	}))
	server.EnableHTTP2 = true
	server.StartTLS()
	defer server.Close()
	trial, failure := ask(t, load.Scenario{URL: server.URL, Insecure: true, NetHTTP: true}, 2, harness.Config{})
	if failure != "" || trial.Ops == 0 || other.Load() > 0 {
		t.Errorf("%s: %d requests, %d of them not HTTP/2", failure, trial.Ops, other.Load())
	}
}

func TestWordsOfAScenario(t *testing.T) {
	for _, text := range []string{"", "get", "get=0", "get=1,get=2", "push=1", "get=1001", "get=1,"} {
		if _, err := load.ParseMix(text); err == nil {
			t.Errorf("mix %q is accepted", text)
		}
	}
	for _, text := range []string{"", "1", "2s-1s", "-1s", "1s-", "1s-2", "0s-2562047h47m16.854775807s"} {
		if _, err := load.ParseWait(text); err == nil {
			t.Errorf("wait %q is accepted", text)
		}
	}
	for _, text := range []string{"", "secret", ": secret", "a secret: c", "a: secret\r\nc: d"} {
		if _, _, err := load.ParseHeader(text); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("header %q: %v", text, err)
		}
	}
	for _, url := range []string{"", "127.0.0.1:80", "ftp://a/", "http://", "http://:80/", "http://a:b@c/", "http://[::1/", "http://a:99999999/", "http://a:0/"} {
		if _, err := load.Experiment(load.Scenario{URL: url}, 1); err == nil {
			t.Errorf("URL %q is accepted", url)
		}
	}
	for _, header := range []http.Header{
		{"Transfer-Encoding": {"chunked"}}, {"Content-Length": {"5"}}, {"trailer": {"X"}}, {"Host": {""}}, {"Host": {"a b"}}, {"Host": {"a", "b"}},
		{"User-Agent": {"a", "b"}}, {"Content-Type": {"a", "b"}}, {"A B": {"c"}}, {"A": {"b\r\nc: d"}},
	} {
		for _, nethttp := range []bool{false, true} {
			if _, err := load.Experiment(load.Scenario{URL: "http://a/", Header: header, NetHTTP: nethttp}, 1); err == nil {
				t.Errorf("header %v is accepted", header)
			}
		}
	}
}

// raw serves connections by hand: each gets what answer says to its requests, one after
// another, and is closed when that is empty.
func raw(t *testing.T, answer func(connection, request int, head string) string) (url string) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	t.Cleanup(func() { listener.Close(); group.Wait() })
	group.Go(func() {
		for n := 0; ; n++ {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			group.Go(func() {
				defer conn.Close()
				lines := bufio.NewReader(conn)
				for request := 0; ; request++ {
					head := ""
					for !strings.HasSuffix(head, "\r\n\r\n") {
						line, err := lines.ReadString('\n')
						if err != nil {
							return
						}
						head += line
					}
					text := answer(n, request, head)
					if _, err := io.WriteString(conn, text); err != nil || text == "" {
						return
					}
				}
			})
		}
	})
	return "http://" + listener.Addr().String()
}

// A request that the server read and did not answer has failed: it is not sent again.
func TestDroppedRequestsAreCounted(t *testing.T) {
	dropped := atomic.Int64{}
	url := raw(t, func(_, request int, _ string) string {
		if request == 1 {
			dropped.Add(1)
			return ""
		}
		return "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
	})
	trial, failure := ask(t, load.Scenario{URL: url}, 2, harness.Config{})
	if failure != "" || dropped.Load() == 0 || trial.Failed != int(dropped.Load()) {
		t.Errorf("%s: %d dropped, %d told", failure, dropped.Load(), trial.Failed)
	}
}

// Answers stay with their requests, whatever stands before and behind them.
func TestAnswersStayWithTheirRequests(t *testing.T) {
	for name, c := range map[string]struct {
		method, before, answer string
	}{
		"early hints":       {"GET", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"},
		"continue twice":    {"POST", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"},
		"a body behind 204": {"GET", "", "HTTP/1.1 204 No Content\r\n\r\nextra"},
		"a body of a head":  {"HEAD", "", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nextra"},
	} {
		var asked atomic.Int64
		url := raw(t, func(int, int, string) string { asked.Add(1); return c.before + c.answer })
		trial, failure := ask(t, load.Scenario{URL: url, Mix: []load.Weighted{{Method: c.method, Weight: 1}}}, 2, harness.Config{Window: 100 * time.Millisecond})
		if failure != "" || trial.Failed > 0 || trial.Ops != int(asked.Load()) {
			t.Errorf("%s: %s: %d asked, %d answered, %v", name, failure, asked.Load(), trial.Ops, trial.Kinds)
		}
	}
}

// A connection that was closed after an answer, or that says something unasked, is
// opened again before the next request, also for one that may not be sent twice.
func TestIdleConnectionsAreLookedAt(t *testing.T) {
	closing := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	closing.Config.IdleTimeout = 10 * time.Millisecond
	closing.Start()
	defer closing.Close()
	saying := raw(t, func(int, int, string) string {
		return "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nHTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n"
	})
	for name, url := range map[string]string{"closed": closing.URL, "says that it closes": saying} {
		s := load.Scenario{URL: url, Mix: []load.Weighted{{Method: "POST", Weight: 1}}, Wait: load.Wait{From: 400 * time.Millisecond, To: 400 * time.Millisecond}} // long after the server has closed
		trial, failure := ask(t, s, 2, harness.Config{Window: time.Second})
		if failure != "" || trial.Failed > 0 || trial.Ops < 4 {
			t.Errorf("%s: %s: %d answered, %v", name, failure, trial.Ops, trial.Kinds)
		}
	}
}

// What was named is what is asked.
func TestWhatIsNamedIsAsked(t *testing.T) {
	clients(t, func(t *testing.T, s load.Scenario) {
		var heads sync.Map
		url := raw(t, func(_, _ int, head string) string {
			heads.Store(head, true)
			return "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
		})
		s.URL, s.Header = url+"/a%2Fb//c/../d?q=1", http.Header{"Host": {"example.org"}, "X-A": {"1", "2"}}
		ask(t, s, 1, harness.Config{Window: 50 * time.Millisecond})
		heads.Range(func(head, _ any) bool {
			text := strings.ToLower(head.(string))
			for _, part := range []string{"get /a%2fb//c/../d?q=1 http/1.1\r\n", "\r\nhost: example.org\r\n", "\r\nx-a: 1\r\n", "\r\nx-a: 2\r\n"} {
				if !strings.Contains(text, part) {
					t.Errorf("%q is not in %q", part, text)
				}
			}
			return false
		})
	})
}

// Headers are sent as they were given: cookies with their quotes and twice, whatever is
// said of the connection in all of its lines.
func TestHeadersAreSentAsTheyWereGiven(t *testing.T) {
	clients(t, func(t *testing.T, s load.Scenario) {
		var heads sync.Map
		url := raw(t, func(_, _ int, head string) string {
			heads.Store(head, true)
			return "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
		})
		s.URL = url
		s.Header = http.Header{"Cookie": {`a="b c";d=e; a=f;;g`, "a=h"}, "Connection": {"X-A", "x-b"}, "User-Agent": {`u "v"`}}
		s.Mix = []load.Weighted{{Method: "GET", Weight: 1}, {Method: "GET", Weight: 1, Path: "/{{n}}"}}
		ask(t, s, 1, harness.Config{Window: 50 * time.Millisecond})
		heads.Range(func(head, _ any) bool {
			for _, line := range []string{`Cookie: a="b c";d=e; a=f;;g`, "Cookie: a=h", "Connection: X-A", "Connection: x-b", `User-Agent: u "v"`} {
				if strings.Count(head.(string), "\r\n"+line+"\r\n") != 1 {
					t.Errorf("%q is not in %q once", line, head)
				}
			}
			return !t.Failed()
		})
	})
}

// A field's name is sent in its canonical form, however a file has it.
func TestNamesOfFieldsAreCanonical(t *testing.T) {
	file, err := load.ReadScenario(strings.NewReader(`{"url": "http://a/", "header": {"x-kEY": "kEy"}}`))
	if err != nil {
		t.Fatal(err)
	}
	clients(t, func(t *testing.T, s load.Scenario) {
		var as sync.Map
		s.Header = file.Header
		s.URL = raw(t, func(_, _ int, head string) string {
			as.Store(strings.Contains(head, "\r\nX-Key: kEy\r\n"), true)
			return "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
		})
		_, failure := ask(t, s, 1, harness.Config{Window: 50 * time.Millisecond})
		_, canonical := as.Load(true)
		if _, other := as.Load(false); failure != "" || other || !canonical {
			t.Errorf("%s: canonical %v, other %v", failure, canonical, other)
		}
	})
}

// A path is asked as it is written, also where it has places or characters that have to be
// encoded; so is it named.
func TestPathsAreAskedAsTheyAreWritten(t *testing.T) {
	clients(t, func(t *testing.T, s load.Scenario) {
		for path, want := range map[string]string{
			"/a%2Fb/{{user}}":           "/a%2Fb/0",
			"/a%2fb%7C/c|d":             "/a%2fb%7C/c%7Cd",
			"/a%2Fb/{x}/\"?c={{user}}|": "/a%2Fb/%7Bx%7D/%22?c=0|",
			"/ä/%20[b]?d":               "/%C3%A4/%20[b]?d",
			"?e=1":                      "/?e=1",
			"":                          "/",
		} {
			var asked sync.Map
			url := raw(t, func(_, _ int, head string) string {
				asked.Store(strings.Fields(head)[1], true)
				return "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
			})
			name, _, _ := strings.Cut(path, "?")
			s.URL = url + path
			trial, failure := ask(t, s, 1, harness.Config{Window: 50 * time.Millisecond})
			if _, there := asked.Load(want); failure != "" || !there || trial.Kinds[0].Name != "GET "+cmp.Or(name, "/") {
				asked.Range(func(got, _ any) bool {
					t.Errorf("%s: %s asks %s, want %s; named %q", path, failure, got, want, trial.Kinds[0].Name)
					return false
				})
			}
		}
	})
}

// A long body takes no memory; one that is cut off is no answer.
func TestLongBodies(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			io.CopyN(w, zeros{}, 5<<20)
			return
		}
		if r.Method == http.MethodPost { // else in chunks
			w.Header().Set("Content-Length", "4398046511104")
		}
		io.CopyN(w, zeros{}, 2<<20)
		panic(http.ErrAbortHandler)
	}))
	defer server.Close()
	trial, failure := ask(t, load.Scenario{URL: server.URL, Mix: []load.Weighted{{Method: "GET", Weight: 1}, {Method: "POST", Weight: 1}, {Method: "DELETE", Weight: 1}}}, 2, harness.Config{Window: 2 * time.Second}) // long enough for each to have its turn
	if failure != "" {
		t.Fatal(failure)
	}
	if get := trial.Kinds[0]; get.Bytes != int64(get.Ops)*5<<20 || get.Failed() > 0 {
		t.Errorf("%+v", get)
	}
	for _, cut := range trial.Kinds[1:] {
		if cut.Ops > 0 || cut.Failed() == 0 || cut.Failures["the server closed the connection"] != cut.Failed() {
			t.Errorf("%+v", cut)
		}
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// What waits for a failure behind the window's end makes the window no longer.
func TestFailuresBehindTheWindow(t *testing.T) {
	hang, first := make(chan struct{}), atomic.Bool{}
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if first.CompareAndSwap(false, true) {
			select {
			case <-hang:
			case <-r.Context().Done():
			}
		}
		time.Sleep(time.Millisecond)
	}))
	defer server.Close()
	defer close(hang)
	trial, failure := ask(t, load.Scenario{URL: server.URL, Timeout: time.Second}, 3, harness.Config{Window: 300 * time.Millisecond})
	if failure != "" || trial.Failed != 1 || trial.WallNS > 700e6 || trial.FailedNS < 700e6 {
		t.Errorf("%s: %d failed after %v, %v", failure, trial.Failed, time.Duration(trial.FailedNS), time.Duration(trial.WallNS))
	}
}

// An answer that has no body, by its status or since none was asked for, ends no
// connection: each user goes on over its own.
func TestAnswersWithoutABodyKeepTheConnection(t *testing.T) {
	for name, c := range map[string]struct{ method, answer string }{
		"204":  {"GET", "HTTP/1.1 204 No Content\r\n\r\n"},
		"304":  {"GET", "HTTP/1.1 304 Not Modified\r\n\r\n"},
		"head": {"HEAD", "HTTP/1.1 200 OK\r\n\r\n"},
	} {
		var connections atomic.Int64
		url := raw(t, func(_, request int, _ string) string {
			if request == 0 {
				connections.Add(1)
			}
			return c.answer
		})
		trial, failure := ask(t, load.Scenario{URL: url, Mix: []load.Weighted{{Method: c.method, Weight: 1}}}, 2, harness.Config{Window: 100 * time.Millisecond})
		if failure != "" || trial.Failed > 0 || trial.Ops < 10 || connections.Load() != 2 {
			t.Errorf("%s: %s: %d answers over %d connections of 2 users, %v", name, failure, trial.Ops, connections.Load(), trial.Kinds)
		}
	}
}

// Each request is drawn for itself: in rounds of one post and three gets a window would
// end in the slower of them more often than it begins with it.
func TestKindsAreDrawnEachForItself(t *testing.T) {
	var posts []bool // of one user, in turn
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { posts = append(posts, r.Method == "POST") }))
	s := load.Scenario{URL: server.URL, Mix: []load.Weighted{{Method: "GET", Weight: 3}, {Method: "POST", Weight: 1}}}
	trial, failure := ask(t, s, 1, harness.Config{Window: 200 * time.Millisecond})
	server.Close()
	if failure != "" || trial.Ops != len(posts) {
		t.Fatalf("%s: %d of %d answered", failure, trial.Ops, len(posts))
	}
	if len(posts) < 40 {
		t.Skip("too busy a machine for rounds enough")
	}
	others := 0
	for round := range slices.Chunk(posts, 4) {
		n := 0
		for _, post := range round {
			if post {
				n++
			}
		}
		if n != 1 {
			others++
		}
	}
	if others < 2 { // the last round may be cut
		t.Errorf("%d of %d rounds have other than one post", others, len(posts)/4)
	}
}

// A misspelt place is named once, wherever it stands; what is none is not.
func TestWordsThatAreNoPlaces(t *testing.T) {
	s := load.Scenario{URL: "http://a/{{usr}}", Body: "{{user}}{{n}}{{run}} {{}} {{a b}} {n} {{{user}}}",
		Mix: []load.Weighted{{Method: "PUT", Path: "/{{N}}/{{n}}", Body: "{{usr}} {{ n }} {{usér}}", Weight: 1}}}
	if none, want := s.NoPlaces(), []string{"{{usr}}", "{{N}}", "{{ n }}", "{{usér}}"}; !slices.Equal(none, want) {
		t.Errorf("%q, want %q", none, want)
	}
}
