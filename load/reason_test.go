package load

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"syscall"
	"testing"
	"time"
)

// Where nothing was connected nobody can have answered something else than HTTP.
func TestReasonsWhereNothingIsConnected(t *testing.T) {
	dial := func(err error) error { return fmt.Errorf("ask: %w", &net.OpError{Op: "dial", Net: "tcp", Err: err}) }
	number := func(n syscall.Errno) error { return dial(os.NewSyscallError("connect", n)) }
	for want, err := range map[string]error{
		"no route to the host":                     number(syscall.EHOSTUNREACH),
		"the network is unreachable":               number(syscall.ENETUNREACH),
		"connection refused":                       number(syscall.ECONNREFUSED),
		"no connection: " + syscall.EACCES.Error(): number(syscall.EACCES),
		"no connection":                            dial(&net.AddrError{Err: "no suitable address found", Addr: "a"}),
		"no HTTP answer":                           &net.OpError{Op: "read", Net: "tcp", Err: errors.New("odd")},
	} {
		if got := reason(err); got != want {
			t.Errorf("%v: %s, want %s", err, got, want)
		}
	}
}

// Who interrupts while the server is being reached is told of the interruption.
func TestInterruptedWhileReaching(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	ctx, cancel := context.WithCancel(t.Context())
	reached := make(chan error)
	go func() {
		reached <- Reach(ctx, Scenario{URL: "https://" + listener.Addr().String(), Timeout: time.Hour})
	}()
	conn, err := listener.Accept() // and says nothing of TLS
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	cancel()
	if err := <-reached; !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want an interruption", err)
	}
}

// A server that wants another TLS than it is offered says so.
func TestReasonsOfTLS(t *testing.T) {
	for want, change := range map[string]func(*tls.Config){
		"TLS: certificate required":           func(c *tls.Config) { c.ClientAuth = tls.RequireAnyClientCert },
		"TLS: protocol version not supported": func(c *tls.Config) { c.MaxVersion, c.MinVersion = tls.VersionTLS11, tls.VersionTLS10 },
	} {
		server := httptest.NewUnstartedServer(http.NotFoundHandler())
		server.Config.ErrorLog = log.New(io.Discard, "", 0)
		server.TLS = &tls.Config{}
		change(server.TLS)
		server.StartTLS()
		for _, client := range []func(s Scenario) client{
			func(s Scenario) client { return newFaithful(t.Context(), s, s.wishes()) },
			func(s Scenario) client { c, _ := newFast(t.Context(), s, s.wishes()); return c },
		} {
			asks := client(Scenario{URL: server.URL, Insecure: true}.withDefaults())
			if _, _, err := asks.do(0, []byte("/"), nil); err == nil || reason(err) != want {
				t.Errorf("%v, want %s", err, want)
			}
			asks.close()
		}
		server.Close()
	}
}
