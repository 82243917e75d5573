package main

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"time"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/results"
)

func network() []bottleneck {
	return []bottleneck{
		{"round trips", "a connection each; the answer takes 1 ms", 4, []string{results.TimeNetwork}, 1, "answered", openRoundTrips(false)},
		{"one connection for all", "round trips of 1 ms under one lock", 4, []string{results.TimeLock}, 0.75, "one connection", openRoundTrips(true)},
		{"web server", "an answer of package http takes 1 ms; its own goroutines wait for the network", 4, []string{results.TimeChannel}, 0, "web", openWeb},
	}
}

// answer answers each byte of a connection after a millisecond.
func answer(c net.Conn) {
	defer c.Close()
	for b := make([]byte, 1); ; c.Write(b) {
		if _, err := io.ReadFull(c, b); err != nil {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

func openRoundTrips(shared bool) func(harness.Setup) (harness.Instance, error) {
	return func(s harness.Setup) (harness.Instance, error) {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return harness.Instance{}, err
		}
		var server sync.WaitGroup
		server.Go(func() {
			for {
				c, err := listener.Accept()
				if err != nil {
					return
				}
				server.Go(func() { answer(c) })
			}
		})
		var all []net.Conn
		end := func() error {
			err := listener.Close()
			for _, c := range all {
				err = errors.Join(err, c.Close())
			}
			server.Wait()
			return err
		}
		for range s.Goroutines {
			c, err := net.Dial("tcp", listener.Addr().String())
			if err != nil {
				return harness.Instance{}, errors.Join(err, end())
			}
			all = append(all, c)
		}
		var mu sync.Mutex
		if shared {
			return instance(func(int) {
				mu.Lock() // at: one connection
				ask(all[0])
				mu.Unlock()
			}, end), nil
		}
		return instance(func(g int) { ask(all[g]) }, end), nil
	}
}

func ask(c net.Conn) {
	var b [1]byte
	c.Write(b[:])
	c.Read(b[:]) // at: answered
}

func openWeb(harness.Setup) (harness.Instance, error) {
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { time.Sleep(time.Millisecond) }))
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 100}}
	return instance(func(int) {
		if answer, err := client.Get(server.URL); err == nil { // at: web
			io.Copy(io.Discard, answer.Body)
			answer.Body.Close()
		}
	}, func() error {
		client.CloseIdleConnections()
		server.Close()
		return nil
	}), nil
}
