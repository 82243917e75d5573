package albums_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/syncwrite/syncwrite/subject/albums"
	"pgregory.net/rapid"
)

// stores opens each kind of list.
func stores(o albums.Options) map[string]albums.Store {
	return map[string]albums.Store{"mutex": albums.NewMutex(o), "rwmutex": albums.NewRWMutex(o), "snapshot": albums.NewSnapshot(o)}
}

func album(id string) albums.Album {
	return albums.Album{ID: id, Title: "Blue <Train>", Artist: "John Coltrane", Price: 56.99}
}

func listOf(t testing.TB, s albums.Store) []albums.Album {
	var text bytes.Buffer
	if n, err := s.WriteTo(&text); err != nil || n != int64(text.Len()) {
		t.Fatalf("%d bytes of %d: %v", n, text.Len(), err)
	}
	all := []albums.Album{}
	if err := json.Unmarshal(text.Bytes(), &all); err != nil {
		t.Fatalf("%v in %q", err, text.String())
	}
	return all
}

// Whatever is added, every kind of list does the same, byte for byte.
func TestAllKindsDoTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := stores(albums.Options{Most: 8, Keep: rapid.IntRange(0, 3).Draw(t, "keep")})
		for range rapid.IntRange(0, 20).Draw(t, "calls") {
			a := albums.Album{ID: rapid.StringN(1, 3, 8).Draw(t, "id"), Title: rapid.StringN(1, 4, 20).Draw(t, "title"), Artist: "x", Price: rapid.Float64Range(0, 1e6).Draw(t, "price")}
			errs := map[string]bool{}
			for _, s := range all {
				errs[fmt.Sprint(s.Add(a))] = true
				if got, there := s.Get(a.ID); there && got.ID != a.ID {
					t.Fatalf("got %v for %v", got, a)
				}
			}
			if len(errs) != 1 {
				t.Fatalf("add %v: %v", a, errs)
			}
		}
		texts := map[string]bool{}
		for _, s := range all {
			var text bytes.Buffer
			s.WriteTo(&text)
			texts[fmt.Sprint(s.Len(), text.String())] = true
		}
		if len(texts) != 1 {
			t.Fatal(texts)
		}
	})
}

