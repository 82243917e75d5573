package hosts

import (
	"net"
	"os"
	"testing"
)

// A host is this machine under whatever name and address of its own.
func TestHere(t *testing.T) {
	want := map[string]bool{
		"localhost": true, "": true, "127.0.0.1": true, "127.3.2.1": true, "::1": true, "0.0.0.0": true, "::": true, "::ffff:127.0.0.1": true,
		"192.0.2.7": false, "2001:db8::7": false, // for documentation: nobody's
	}
	for _, a := range ownAddresses() {
		if a.Is4() {
			want[a.String()] = true
		}
	}
	if name, err := os.Hostname(); err == nil {
		if addresses, err := net.LookupHost(name); err == nil && len(addresses) > 0 {
			want[name] = true
		}
	}
	for host, here := range want {
		if got := Here(host); got != here {
			t.Errorf("%s: %v", host, got)
		}
	}
	if len(ownAddresses()) == 0 {
		t.Error("this machine has no address")
	}
}
