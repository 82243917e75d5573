package load

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"syscall"

	"github.com/valyala/fasthttp"
)

// reason says in few words why a request failed, in the same ones each time.
func reason(err error) string {
	var timeout net.Error
	var head *fasthttp.ErrSmallBuffer
	var record tls.RecordHeaderError
	var remote *net.OpError // an alert
	var unknown x509.UnknownAuthorityError
	var host x509.HostnameError
	var invalid x509.CertificateInvalidError
	var name *net.DNSError
	switch {
	case errors.As(err, &head):
		return "an answer's head of over 16 KiB"
	case errors.As(err, &record):
		return "the server does not speak TLS"
	case errors.As(err, &remote) && remote.Op == "remote error":
		return "TLS: " + strings.TrimPrefix(remote.Err.Error(), "tls: ")
	case strings.Contains(err.Error(), "tls: server selected unsupported protocol version"):
		return "TLS: protocol version not supported"
	case errors.As(err, &unknown), errors.As(err, &host), errors.As(err, &invalid):
		return "the certificate is not trusted"
	case errors.As(err, &name):
		return "the host has no address that can be found"
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return "timeout"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "connection refused"
	case errors.Is(err, syscall.EHOSTUNREACH):
		return "no route to the host"
	case errors.Is(err, syscall.ENETUNREACH):
		return "the network is unreachable"
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return "too many open files"
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return "no port is free"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return "the server closed the connection"
	case strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		return "the server does not speak TLS"
	}
	return unanswered(err)
}

// unanswered is the reason of an error that has no other: where nothing was connected, the
// system's, and else what came was not HTTP.
func unanswered(err error) string {
	var op *net.OpError
	var number syscall.Errno
	switch {
	case !errors.As(err, &op) || op.Op != "dial":
		return "no HTTP answer"
	case errors.As(err, &number):
		return "no connection: " + number.Error()
	}
	return "no connection"
}

// failed is why an answer is a failure; empty for one that is none. Redirections are
// not followed: they are answers.
func failed(status int) string {
	if status >= 200 && status < 400 {
		return ""
	}
	text := "status " + strconv.Itoa(status)
	if name := http.StatusText(status); name != "" {
		text += " " + name
	}
	return text
}