// A list that keeps its length has the newest, and finds no older one.
func TestKeptListHasTheNewest(t *testing.T) {
	for name, s := range stores(albums.Options{Keep: 3}) {
		for i := range 5 {
			if n := s.Len(); n != 3 || len(listOf(t, s)) != n {
				t.Errorf("%s: %d albums", name, n)
			}
			if err := s.Add(album(fmt.Sprint(i))); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		if all := listOf(t, s); len(all) != 3 || all[0].ID != "2" || all[2].ID != "4" {
			t.Errorf("%s: %v", name, all)
		}
		for i, want := range []bool{false, false, true, true, true} {
			if _, there := s.Get(fmt.Sprint(i)); there != want {
				t.Errorf("%s: album %d there: %t", name, i, there)
			}
		}
		if err := s.Add(album("0")); err != nil {
			t.Errorf("%s: one that went comes again: %v", name, err)
		}
	}
}

// Beside those that add, what one has read stays: each list goes on where the one before
// ended, what is in it is found by its ID, and in the end every album is there once.
func TestListsOnlyGrow(t *testing.T) {
	const adders, each = 4, 500
	for name, s := range stores(albums.Options{}) {
		var adding, looking sync.WaitGroup
		over := make(chan struct{})
		for g := range adders {
			adding.Go(func() {
				for i := range each {
					if err := s.Add(album(fmt.Sprintf("%d-%d", g, i))); err != nil {
						t.Errorf("%s: %v", name, err)
					}
				}
			})
		}
		looking.Go(func() {
			var before []albums.Album
			for {
				select {
				case <-over:
					return
				default:
				}
				now := listOf(t, s)
				if len(now) < len(before) {
					t.Errorf("%s: %d albums, then %d", name, len(before), len(now))
				}
				for i, a := range before {
					if now[i] != a {
						t.Errorf("%s: album %d was %v, is %v", name, i, a, now[i])
					}
				}
				if len(now) > 0 {
					if _, there := s.Get(now[len(now)-1].ID); !there {
						t.Errorf("%s: %v is in the list and not found", name, now[len(now)-1])
					}
				}
				before = now
			}
		})
		adding.Wait()
		close(over)
		looking.Wait()
		seen := map[string]bool{}
		for _, a := range listOf(t, s) {
			seen[a.ID] = true
		}
		if len(seen) != adders*each || s.Len() != adders*each {
			t.Errorf("%s: %d albums, of them %d different", name, s.Len(), len(seen))
		}
	}
}

func TestErrorsOfAdd(t *testing.T) {
	for name, s := range stores(albums.Options{Most: 1}) {
		if err := s.Add(album("1")); err != nil {
			t.Error(name, err)
		}
		if err := s.Add(album("1")); !errors.Is(err, albums.ErrExists) {
			t.Error(name, err)
		}
		if err := s.Add(album("2")); !errors.Is(err, albums.ErrFull) || !strings.Contains(err.Error(), "1 of them") {
			t.Error(name, err)
		}
	}
}

func TestService(t *testing.T) {
	const good = `{"id":"1","title":"Blue Train","artist":"John Coltrane","price":56.99}`
	for name, s := range stores(albums.Options{Most: 2}) {
		server := httptest.NewServer(albums.NewHandler(s))
		for _, c := range []struct {
			method, path, body string
			status             int
			answer             string // a part of it
		}{
			{"GET", "/albums", "", 200, "[]"},
			{"POST", "/albums", good, 201, good},
			{"POST", "/albums", good, 409, "an album with this ID is there"},
			{"GET", "/albums", "", 200, "[" + good + "]"},
			{"GET", "/albums/1", "", 200, good},
			{"GET", "/albums/2", "", 404, "no album has this ID"},
			{"POST", "/albums", `{"id":"2"`, 400, "no album in JSON"},
			{"POST", "/albums", "", 400, "no album in JSON"},
			{"POST", "/albums", `{"id":"2","title":" ","artist":"x","price":1}`, 400, "title is missing"},
			{"POST", "/albums", `{"id":"2","title":"t","artist":"x","price":-1}`, 400, "price is -1"},
			{"POST", "/albums", `{"id":"` + strings.Repeat("i", 65) + `","title":"t","artist":"x"}`, 400, "id has 65 bytes, at most 64"},
			{"POST", "/albums", `{"id":"` + strings.Repeat("i", 5000) + `"}`, 413, "more than 4,096 bytes"},
			{"POST", "/albums", `{"id":"2","title":"t","artist":"x","price":1}`, 201, `"id":"2"`},
			{"POST", "/albums", `{"id":"3","title":"t","artist":"x","price":1}`, 507, "the list is full"},
			{"DELETE", "/albums", "", 405, "GET and POST"},
			{"GET", "/", "", 404, "/albums/ID"},
		} {
			request, err := http.NewRequestWithContext(t.Context(), c.method, server.URL+c.path, strings.NewReader(c.body))
			if err != nil {
				t.Fatal(err)
			}
			response, err := server.Client().Do(request)
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(response.Body)
			response.Body.Close()
			if err != nil || response.StatusCode != c.status || !strings.Contains(string(text), c.answer) || !strings.HasPrefix(response.Header.Get("Content-Type"), "application/json") {
				t.Errorf("%s: %s %s %.40q: %d %q %v, want %d %q", name, c.method, c.path, c.body, response.StatusCode, text, err, c.status, c.answer)
			}
		}
		server.Close()
	}
}

// What is asked for by its ID is that album, whatever stands in it and however much of it is encoded.
func TestAlbumsAreFoundByTheirIDs(t *testing.T) {
	list := albums.NewMutex(albums.Options{})
	ids := []string{"a+b", "a b", "a+b/c", "a b/c", "%2F", "%252F", "a%2Bb/c", "ü/+", "100%", "."}
	for _, id := range ids {
		if err := list.Add(album(id)); err != nil {
			t.Fatal(err)
		}
	}
	service := albums.NewHandler(list)
	for _, id := range ids {
		for _, path := range []string{url.PathEscape(id), allEncoded(id)} {
			answer := httptest.NewRecorder()
			service.ServeHTTP(answer, httptest.NewRequest("GET", "/albums/"+path, nil))
			var got albums.Album
			if err := json.Unmarshal(answer.Body.Bytes(), &got); err != nil || answer.Code != 200 || got.ID != id {
				t.Errorf("%s, of %q: %d %q %v", path, id, answer.Code, got.ID, err)
			}
		}
	}
}

func allEncoded(text string) (all string) {
	for _, b := range []byte(text) {
		all += fmt.Sprintf("%%%02X", b)
	}
	return all
}

// An album is all that a request holds; one with a slash in its ID is found again; and the
// metrics have a head.
func TestRequestsAtTheEdges(t *testing.T) {
	server := httptest.NewServer(albums.NewCounted(albums.NewMutex(albums.Options{})))
	defer server.Close()
	const one = `{"id": "c/d", "title": "t", "artist": "a", "price": 1}`
	for _, c := range []struct {
		method, path, body string
		status             int
	}{
		{"POST", "/albums", one + "garbage", 400},
		{"POST", "/albums", one + one, 400},
		{"POST", "/albums", "", 400},
		{"GET", "/albums/c%2Fd", "", 404},
		{"POST", "/albums", one + " \n", 201},
		{"GET", "/albums/c%2Fd", "", 200},
		{"HEAD", "/metrics", "", 200},
		{"POST", "/metrics", "", 404},
	} {
		request, _ := http.NewRequest(c.method, server.URL+c.path, strings.NewReader(c.body))
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != c.status {
			t.Errorf("%s %s %s: %d, want %d", c.method, c.path, c.body, answer.StatusCode, c.status)
		}
	}
}
