package experiments

// How is a list guarded and encoded that requests read whole over HTTP?

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/valyala/fasthttp"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/subject/albums"
)

// Albums is N connections to a service on loopback, client and server in one process: an
// operation is a request and its answer, read to its end. Requests are written and
// answers read by fasthttp, so that most of the time is the server's.
func Albums() harness.Experiment {
	promise := results.Promise{Order: "total", Result: "linearizable", Survives: "nothing"}
	variant := func(name, about string, open func(albums.Options) albums.Store) harness.Variant {
		return harness.Variant{Name: name, About: about, Promise: promise, Open: openAlbums(open)}
	}
	return harness.Experiment{
		Name:       "albums",
		Question:   "What does it cost to send a list whole, by how it is guarded and encoded?",
		Unit:       "request",
		Goroutines: []int{1, 8, 50}, // connections
		Factors: []harness.Factor{
			{Name: "albums", About: "how many are in the list when the window begins", Default: "1000", Check: harness.Between(0, 50_000)},
			{Name: "posts", About: "percent of the requests that append an album; the others read the list", Default: "0", Check: harness.Between(0, 100)},
		},
		Variants: []harness.Variant{
			variant("mutex", "encoded for each request, under a sync.Mutex", func(o albums.Options) albums.Store { return albums.NewMutex(o) }),
			variant("rwmutex", "encoded for each request, under the read side of a sync.RWMutex", func(o albums.Options) albums.Store { return albums.NewRWMutex(o) }),
			variant("snapshot", "encoded once, when an album is added; read without a lock", func(o albums.Options) albums.Store { return albums.NewSnapshot(o) }),
		},
	}
}

// A shop is one trial: the service, and its clients.
type shop struct {
	store   albums.Store
	server  *http.Server
	served  chan error
	address string
	before  int // albums when the window begins
	posts   int // percent
	clients []*shopper
}

func openAlbums(open func(albums.Options) albums.Store) func(harness.Setup) (harness.Instance, error) {
	return func(s harness.Setup) (harness.Instance, error) {
		// Levels were checked before the run began.
		before, _ := strconv.Atoi(s.Factors["albums"])
		posts, _ := strconv.Atoi(s.Factors["posts"])
		shop := &shop{store: open(albums.Options{Most: 100_000_000}), before: before, posts: posts, served: make(chan error, 1)}
		for i := range before {
			if err := shop.store.Add(albumOf("before", i)); err != nil {
				return harness.Instance{}, err
			}
		}
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return harness.Instance{}, err
		}
		shop.address = listener.Addr().String()
		shop.server = &http.Server{Handler: albums.NewHandler(shop.store), ReadHeaderTimeout: time.Minute}
		go func() { shop.served <- shop.server.Serve(listener) }()
		return harness.Instance{Worker: shop.worker, Check: shop.check, Close: shop.close}, nil
	}
}

func albumOf(who string, i int) albums.Album {
	return albums.Album{ID: who + "-" + strconv.Itoa(i), Title: "Blue Train", Artist: "John Coltrane", Price: 56.99}
}

// A shopper is one connection.
type shopper struct {
	*shop
	name     string
	conn     net.Conn
	read     *bufio.Reader
	write    *bufio.Writer
	request  fasthttp.Request
	response fasthttp.Response
	requests int
	posted   int
	_        [64]byte // no two of them on one cache line
}

func (s *shop) worker(g int) harness.Operation {
	c := &shopper{shop: s, name: "by" + strconv.Itoa(g)}
	s.clients = append(s.clients, c)
	conn, err := net.Dial("tcp", s.address)
	if err != nil {
		return func() error { return err }
	}
	c.conn, c.read, c.write = conn, bufio.NewReader(conn), bufio.NewWriter(conn)
	return c.visit
}

// visit sends the next request: of a hundred so many are posts, spread evenly.
func (c *shopper) visit() error {
	c.requests++
	if c.requests*c.posts/100 > c.posted {
		return c.post()
	}
	return c.get()
}

func (c *shopper) get() error {
	c.request.Reset()
	if err := c.do(); err != nil {
		return err
	}
	if status, size := c.response.StatusCode(), len(c.response.Body()); status != http.StatusOK || size < 2 || size < 60*c.before {
		return fmt.Errorf("a list of %d bytes, status %d", size, status)
	}
	return nil
}

func (c *shopper) post() error {
	a := albumOf(c.name, c.posted)
	body, err := json.Marshal(a)
	if err != nil {
		return err
	}
	c.request.Reset()
	c.request.Header.SetMethod(fasthttp.MethodPost)
	c.request.Header.SetContentType("application/json")
	c.request.SetBodyRaw(body)
	if err := c.do(); err != nil {
		return err
	}
	if status := c.response.StatusCode(); status != http.StatusCreated {
		return fmt.Errorf("post album %s: status %d: %s", a.ID, status, c.response.Body())
	}
	c.posted++
	return nil
}

// do sends the request to /albums and reads the whole answer.
func (c *shopper) do() error {
	c.request.SetRequestURI("http://" + c.address + "/albums")
	if err := c.request.Write(c.write); err != nil {
		return err
	}
	if err := c.write.Flush(); err != nil {
		return err
	}
	return c.response.Read(c.read)
}

// check finds a post that was acknowledged and is not in the list.
func (s *shop) check(int) error {
	want := s.before
	for _, c := range s.clients {
		want += c.posted
		if c.posted > 0 {
			if last := albumOf(c.name, c.posted-1); !s.there(last) {
				return fmt.Errorf("album %s was posted and is not there", last.ID)
			}
		}
	}
	if n := s.store.Len(); n != want {
		return fmt.Errorf("%d albums, not %d", n, want)
	}
	return nil
}

func (s *shop) there(a albums.Album) bool {
	found, there := s.store.Get(a.ID)
	return there && found == a
}

func (s *shop) close() error {
	for _, c := range s.clients {
		if c.conn != nil {
			c.conn.Close()
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	err := s.server.Shutdown(ctx)
	if served := <-s.served; !errors.Is(served, http.ErrServerClosed) {
		err = errors.Join(err, served)
	}
	return err
}
