// Package hosts tells whether a host is this machine.
package hosts

import (
	"context"
	"net"
	"net/netip"
	"slices"
	"time"
)

// resolving is how long the name of a host is looked for.
const resolving = 2 * time.Second

// Here reports whether a host, by name or address, is this machine.
func Here(host string) bool { return len(Own(host)) > 0 }

// Own are the addresses of a host that are this machine's own. Those of no machine, and no
// host at all, under which one asks one's own, are loopback's.
func Own(host string) (all []netip.Addr) {
	ctx, cancel := context.WithTimeout(context.Background(), resolving)
	defer cancel()
	addresses, _ := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	own := ownAddresses()
	for _, a := range addresses {
		a = a.Unmap().WithZone("")
		switch {
		case a.IsUnspecified():
			all = append(all, loopback()...)
		case a.IsLoopback() || slices.Contains(own, a):
			all = append(all, a)
		}
	}
	if host == "" || host == "localhost" && len(all) == 0 {
		return loopback()
	}
	return all
}

func loopback() []netip.Addr {
	return []netip.Addr{netip.AddrFrom4([4]byte{127, 0, 0, 1}), netip.IPv6Loopback()}
}

// ownAddresses are those of this machine's interfaces.
func ownAddresses() (all []netip.Addr) {
	interfaces, _ := net.InterfaceAddrs() // where they are not told, nobody knows
	for _, i := range interfaces {
		if prefix, err := netip.ParsePrefix(i.String()); err == nil {
			all = append(all, prefix.Addr().Unmap().WithZone(""))
		}
	}
	return all
}
