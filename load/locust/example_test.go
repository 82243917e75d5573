package locust_test

import (
	"context"
	"fmt"
	"net"
	"strings"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/load/locust"
)

// users count, each for itself.
type users struct{}

func (users) Open(context.Context, locust.Options) (locust.Run, error) { return users{}, nil }
func (users) Kinds() []locust.Kind                                     { return []locust.Kind{{Method: "add", Name: "one"}} }
func (users) Most() int                                                { return 1000 }
func (users) Close(int) (doubt, err error)                             { return nil, nil }

func (users) User(int) (locust.User, error) {
	n := 0
	return locust.User{Operation: harness.Operation(func() error { n++; return nil })}, nil
}

// A worker whose master is none: the port is that of another service.
func Example() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer listener.Close()
	go func() {
		conn, err := listener.Accept()
		if err == nil {
			fmt.Fprint(conn, "HTTP/1.1 400 Bad Request\r\n\r\n")
			conn.Close()
		}
	}()
	master := listener.Addr().String()
	err = locust.Work(context.Background(), locust.Config{Master: master, Users: users{}})
	fmt.Println(strings.Replace(err.Error(), master, "HOST:PORT", 1))
	// Output: HOST:PORT: it does not speak ZeroMQ; a master's port for workers is 5557 by default, and not that of its page
}
