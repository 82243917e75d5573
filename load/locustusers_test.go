package load

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/load/locust"
)

func TestScenarioIsAskedWhereThePageSays(t *testing.T) {
	var asked sync.Map
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { asked.Store(r.URL.String(), true) }))
	defer server.Close()
	users, err := ScenarioUsers(Scenario{URL: "https://elsewhere.invalid/albums?x=%2F"}, 2)
	run := opened(t.Context(), t, locust.Options{Host: server.URL + "/"}, users, err)
	u, err := run.User(0)
	if err != nil {
		t.Fatal(err)
	}
	u.Begin()
	if a := u.Request(); a.Failure != "" {
		t.Error(a.Failure)
	}
	if _, is := asked.Load("/albums?x=%2F"); !is {
		t.Error("it was not asked for")
	}
	if got := run.Kinds(); len(got) != 1 || got[0] != (locust.Kind{Method: "GET", Name: "/albums"}) {
		t.Errorf("kinds %v", got)
	}
	if _, err := run.Close(1); err != nil { // the other user never began
		t.Error(err)
	}
}

func TestOptionsThatMakeNoSense(t *testing.T) {
	users, err := ScenarioUsers(Scenario{URL: "http://127.0.0.1/"}, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []locust.Options{
		{Host: "there"}, {Host: "http://there/path"}, {Host: "http://"}, {Host: "ftp://there"}, {Host: "http://there:x"},
		{Values: map[string]string{"wait": "soon"}}, {Values: map[string]string{"timeout": "-1s"}}, {Values: map[string]string{"timeout": "x"}},
	} {
		if _, err := users.Open(t.Context(), o); err == nil {
			t.Errorf("%+v passed", o)
		}
	}
	for option, want := range map[string]string{"size": "is not FACTOR=LEVEL", "size=no": "factor size: bad", "shape=1": "has none of that name"} {
		if _, err := counting(t, nil).Open(t.Context(), locust.Options{Values: map[string]string{"factors": option}}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", option, err, want)
		}
	}
}

// counting are users of a variant that writes a file, and looks whether all is there.
func counting(t *testing.T, setups chan harness.Setup) locust.Users {
	users, err := VariantUsers(Variant{Name: "v", Most: 3, Dir: t.TempDir(), Factors: map[string]string{"size": "2"}, Experiment: harness.Experiment{
		Name: "e", Unit: "append",
		Factors: []harness.Factor{
			{Name: "size", Default: "1", Check: func(level string) error {
				if level == "no" {
					return errors.New("bad")
				}
				return nil
			}},
			{Name: "depth", Default: "7"},
		},
		Variants: []harness.Variant{{Name: "v", Open: func(s harness.Setup) (harness.Instance, error) {
			setups <- s
			var done atomic.Int64
			return harness.Instance{
				Worker: func(int) harness.Operation { return func() error { done.Add(1); return nil } },
				Finish: func() error { return os.WriteFile(filepath.Join(s.Dir, "flushed"), nil, 0o644) },
				Check: func(ops int) error {
					if int(done.Load()) != ops {
						return errors.New("not all are there")
					}
					return nil
				},
			}, nil
		}}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	return users
}

func TestVariantIsHeldToItsPromise(t *testing.T) {
	for extra, want := range map[int]string{0: "", 1: "end e/v: not all are there"} {
		setups := make(chan harness.Setup, 1)
		run, err := counting(t, setups).Open(t.Context(), locust.Options{Values: map[string]string{"factors": "depth=9"}})
		if err != nil {
			t.Fatal(err)
		}
		setup := <-setups
		if setup.Goroutines != 3 || setup.Factors["size"] != "2" || setup.Factors["depth"] != "9" {
			t.Errorf("setup %+v", setup)
		}
		setup.Guard(new(sync.Mutex)).Lock() // measured by nobody
		u, _ := run.User(0)
		u.Operation()
		if _, err := run.Close(1 + extra); (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("%v, want %q", err, want)
		}
		if _, err := os.Stat(setup.Dir); !os.IsNotExist(err) {
			t.Errorf("its directory was left behind: %v", err)
		}
		if got := run.Kinds(); got[0] != (locust.Kind{Method: "append", Name: "e/v"}) {
			t.Errorf("kinds %v", got)
		}
	}
}

// What waits for an answer ends with the run.
func TestRunEndsWhatWaits(t *testing.T) {
	clients := map[string]bool{"fasthttp": false, "net-http": true}
	for name, nethttp := range clients {
		asked, release := make(chan bool, 1), make(chan bool)
		server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked <- true; <-release }))
		users, err := ScenarioUsers(Scenario{URL: server.URL, NetHTTP: nethttp, Timeout: time.Hour}, 1)
		ctx, cancel := context.WithCancel(t.Context())
		run := opened(ctx, t, locust.Options{}, users, err)
		u, err := run.User(0)
		if err != nil {
			t.Fatal(err)
		}
		u.Begin()
		go func() { <-asked; cancel() }()
		if a := u.Request(); a.Failure == "" {
			t.Errorf("%s was answered", name)
		}
		if _, err := run.Close(0); err != nil {
			t.Error(err)
		}
		close(release)
		server.Close()
	}
}

// A lossy variant says how much it has lost.
func TestLossesOfAVariant(t *testing.T) {
	for lost, want := range map[int]string{0: "", 7: "e/v: 7 of 10 operations are lost: the variant is a lossy one"} {
		users, err := VariantUsers(Variant{Name: "v", Most: 1, Dir: t.TempDir(), Experiment: harness.Experiment{Name: "e", Variants: []harness.Variant{{
			Name: "v", Open: func(harness.Setup) (harness.Instance, error) {
				return harness.Instance{Lost: func(int) (int, error) { return lost, nil }}, nil
			}}}}})
		run := opened(t.Context(), t, locust.Options{}, users, err)
		doubt, err := run.Close(10)
		if err != nil || (doubt == nil) != (want == "") || doubt != nil && doubt.Error() != want {
			t.Errorf("%v and %v, want %q", doubt, err, want)
		}
	}
}

// opened is the run of users that could be made.
func opened(ctx context.Context, t *testing.T, o locust.Options, users locust.Users, err error) locust.Run {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	run, err := users.Open(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

func TestWhatNoUserCanDo(t *testing.T) {
	for _, v := range []Variant{
		{Name: "missing"}, {Name: "v", Factors: map[string]string{"size": "1"}},
	} {
		v.Experiment = harness.Experiment{Name: "e", Variants: []harness.Variant{{Name: "v"}}}
		if _, err := VariantUsers(v); err == nil {
			t.Errorf("%+v passed", v)
		}
	}
	users, err := ScenarioUsers(Scenario{URL: "http://there/"}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := users.Open(t.Context(), locust.Options{Host: "http://a:b@there"}); !errors.Is(err, errCredentials) || strings.Contains(err.Error(), ":b@") {
		t.Errorf("a name and password in the host: %v", err)
	}
	for _, host := range []string{"http://SECRET@there", "http://u:SECRET/@there", "http://u:12#SECRET@there"} {
		if _, err := users.Open(t.Context(), locust.Options{Host: host}); err == nil || strings.Contains(err.Error(), "SECRET") {
			t.Errorf("%s: %v", host, err)
		}
	}
	if _, err := ScenarioUsers(Scenario{URL: "albums"}, 1); err == nil {
		t.Error("a scenario without a URL passed")
	}
}
