package remote

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"math/big"
	"net"
	"testing"
	"time"
)

// An authority signs certificates of loopback.
type authority struct {
	t    *testing.T
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func newAuthority(t *testing.T) authority {
	a := authority{t: t}
	a.key, a.cert = a.sign(&x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "authority"}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign})
	return a
}

// sign signs a certificate by itself where there is none of the authority yet.
func (a authority) sign(template *x509.Certificate) (*ecdsa.PrivateKey, *x509.Certificate) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		a.t.Fatal(err)
	}
	template.NotBefore, template.NotAfter = time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
	parent, signer := a.cert, a.key
	if parent == nil {
		parent, signer = template, key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, signer)
	if err != nil {
		a.t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		a.t.Fatal(err)
	}
	return key, cert
}

func (a authority) pool() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(a.cert)
	return pool
}

func (a authority) certificate() tls.Certificate {
	key, cert := a.sign(&x509.Certificate{
		SerialNumber: big.NewInt(2), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	})
	return tls.Certificate{Certificate: [][]byte{cert.Raw}, PrivateKey: key}
}

// A gRPC server with the settings of a service is as secure as the service is to be.
func TestServiceIsSecured(t *testing.T) {
	noLeaks(t)
	ours := newAuthority(t)
	s, err := NewService(t.Context(), echo, ServiceOptions{TLS: &tls.Config{Certificates: []tls.Certificate{ours.certificate()}}})
	if err != nil {
		t.Fatal(err)
	}
	endpoint := serveIn(t, s)
	if p, err := Dial(t.Context(), endpoint, Options{}); err == nil {
		p.Close(t.Context())
		t.Error("connected in the clear")
	}
	p := dial(t, endpoint, Options{TLS: &tls.Config{RootCAs: ours.pool()}})
	if _, err := p.Request(t.Context(), ping()); err != nil {
		t.Error(err)
	}
	if err := p.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestTLS(t *testing.T) {
	noLeaks(t)
	ours, others := newAuthority(t), newAuthority(t)
	server := tls.Config{Certificates: []tls.Certificate{ours.certificate()}}
	mutual := server.Clone()
	mutual.ClientAuth, mutual.ClientCAs = tls.RequireAndVerifyClientCert, ours.pool()
	for _, c := range []struct {
		name   string
		server *tls.Config
		client *tls.Config
		fails  bool
	}{
		{"trusted", &server, &tls.Config{RootCAs: ours.pool()}, false},
		{"of an authority that is not trusted", &server, &tls.Config{RootCAs: others.pool()}, true},
		{"none where there has to be", &server, nil, true},
		{"mutual", mutual, &tls.Config{RootCAs: ours.pool(), Certificates: []tls.Certificate{ours.certificate()}}, false},
		{"mutual, without a certificate", mutual, &tls.Config{RootCAs: ours.pool()}, true},
		{"mutual, of another authority", mutual, &tls.Config{RootCAs: ours.pool(), Certificates: []tls.Certificate{others.certificate()}}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := Dial(t.Context(), listen(t, echo, ServiceOptions{TLS: c.server}), Options{TLS: c.client})
			if c.fails {
				if err == nil {
					p.Close(t.Context())
					t.Error("connected")
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if _, err := p.Request(t.Context(), ping()); err != nil {
				t.Error(err)
			}
			if err := p.Close(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}
