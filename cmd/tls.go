package cmd

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"
)

// A pemFile names a file of certificates or keys. Where it is given it is not empty, as a
// variable is that nobody has set: a server would begin without what was asked for.
type pemFile string

func (f *pemFile) String() string { return string(*f) }

func (f *pemFile) Type() string { return "string" }

func (f *pemFile) Set(text string) error {
	if text == "" {
		return errors.New("it names no file; is a variable not set?")
	}
	*f = pemFile(text)
	return nil
}

// serverTLS are the words by which a server secures connections.
type serverTLS struct{ cert, key, clients pemFile }

func (f *serverTLS) bind(c *cobra.Command) {
	c.Flags().Var(&f.cert, "tls-cert", "certificate of the server, PEM; with --tls-key")
	c.Flags().Var(&f.key, "tls-key", "its key, PEM")
	c.Flags().Var(&f.clients, "tls-client-ca", "whose certificates clients have to show, PEM")
}

// config is how connections are secured; nil if they are not.
func (f serverTLS) config() (*tls.Config, error) {
	if f == (serverTLS{}) {
		return nil, nil
	}
	if f.cert == "" && f.key == "" {
		return nil, errors.New("--tls-client-ca goes with --tls-cert and --tls-key")
	}
	secured := &tls.Config{MinVersion: tls.VersionTLS12}
	var err error
	if secured.Certificates, err = certificate(f.cert, f.key); err != nil {
		return nil, err
	}
	if f.clients != "" {
		secured.ClientAuth = tls.RequireAndVerifyClientCert
		secured.ClientCAs, err = authority("--tls-client-ca", f.clients)
	}
	return secured, err
}

func certificate(cert, key pemFile) ([]tls.Certificate, error) {
	switch {
	case cert == "":
		return nil, errors.New("--tls-key goes with --tls-cert")
	case key == "":
		return nil, errors.New("--tls-cert goes with --tls-key")
	}
	c, err := tls.LoadX509KeyPair(string(cert), string(key))
	if err != nil {
		return nil, fmt.Errorf("--tls-cert and --tls-key: %w", err)
	}
	return []tls.Certificate{c}, nil
}

// authority is a file of certificates by which others are.
func authority(flag string, file pemFile) (*x509.CertPool, error) {
	text, err := os.ReadFile(string(file))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", flag, err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("%s: no certificate in %s", flag, file)
	}
	return pool, nil
}

// clientTLS are the words by which a client secures connections.
type clientTLS struct{ ca, cert, key pemFile }

func (f *clientTLS) bind(c *cobra.Command) {
	c.Flags().Var(&f.ca, "tls-ca", "by whom the server's certificate is, PEM; without it connections are not secured")
	c.Flags().Var(&f.cert, "tls-cert", "certificate that the server asks for, PEM; with --tls-key")
	c.Flags().Var(&f.key, "tls-key", "its key, PEM")
}

// config is how connections are secured; nil if they are not.
func (f clientTLS) config() (*tls.Config, error) {
	if f == (clientTLS{}) {
		return nil, nil
	}
	if f.ca == "" {
		return nil, errors.New("--tls-cert and --tls-key go with --tls-ca")
	}
	secured := &tls.Config{MinVersion: tls.VersionTLS12}
	var err error
	if f.cert != "" || f.key != "" {
		if secured.Certificates, err = certificate(f.cert, f.key); err != nil {
			return nil, err
		}
	}
	secured.RootCAs, err = authority("--tls-ca", f.ca)
	return secured, err
}
