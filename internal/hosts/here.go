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

// Here reports whether a host, by name or address, is this machine: one of its addresses is
// this machine's own, or that of no machine, under which one asks one's own.
func Here(host string) bool {
	ctx, cancel := context.WithTimeout(context.Background(), resolving)
	defer cancel()
	addresses, _ := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	own := ownAddresses()
	return host == "localhost" || slices.ContainsFunc(addresses, func(a netip.Addr) bool {
		a = a.Unmap().WithZone("")
		return a.IsLoopback() || a.IsUnspecified() || slices.Contains(own, a)
	})
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
